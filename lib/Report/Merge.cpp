//===- Merge.cpp - A run with what its files share counted once -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merge.h"
#include "warplint/Diagnose/Diagnose.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace llvm;

namespace warplint {

static bool sameConfig(const LaunchConfig &A, const LaunchConfig &B) {
  return A.From == B.From && A.Block == B.Block && A.Grid == B.Grid &&
         A.GridExtent == B.GridExtent &&
         A.DynamicSharedBytes == B.DynamicSharedBytes &&
         A.Arguments == B.Arguments && A.Launches == B.Launches &&
         A.Assumptions == B.Assumptions;
}

static bool sameAccess(const Access &A, const Access &B) {
  return A.Place == B.Place && A.Space == B.Space && A.Op == B.Op &&
         A.Bytes == B.Bytes && A.Predicted.Min == B.Predicted.Min &&
         A.Predicted.Mean == B.Predicted.Mean &&
         A.Predicted.Max == B.Predicted.Max && A.Ideal == B.Ideal &&
         A.Exact == B.Exact && A.Reason == B.Reason && A.Weight == B.Weight;
}

MergedRun mergeRun(const RunReport &Run) {
  MergedRun Merged;
  using Identity = std::tuple<std::string, std::string, unsigned>;
  std::map<Identity, unsigned> KernelAt;
  using AccessList = std::vector<const NamedAccess *>;
  std::map<std::pair<unsigned, unsigned>, AccessList> MergedLists;

  for (const FileReport &File : Run.Files) {
    std::map<std::pair<unsigned, unsigned>, AccessList> Lists;
    for (const NamedAccess &N : File.Accesses)
      Lists[{N.Kernel, N.Config}].push_back(&N);

    for (unsigned K = 0; K < File.Kernels.size(); ++K) {
      const AnalysedKernel &Kernel = File.Kernels[K];
      auto [At, New] = KernelAt.try_emplace(
          {Kernel.Mangled, Kernel.Place.File, Kernel.Place.Line},
          Merged.Kernels.size());
      if (New) {
        Merged.Kernels.push_back(Kernel);
        Merged.Kernels.back().Configs.clear();
      }
      AnalysedKernel &Into = Merged.Kernels[At->second];
      if (Into.Refused.empty())
        Into.Refused = Kernel.Refused;
      if (Into.Incomplete.empty())
        Into.Incomplete = Kernel.Incomplete;

      for (unsigned C = 0; C < Kernel.Configs.size(); ++C) {
        AccessList &List = Lists[{K, C}];
        auto IsTheSame = [&](unsigned Other) {
          const AccessList &Seen = MergedLists[{At->second, Other}];
          return sameConfig(Into.Configs[Other], Kernel.Configs[C]) &&
                 llvm::equal(Seen, List,
                             [](const NamedAccess *A, const NamedAccess *B) {
                               return sameAccess(A->A, B->A);
                             });
        };
        if (any_of(seq<unsigned>(0, Into.Configs.size()), IsTheSame))
          continue;
        unsigned Config = Into.Configs.size();
        Into.Configs.push_back(Kernel.Configs[C]);
        for (const NamedAccess *N : List)
          Merged.Accesses.push_back({N, At->second, Config});
        MergedLists[{At->second, Config}] = std::move(List);
      }
    }
  }
  return Merged;
}

Coverage coverageOf(const MergedRun &Run) {
  Coverage Counts;
  for (const MergedAccess &M : Run.Accesses) {
    const Access &A = M.N->A;
    if (A.Exact)
      ++Counts.Exact;
    else if (isRange(A.Reason))
      ++Counts.Range;
    else {
      ++Counts.Unknown;
      ++Counts.UnknownByReason[A.Reason == UnknownReason::None
                                   ? "unstated"
                                   : reasonName(A.Reason).str()];
    }
  }
  return Counts;
}

std::string kernelProblem(const AnalysedKernel &K) {
  if (K.Refused.empty() && K.Incomplete.empty())
    return "";
  return "kernel '" + shortKernelName(K.Name) + "' " +
         (K.Refused.empty() ? "was analysed only in part: " + K.Incomplete
                            : "could not be analysed: " + K.Refused);
}

std::string wholeMessage(const Finding &F) {
  std::string Text = F.Message;
  for (const Note &N : F.Notes)
    if (!N.Place.Line)
      Text += "\n" + N.Message;
  return Text;
}

std::vector<Finding> mergeFindings(const RunReport &Run) {
  using Place = std::tuple<std::string, unsigned, unsigned, MemorySpace>;
  struct Entry {
    Finding F;
    unsigned Files = 0;
  };
  std::map<Place, Entry> ByPlace;
  for (const FileReport &File : Run.Files)
    for (const Finding &F : File.Findings) {
      Entry &E =
          ByPlace[{F.Place.File, F.Place.Line, F.start().Column, F.Space}];
      bool Worse =
          !E.Files ||
          std::make_tuple(F.Level != Severity::Remark, F.Excess) >
              std::make_tuple(E.F.Level != Severity::Remark, E.F.Excess);
      if (Worse)
        E.F = F;
      ++E.Files;
    }
  std::vector<Finding> Merged;
  for (auto &[Where, E] : ByPlace) {
    if (E.Files > 1)
      E.F.Notes.push_back(
          {{},
           formatv("reached from {0} compile commands; this is the worst",
                   E.Files)});
    Merged.push_back(std::move(E.F));
  }
  rankFindings(Merged);
  return Merged;
}

} // namespace warplint
