//===- Diagnose.cpp - From costs to findings ------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Layout.h"
#include "Loudness.h"
#include "Phrases.h"
#include "warplint/Diagnose/TimeEstimate.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace warplint {

namespace {

/// One place in the source and one memory space.
struct PlaceKey {
  std::string File;
  unsigned Line, Column;
  MemorySpace Space;
  auto tie() const { return std::tie(File, Line, Column, Space); }
  bool operator<(const PlaceKey &O) const { return tie() < O.tie(); }
};

/// What reaches one place, under every kernel and configuration.
using Group = std::vector<Site>;

} // namespace

/// Where a reader looks for the cause. A function around one PTX instruction
/// (`ldmatrix`) is an instruction itself: nothing is indexed in it, its callers
/// choose the address.
static const SourcePlace &causeOf(const NamedAccess &N) {
  bool Wrapper = N.Names.Expression.empty() && !N.A.InlinedAt.empty();
  return Wrapper ? N.A.InlinedAt.front() : N.A.Place;
}

/// The load and the store of `a[i] *= 2` have columns of their own; their
/// expression begins at one.
static PlaceKey keyOf(const NamedAccess &N) {
  const SourcePlace &P = causeOf(N), &Begin = N.Names.Begin;
  bool Named = Begin.File == P.File && Begin.Line == P.Line && Begin.Column;
  return {P.File, P.Line, Named ? Begin.Column : P.Column, N.A.Space};
}

static std::vector<Group> groupByPlace(ArrayRef<NamedAccess> Accesses) {
  // By object too: in `rows[i][j]` the load of the row's pointer and that of
  // the element stand at one place and are different accesses.
  std::map<PlaceKey,
           std::map<std::tuple<unsigned, unsigned, UnknownReason, std::string>,
                    Site>>
      ByPlace;
  for (const NamedAccess &N : Accesses) {
    UnknownReason Reason = N.A.Exact ? UnknownReason::None : N.A.Reason;
    ByPlace[keyOf(N)][{N.Kernel, N.Config, Reason, N.A.Object}].add(N);
  }
  std::vector<Group> Groups;
  for (auto &[Key, Sites] : ByPlace) {
    Group &G = Groups.emplace_back();
    for (auto &[Where, S] : Sites)
      G.push_back(std::move(S));
  }
  return Groups;
}

/// The finding of the worst site of a place, or nothing.
static std::optional<Finding> diagnosePlace(const Group &G, Context &C,
                                            const TimeEstimator &Times) {
  const Check *Which = nullptr;
  const Site *Where = nullptr;
  std::optional<Diagnosis> Worst;
  auto Worse = [&](const Site &S, const Diagnosis &D) {
    if (!Worst)
      return true;
    bool Remark = D.Level == Severity::Remark,
         WorstRemark = Worst->Level == Severity::Remark;
    if (Remark != WorstRemark)
      return WorstRemark;
    return S.Cost.Mean - S.Ideal > Where->Cost.Mean - Where->Ideal;
  };
  for (const Site &S : G)
    for (const Check *Candidate : registeredChecks()) {
      if (!isCheckEnabled(Candidate->Info.Name, C.options().Checks))
        continue;
      C.enter(Candidate->Info.Name);
      std::optional<Diagnosis> D = Candidate->Examine(S, C);
      if (!D || (D->Level == Severity::Remark && !C.thresholds().ShowRemarks) ||
          !Worse(S, *D))
        continue;
      Worst = std::move(D);
      Which = Candidate;
      Where = &S;
    }
  if (!Worst)
    return std::nullopt;

  Finding F;
  const NamedAccess &N = *Where->Worst;
  F.Check = Which->Info.Name.str();
  F.Level = Worst->Level;
  F.Message = Worst->Message;
  F.Place = causeOf(N);
  if (N.Names.Begin.File == F.Place.File) {
    F.Begin = N.Names.Begin;
    F.End = N.Names.End;
  }
  F.InMacros = N.Names.InMacros;
  F.NoEdit = Worst->NoEdit;
  F.Kernel = C.kernel(N).Mangled;
  F.Space = N.A.Space;
  F.Absorbed = Worst->Absorbed;
  C.enter(F.Check);
  setLoudness(F, *Where, Times, C.thresholds());
  if (N.Pattern != AccessPattern::Indirect) {
    F.Excess = Where->excess();
    double All = C.kernelExcess(N);
    F.ExcessShare = All > 0 ? std::min(1.0, F.Excess / All) : 0;
  }
  if (!Worst->Repairs.empty() && !N.Names.Declaration.Line)
    F.NoEdit = "where the array is declared is not known";
  if (!Worst->Repairs.empty() && N.Names.Declaration.Line) {
    ArrayRepair &Repair = F.Repair.emplace();
    Repair.Declaration = N.Names.Declaration;
    Repair.ElementBytes = declaredElementBytes(N);
    Repair.Layouts = Worst->Repairs;
    for (const NamedAccess *Member : Where->Members)
      Repair.Accesses.push_back(C.indexOf(*Member));
  }
  if (Worst->FieldByField)
    F.FieldsOf = N.Names.RecordDefinition;
  F.Notes = commonNotes(*Where, F.Place, C, Worst->Explanation);
  SmallVector<const Site *> Others;
  for (const Site &S : G)
    if (&S != Where &&
        (S.Worst->Kernel != N.Kernel || S.Worst->Config != N.Config ||
         S.access().Object == N.A.Object))
      Others.push_back(&S);
  append_range(F.Notes, otherConfigurations(*Where, Others, C));
  return F;
}

/// Global traffic costs hundreds of cycles, a replay in shared memory or the
/// constant cache tens.
static unsigned rankOfSpace(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Shared:
    return 1;
  case MemorySpace::Constant:
    return 2;
  default:
    return 0;
  }
}

void rankFindings(std::vector<Finding> &Findings) {
  auto Key = [](const Finding &F) {
    return std::make_tuple(!F.Shown, F.Level == Severity::Remark,
                           rankOfSpace(F.Space), F.Absorbed, -F.Excess,
                           F.Place.File, F.Place.Line, F.Place.Column, F.Check,
                           F.Message);
  };
  sort(Findings,
       [&](const Finding &A, const Finding &B) { return Key(A) < Key(B); });
}

std::vector<Finding> diagnose(MutableArrayRef<AnalysedKernel> Kernels,
                              MutableArrayRef<NamedAccess> Accesses,
                              const MachineModel &Machine,
                              const DiagnoseOptions &Options) {
  for (NamedAccess &N : Accesses)
    N.Pattern = classify(N, Machine);
  TimeEstimator Estimator(Kernels, Accesses, Machine);
  for (unsigned K = 0; K != Kernels.size(); ++K)
    for (unsigned C = 0; C != Kernels[K].Configs.size(); ++C)
      Kernels[K].Times.push_back(Estimator.kernel(K, C));
  Context C(Kernels, Accesses, Machine, Options);
  std::vector<Finding> Findings;
  for (const Group &G : groupByPlace(Accesses))
    if (std::optional<Finding> F = diagnosePlace(G, C, Estimator))
      Findings.push_back(std::move(*F));
  rankFindings(Findings);
  return Findings;
}

} // namespace warplint
