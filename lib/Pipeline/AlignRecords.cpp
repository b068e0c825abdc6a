//===- AlignRecords.cpp - Alignments that let fields be read together -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A record of four floats is read by four instructions where nothing says that
/// it lies at a multiple of 16 bytes. Said so, one reads it whole. The size is
/// a multiple of the new alignment, so that no element of an array moves.
///
//===----------------------------------------------------------------------===//

#include "FixTrials.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Driver/UserRecords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

/// The widest access of a lane that \p R could be read with; 0: it may be
/// already, or its size does not allow more.
static unsigned alignmentFor(const UserRecord &R) {
  for (unsigned Alignment : {16u, 8u})
    if (R.Bytes && R.Bytes % Alignment == 0)
      return Alignment > R.Alignment ? Alignment : 0;
  return 0;
}

using Accesses = std::vector<const NamedAccess *>;

/// Those of the record's fields in one kernel, in its first configuration. The
/// edit moves its name along its line.
static Accesses accessesTo(const SourcePlace &Record, StringRef Kernel,
                           const FileReport &Report) {
  Accesses Found;
  for (const NamedAccess &N : Report.Accesses)
    if (N.Names.RecordDefinition.File == Record.File &&
        N.Names.RecordDefinition.Line == Record.Line && N.Config == 0 &&
        N.A.Space == MemorySpace::Global &&
        Report.Kernels[N.Kernel].Mangled == Kernel)
      Found.push_back(&N);
  return Found;
}

static double requests(const Accesses &Of) {
  double Sum = 0;
  for (const NamedAccess *N : Of)
    Sum += N->A.Weight > 0 ? N->A.Weight : 1;
  return Sum;
}

static std::string verified(const Accesses &Old, const Accesses &New) {
  auto Requests = [](double Count) {
    return formatCount(Count) + (Count == 1 ? " request" : " requests");
  };
  return formatv("{0} of a warp become {1}, {2} -> {3} sectors",
                 Requests(requests(Old)), formatCount(requests(New)),
                 formatCount(totalUnits(Old)), formatCount(totalUnits(New)))
      .str();
}

static Expected<ProvenFix> prove(FixTrials &Trials, const UserRecord &R,
                                 unsigned Alignment,
                                 ArrayRef<size_t> Findings) {
  const FileReport &Report = Trials.report();
  ProvenFix P;
  P.Of = R.Name;
  for (const NamedAccess &N : Report.Accesses)
    if (N.Names.RecordDefinition == R.Place)
      P.Kernels.insert(Report.Kernels[N.Kernel].Mangled);
  P.What.Description = formatv(
      "declare '{0}' alignas({1}); its {2} bytes stay as they are, pointers to "
      "it must be multiples of {1}, as cudaMalloc's are",
      R.Name, Alignment, R.Bytes);
  P.What.Edits = {R.aligned(Alignment)};
  // Who makes a pointer to it out of another is not known here.
  P.What.Safety = FixSafety::Review;
  Expected<FixTrials::Run> Run = Trials.run(P.What.Edits, P.Kernels);
  if (!Run)
    return Run.takeError();
  if (Error E = Trials.checkRoom(*Run))
    return std::move(E);
  if (Error E = Trials.checkTotals(*Run, P.Kernels))
    return std::move(E);
  if (Error E = Trials.checkFindings(*Run))
    return std::move(E);
  for (size_t I : Findings) {
    const Finding &F = Report.Findings[I];
    if (!Run->Findings.count(FixTrials::keyOf(F)))
      P.Gone.push_back(
          {I, verified(accessesTo(R.Place, F.Kernel, Report),
                       accessesTo(R.Place, F.Kernel, Run->After))});
  }
  if (P.Gone.empty())
    return createStringError("its fields would still be accessed one by one");
  return P;
}

void alignRecords(FixTrials &Trials, Offers &Into) {
  const FileReport &Report = Trials.report();
  auto Wanted = [](const Finding &F) { return F.FieldsOf.Line != 0; };
  if (none_of(Report.Findings, Wanted))
    return;
  for (UserRecord &R : findUserRecords(Trials.context())) {
    Trials.rewrite(R.Place);
    R.File = Trials.realPath(R.File);
    unsigned Alignment = alignmentFor(R);
    std::vector<size_t> Findings;
    for (size_t I = 0; I < Report.Findings.size(); ++I)
      if (Report.Findings[I].FieldsOf == R.Place)
        Findings.push_back(I);
    if (!Alignment || Findings.empty())
      continue;
    if (!R.Obstacle.empty()) {
      Into.Refusals.push_back({std::move(Findings), R.Obstacle});
      continue;
    }
    Expected<ProvenFix> P = prove(Trials, R, Alignment, Findings);
    if (P)
      Into.Fixes.push_back(std::move(*P));
    else
      Into.Refusals.push_back({std::move(Findings), toString(P.takeError())});
  }
}

} // namespace warplint
