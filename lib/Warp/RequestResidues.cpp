//===- RequestResidues.cpp - Lanes that move together --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RequestCost.h"
#include "Valuations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace llvm;

namespace warplint {

static bool restsOnSize(const LaneDomain &D, const Monomial &M) {
  return D.anySymbol(LaneInt(Lanes(), {Term{M, Lanes::splat(1)}}),
                     [](const Symbol &S) {
                       return S.Origin == SymbolOrigin::Argument ||
                              S.Origin == SymbolOrigin::Launch;
                     });
}

int64_t RequestCoster::residues(MemorySpace Space) const {
  return Space == MemorySpace::Shared || Space == MemorySpace::Constant ||
                 Space == MemorySpace::Local
             ? Machine.bankBytes()
             : Machine.granuleBytes();
}

/// All lanes move together: the cost depends on where the request's first byte
/// falls in a sector (in a bank word, for shared memory), on nothing else. The
/// uniform part's residue is enumerated: counters give each residue its share,
/// sizes that are not known give a set of residues of which 0 is the typical.
void RequestCoster::byResidue(const SymbolicRequest &R,
                              RequestEstimate &E) const {
  const int64_t Cycle = residues(R.Space);
  std::vector<double> Share(Cycle, 0.0);
  Share[0] = 1;
  int64_t UnknownStep = Cycle; // unknown part: any multiple of this
  bool Scattered = false;      // ... each as likely as the other
  std::string UnknownTerm;

  auto Convolve = [&](ArrayRef<double> With) {
    std::vector<double> Next(Cycle, 0.0);
    for (int64_t I = 0; I < Cycle; ++I)
      for (int64_t J = 0; J < Cycle; ++J)
        Next[(I + J) % Cycle] += Share[I] * With[J];
    Share = std::move(Next);
  };
  SmallVector<LaneInt, 4> Terms; // those that matter, in the first lane
  for (const Term &T : R.Offset.terms()) {
    LaneInt Alone(Lanes(),
                  {Term{T.M, Lanes::splat(T.K[countr_zero(R.Active)])}});
    if (Alone.terms()[0].K[0] != 0 && D.symbolicDivisor(Alone) % Cycle != 0)
      Terms.push_back(std::move(Alone));
  }
  auto OnCounters = [&](const LaneInt &Alone) {
    return restsOnCounters(D, Alone) && !hasOpenLoop(D, Alone);
  };
  // Counters in products and derived symbols go together, and with what else
  // hangs on them: of `i - i / 2 * 2` no term moves by itself.
  LaneInt Nonlinear;
  SmallVector<SymbolId, 8> Bound;
  for (const LaneInt &Alone : Terms) {
    const Monomial &M = Alone.terms()[0].M;
    if (OnCounters(Alone) && (M.size() > 1 || D[M[0]].Op != LaneOp::None)) {
      Nonlinear = D.add(Nonlinear, Alone);
      D.baseSymbols(Alone, Bound);
    }
  }
  for (const LaneInt &Alone : Terms) {
    const Monomial &M = Alone.terms()[0].M;
    const int64_t K = Alone.terms()[0].K[0];
    if (OnCounters(Alone)) {
      const Symbol &S = D[M[0]];
      if (M.size() > 1 || S.Op != LaneOp::None)
        continue;
      if (is_contained(Bound, M[0])) {
        Nonlinear = D.add(Nonlinear, Alone);
        continue;
      }
      int64_t First = S.Lo == INT64_MIN ? 0 : S.Lo;
      int64_t Count = S.Hi == INT64_MAX ? Cycle : S.Hi - First + 1;
      Count = Count > 4 * Cycle ? Cycle : Count; // whole periods
      std::vector<double> With(Cycle, 0.0);
      for (int64_t I = 0; I < Count; ++I) {
        int64_t Residue = ((First + I) % Cycle) * (K % Cycle) % Cycle;
        With[(Residue + Cycle) % Cycle] += 1.0 / double(Count);
      }
      Convolve(With);
      if (E.MisalignedBy.empty())
        E.MisalignedBy = D.str(Alone);
      continue;
    }
    UnknownStep =
        std::gcd(UnknownStep, std::gcd(D.symbolicDivisor(Alone), Cycle));
    Scattered |= !restsOnSize(D, M);
    UnknownTerm = D.str(Alone);
  }
  if (!Nonlinear.isConstant()) {
    SmallVector<SymbolId, 8> Base;
    D.baseSymbols(Nonlinear, Base);
    CounterWalk Walk = walkCounters(D, Base, FullEnumeration);
    std::vector<int64_t> Residues;
    for (LaneDomain::Valuation &V : Walk.Values) {
      const Lanes At = D.evaluate(Nonlinear, V);
      Residues.push_back((At[0] % Cycle + Cycle) % Cycle);
    }
    size_t Count = Walk.wholePeriods(
        [&](size_t I, size_t J) { return Residues[I] == Residues[J]; });
    if (Count == 0) {
      // No pattern to be seen: the mean is a guess.
      Count = Residues.size();
      UnknownStep =
          std::gcd(UnknownStep, std::gcd(D.symbolicDivisor(Nonlinear), Cycle));
      UnknownTerm = D.str(Nonlinear);
    }
    std::vector<double> With(Cycle, 0.0);
    for (size_t I = 0; I < Count; ++I)
      With[Residues[I]] += 1.0 / double(Count);
    Convolve(With);
    if (E.MisalignedBy.empty())
      E.MisalignedBy = D.str(Nonlinear);
  }
  if (!R.Several) {
    int64_t Align = R.Object ? int64_t(R.Object->Align) : 1;
    if (Align < Cycle) {
      UnknownStep = std::gcd(UnknownStep, Align);
      if (UnknownTerm.empty())
        UnknownTerm =
            R.Object ? "the address of " + R.Object->Name : "the base address";
    }
  }

  auto Valid = [&](int64_t Residue) {
    for (unsigned L = 0; L < WarpLanes; ++L)
      if ((R.Active >> L & 1) &&
          (R.Offset.constant()[L] + Residue) % int64_t(R.Align))
        return false;
    return true;
  };
  std::vector<std::optional<RequestCost>> Cost(Cycle);
  auto CostAt = [&](int64_t Residue) {
    if (!Cost[Residue]) {
      LaneAddresses At = R.Offset.constant().array();
      for (int64_t &X : At)
        X += Residue;
      Cost[Residue] = costOf(R, At);
    }
    return *Cost[Residue];
  };

  // The shares: where nothing typical is aligned as the compiler promises, all
  // aligned residues are as good as each other.
  std::vector<double> Typical = Share;
  if (Scattered) {
    std::vector<double> With(Cycle, 0.0);
    for (int64_t I = 0; I < Cycle; I += UnknownStep)
      With[I] = double(UnknownStep) / double(Cycle);
    Convolve(With);
    Typical = Share;
  }
  double Sum = 0;
  for (int64_t I = 0; I < Cycle; ++I) {
    if (Typical[I] > 0 && !Valid(I))
      Typical[I] = 0;
    Sum += Typical[I];
  }
  if (Sum <= 0) {
    for (int64_t I = 0; I < Cycle; I += UnknownStep)
      if (Valid(I))
        Sum += Typical[I] = 1;
    if (Sum <= 0)
      Sum = Typical[0] = 1;
  }
  bool First = true;
  int64_t Best = 0;
  for (int64_t I = 0; I < Cycle; ++I) {
    bool Possible = false;
    for (int64_t J = 0; J < Cycle && !Possible; J += UnknownStep)
      Possible = Share[(I - J + Cycle) % Cycle] > 0;
    if (Typical[I] > 0) {
      RequestCost C = CostAt(I);
      E.Mean += Typical[I] / Sum * C.Units;
      E.Ideal += Typical[I] / Sum * C.Ideal;
      if (Typical[I] > Typical[Best])
        Best = I;
    }
    if (!(Typical[I] > 0) && !(Possible && Valid(I)))
      continue;
    RequestCost C = CostAt(I);
    E.Min = First ? C.Units : std::min<double>(E.Min, C.Units);
    E.Max = First ? C.Units : std::max<double>(E.Max, C.Units);
    First = false;
  }
  for (unsigned L = 0; L < WarpLanes; ++L)
    E.Offsets[L] = R.Offset.constant()[L] + Best;
  E.Typical = CostAt(Best);
  E.Exact = UnknownStep == Cycle || E.Min == E.Max;
  if (!E.Exact) {
    E.Reason = UnknownReason::UnknownAlignment;
    E.Detail = "alignment of " + UnknownTerm + " is not known here";
    if (E.MisalignedBy.empty())
      E.MisalignedBy = UnknownTerm;
  }
}

} // namespace warplint
