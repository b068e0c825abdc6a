//===- OfferFixes.cpp - Fixes, each run before it is offered --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OfferFixes.h"
#include "FixTrials.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

/// Fixes are applied together: so they must hold together.
static Error checkTogether(FixTrials &Trials, ArrayRef<ProvenFix> Fixes) {
  std::vector<SourceEdit> Edits;
  StringSet<> Kernels;
  for (const ProvenFix &P : Fixes) {
    append_range(Edits, P.What.Edits);
    for (const auto &Kernel : P.Kernels)
      Kernels.insert(Kernel.first());
  }
  Trials.allowOneMore();
  Expected<FixTrials::Run> R = Trials.run(Edits, Kernels);
  if (!R)
    return R.takeError();
  for (const ProvenFix &P : Fixes)
    for (const auto &[I, Verified] : P.Gone)
      if (R->Findings.count(FixTrials::keyOf(Trials.report().Findings[I])))
        return createStringError("a conflict would remain");
  if (Error E = Trials.checkRoom(*R))
    return E;
  if (Error E = Trials.checkTotals(*R, Kernels))
    return E;
  return Trials.checkFindings(*R);
}

static constexpr StringLiteral NoEdit = "no edit is offered: ";

static void refuse(Finding &F, const Twine &Why) {
  bool Said = any_of(F.Notes, [](const Note &N) {
    return StringRef(N.Message).starts_with(NoEdit);
  });
  if (F.Fixes.empty() && !Said)
    F.Notes.push_back({{}, (NoEdit + Why).str()});
}

/// Where nothing could be tried, or not for want of a declaration to edit.
static void explain(Finding &F) {
  if (!F.NoEdit.empty())
    refuse(F, F.NoEdit);
  else if (F.Repair)
    refuse(F, "its declaration is not in text of yours that could be edited");
}

void offerFixes(clang::ASTContext &Ctx, clang::Preprocessor &PP,
                const MachineModel &Machine, const AnalysisOptions &Options,
                const UnitLink &Link, RealPlaces &Real, FileReport &Report) {
  FixTrials Trials(Ctx, PP, Machine, Options, Link, Real, Report);
  Offers Found;
  repairArrays(Trials, Found);
  alignRecords(Trials, Found);
  std::vector<ProvenFix> &Fixes = Found.Fixes;
  if (Fixes.size() > 1)
    if (Error E = checkTogether(Trials, Fixes)) {
      std::string Why = toString(std::move(E));
      for (const ProvenFix &P : ArrayRef(Fixes).drop_front()) {
        Refusal &No = Found.Refusals.emplace_back();
        No.Why = "with the fix of '" + Fixes.front().Of + "', " + Why;
        for (const auto &[I, Verified] : P.Gone)
          No.Findings.push_back(I);
      }
      Fixes.resize(1);
    }
  for (const ProvenFix &P : Fixes)
    for (const auto &[I, Verified] : P.Gone) {
      Finding &F = Report.Findings[I];
      Fix &X = F.Fixes.emplace_back(P.What);
      X.Verified = Verified;
      X.Diff = Trials.diff(X.Edits);
      // The advice it is the answer to.
      erase_if(F.Notes, [](const Note &N) {
        return !N.Place.Line && StringRef(N.Message).starts_with("fix: ");
      });
    }
  for (const Refusal &No : Found.Refusals)
    if (!No.Why.empty())
      for (size_t I : No.Findings)
        refuse(Report.Findings[I], No.Why);
  for (Finding &F : Report.Findings)
    explain(F);
}

} // namespace warplint
