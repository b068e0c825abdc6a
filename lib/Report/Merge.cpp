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
#include "llvm/Support/MD5.h"
#include <tuple>
#include <type_traits>

using namespace llvm;

namespace warplint {

static bool sameConfig(const LaunchConfig &A, const LaunchConfig &B) {
  return A.From == B.From && A.Block == B.Block && A.Grid == B.Grid &&
         A.GridExtent == B.GridExtent &&
         A.DynamicSharedBytes == B.DynamicSharedBytes &&
         A.Arguments == B.Arguments && A.Launches == B.Launches &&
         A.Assumptions == B.Assumptions;
}

namespace {
/// Adds up a digest.
class Digest {
public:
  void add(StringRef Text) {
    add(Text.size());
    Hash.update(Text);
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void add(T Number) {
    Hash.update(
        ArrayRef(reinterpret_cast<const uint8_t *>(&Number), sizeof(T)));
  }
  uint64_t result() {
    MD5::MD5Result Result;
    Hash.final(Result);
    return Result.low();
  }

private:
  MD5 Hash;
};
} // namespace

static void addTo(Digest &D, const Access &A) {
  D.add(StringRef(A.Place.File));
  D.add(A.Place.Line);
  D.add(A.Place.Column);
  for (unsigned Word : {unsigned(A.Space), unsigned(A.Op), A.Bytes,
                        unsigned(A.Exact), unsigned(A.Reason)})
    D.add(Word);
  for (double Number : {A.Predicted.Min, A.Predicted.Mean, A.Predicted.Max,
                        A.Ideal, A.Fewest, A.Weight})
    D.add(Number);
}

static void count(const Access &A, AccessCounts &All) {
  AccessCounts::OfSpace &Counts = All.Spaces[A.Space];
  if (A.Exact)
    ++Counts.Exact;
  else if (isRange(A.Reason))
    ++Counts.Range;
  else
    ++Counts.Unknown[A.Reason];
}

static std::map<std::pair<unsigned, unsigned>, AccessCounts>
countsOf(const FileReport &File) {
  std::map<std::pair<unsigned, unsigned>, AccessCounts> All = File.Counts;
  std::map<std::pair<unsigned, unsigned>, Digest> Digests;
  for (const NamedAccess &N : File.Accesses) {
    count(N.A, All[{N.Kernel, N.Config}]);
    addTo(Digests[{N.Kernel, N.Config}], N.A);
  }
  for (auto &[Where, D] : Digests)
    All[Where].Digest = D.result();
  return All;
}

void dropAccesses(FileReport &File) {
  File.Counts = countsOf(File);
  std::vector<NamedAccess>().swap(File.Accesses);
}

MergedRun mergeRun(const RunReport &Run) {
  MergedRun Merged;
  using Identity = std::tuple<std::string, std::string, unsigned>;
  std::map<Identity, unsigned> KernelAt;
  using AccessList = std::vector<const NamedAccess *>;
  std::vector<std::vector<AccessCounts>> Counts; // by kernel, configuration

  for (const FileReport &File : Run.Files) {
    std::map<std::pair<unsigned, unsigned>, AccessList> Lists;
    for (const NamedAccess &N : File.Accesses)
      Lists[{N.Kernel, N.Config}].push_back(&N);
    auto CountsHere = countsOf(File);

    for (unsigned K = 0; K < File.Kernels.size(); ++K) {
      const AnalysedKernel &Kernel = File.Kernels[K];
      auto [At, New] = KernelAt.try_emplace(
          {Kernel.Mangled, Kernel.Place.File, Kernel.Place.Line},
          Merged.Kernels.size());
      if (New) {
        Merged.Kernels.push_back(Kernel);
        Merged.Kernels.back().Configs.clear();
        Counts.emplace_back();
        Merged.Kernels.back().Times.clear();
      }
      AnalysedKernel &Into = Merged.Kernels[At->second];
      if (Into.Refused.empty())
        Into.Refused = Kernel.Refused;
      if (Into.Incomplete.empty())
        Into.Incomplete = Kernel.Incomplete;

      for (unsigned C = 0; C < Kernel.Configs.size(); ++C) {
        const AccessCounts &Here = CountsHere[{K, C}];
        std::vector<AccessCounts> &Known = Counts[At->second];
        auto IsTheSame = [&](unsigned Other) {
          return Known[Other].Digest == Here.Digest &&
                 sameConfig(Into.Configs[Other], Kernel.Configs[C]);
        };
        if (any_of(seq<unsigned>(0, Into.Configs.size()), IsTheSame))
          continue;
        unsigned Config = Into.Configs.size();
        Into.Configs.push_back(Kernel.Configs[C]);
        Into.Times.push_back(C < Kernel.Times.size() ? Kernel.Times[C]
                                                     : KernelTime());
        for (const NamedAccess *N : Lists[{K, C}])
          Merged.Accesses.push_back({N, At->second, Config});
        Known.push_back(Here);
      }
    }
  }
  for (std::vector<AccessCounts> &Known : Counts)
    append_range(Merged.Counts, Known);
  return Merged;
}

Coverage coverageOf(const MergedRun &Run, std::optional<MemorySpace> Only) {
  Coverage Counts;
  for (const AccessCounts &C : Run.Counts)
    for (const auto &[Space, Of] : C.Spaces) {
      if (Only && Space != *Only)
        continue;
      Counts.Exact += Of.Exact;
      Counts.Range += Of.Range;
      for (auto [Reason, Number] : Of.Unknown) {
        Counts.Unknown += Number;
        Counts.UnknownByReason[Reason == UnknownReason::None
                                   ? "unstated"
                                   : reasonName(Reason).str()] += Number;
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

std::vector<Finding> shownFindings(const RunReport &Run) {
  std::vector<Finding> Shown = mergeFindings(Run);
  llvm::erase_if(Shown, [](const Finding &F) { return !F.Shown; });
  return Shown;
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
          std::make_tuple(F.Shown, F.Level != Severity::Remark, F.Excess) >
              std::make_tuple(E.F.Shown, E.F.Level != Severity::Remark,
                              E.F.Excess);
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
