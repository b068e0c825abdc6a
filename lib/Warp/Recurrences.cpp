//===- Recurrences.cpp - What a loop does to its variables ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace llvm;

namespace warplint {

/// Iterations tried one after the other to find where a loop ends, when its
/// condition is not linear.
static constexpr int64_t MaxTripsCounted = 4096;

LaneInt WarpRun::valueAt(const Recurrence &R, const LaneInt &Iteration) {
  if (R.Float)
    return floating(R.Varying);
  switch (R.K) {
  case Recurrence::Invariant:
  case Recurrence::Ignored:
    return R.Start;
  case Recurrence::Affine:
    return D.add(R.Start, D.mul(Iteration, R.Step));
  case Recurrence::Geometric: {
    Interval Range = D.range(R.Start);
    Range = Range.Lo >= 0 ? Interval{0, R.Ratio < 0 ? Range.Hi : INT64_MAX}
                          : Interval();
    int64_t Divisor = 1;
    if (auto C = R.Start.uniformConstant(); C && *C > 0 && R.Ratio > 0)
      Divisor = *C; // start * ratio^i
    return LaneInt::symbol(D.derived(
        LaneOp::Geometric, {R.Start, LaneInt::constant(R.Ratio), Iteration},
        Range, Divisor));
  }
  case Recurrence::Unknown:
    break;
  }
  Symbol S;
  S.Name = "loop" + std::to_string(Fresh++);
  S.Origin = SymbolOrigin::Recurrence;
  S.Varying = R.Varying;
  S.Divisor = std::max<int64_t>(R.Divisor, 1);
  return D.add(R.Start, LaneInt::symbol(D.fresh(std::move(S))));
}

/// Runs the body once with a placeholder d in each variable (value = start + d)
/// and reads off what an iteration adds. A placeholder is uniform until the
/// body proves otherwise.
WarpRun::LoopPlan WarpRun::planLoop(const Loop *L, const Arrival &A) {
  const BasicBlock *Header = L->getHeader();
  LoopPlan Plan;
  SmallVector<const PHINode *, 4> Phis;
  for (const PHINode &Phi : Header->phis())
    Phis.push_back(&Phi);
  for (size_t P = 0; P < Phis.size(); ++P) {
    auto &Rs = Plan.Phis.emplace_back(A.Phis[P].size());
    bool Float = Phis[P]->getType()->getScalarType()->isFloatingPointTy();
    for (size_t K = 0; K < Rs.size(); ++K) {
      Rs[K].Start = A.Phis[P][K];
      if (!matters(*Phis[P])) {
        Rs[K].K = Recurrence::Ignored;
        continue;
      }
      Rs[K].Float = Float;
      Rs[K].Varying = Float && !D.isUniform(Rs[K].Start, A.F.Lanes);
    }
  }

  ++Dry;
  const LocalMemory Before = Locals;
  uint64_t Began = Steps;
  // Each round can only turn uniform placeholders into varying ones.
  for (unsigned Round = 0; Round < 4 && !stopped(); ++Round) {
    SymbolId FirstNew = D.numSymbols();
    Arrival At = A;
    for (size_t P = 0; P < Phis.size(); ++P)
      for (size_t K = 0; K < Plan.Phis[P].size(); ++K) {
        Recurrence &R = Plan.Phis[P][K];
        if (R.K == Recurrence::Ignored)
          continue;
        if (R.Float) {
          At.Phis[P][K] = floating(R.Varying);
          continue;
        }
        Symbol S;
        S.Name = "d" + std::to_string(Fresh++);
        S.Origin = SymbolOrigin::Recurrence;
        S.Varying = R.Varying;
        S.Divisor = std::max<int64_t>(R.Divisor, 1);
        R.Delta = D.fresh(std::move(S));
        At.Phis[P][K] = D.add(R.Start, LaneInt::symbol(R.Delta));
      }
    Plan.Tests.clear();
    Locals = Before;
    Began = Steps;
    RegionContext Body;
    Body.L = L;
    Body.Summary = true;
    Body.Tests = &Plan.Tests;
    runBody(Body, At);
    Plan.BodySteps = Steps - Began;
    if (stopped() || Body.Latches.empty())
      break;
    Arrival Last = merge(Header, Body.Latches);
    bool Settled = true;
    for (size_t P = 0; P < Phis.size(); ++P) {
      std::vector<Recurrence> Old = Plan.Phis[P];
      classify(Plan.Phis[P], Last.Phis[P], FirstNew, A.F.Lanes);
      for (size_t K = 0; K < Old.size(); ++K)
        Settled &= Old[K].Varying == Plan.Phis[P][K].Varying &&
                   (Round == 0 || Old[K].Divisor == Plan.Phis[P][K].Divisor ||
                    Plan.Phis[P][K].K != Recurrence::Unknown);
    }
    if (Settled)
      break;
    // A varying placeholder invalidates what others rested on.
  }
  Locals = Before;
  --Dry;
  if (!stopped())
    countTrips(Plan, A.F.Lanes);
  return Plan;
}

void WarpRun::classify(std::vector<Recurrence> &Rs, const Parts &Last,
                       SymbolId FirstNew, LaneMask In) {
  for (size_t K = 0; K < Rs.size(); ++K) {
    Recurrence &R = Rs[K];
    const LaneInt &V = Last[K];
    if (R.K == Recurrence::Ignored)
      continue;
    if (R.Float) {
      R.Varying |= !D.isUniform(V, In);
      continue;
    }
    LaneInt Value = D.add(R.Start, LaneInt::symbol(R.Delta));
    LaneInt Step = D.sub(V, Value);
    SmallVector<SymbolId, 8> Base;
    D.baseSymbols(Step, Base);
    bool Fixed = all_of(Base, [&](SymbolId S) { return S < FirstNew; });
    if (Step == LaneInt()) {
      R.K = Recurrence::Invariant;
      continue;
    }
    if (Fixed) {
      R.K = Recurrence::Affine;
      R.Step = Step;
      continue;
    }
    for (int64_t Ratio = 2; Ratio <= 16; ++Ratio)
      if (V == D.scale(Value, Ratio)) {
        R.K = Recurrence::Geometric;
        R.Ratio = Ratio;
      }
    if (auto S = V.singleSymbol())
      if (D[*S].Op == LaneOp::FloorDiv && D[*S].Operands[0] == Value)
        if (auto By = D[*S].Operands[1].uniformConstant()) {
          R.K = Recurrence::Geometric;
          R.Ratio = -*By;
        }
    if (R.K == Recurrence::Geometric && D.isUniform(R.Start, In))
      continue;
    R.K = Recurrence::Unknown;
    R.Varying |= !D.isUniform(Step, In);
    int64_t G = D.symbolicDivisor(Step);
    for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
      if (In >> Lane & 1)
        G = int64_t(
            std::gcd(uint64_t(G), uint64_t(std::abs(Step.constant()[Lane]))));
    // The placeholder itself had divisor 1 in the first round; a step that is
    // a multiple of g whatever d is keeps every value a multiple of g away.
    R.Divisor = std::max<int64_t>(G, 1);
  }
}

namespace {
/// When `Cond == LeavesOn` first holds for one lane, as the loop counts.
struct LinearTest {
  int64_t C, K; ///< c + k * i
  LaneOp Op;    ///< IsGE0 or IsEQ0
  bool LeavesOnTrue;
};
} // namespace

static std::optional<uint64_t> firstExit(const LinearTest &T) {
  auto CeilDiv = [](int64_t A, int64_t B) { return (A + B - 1) / B; };
  if (T.Op == LaneOp::IsEQ0) {
    if (T.LeavesOnTrue) {
      if (T.C == 0)
        return 0;
      if (T.K == 0 || T.C % T.K || -(T.C / T.K) < 0)
        return std::nullopt;
      return -(T.C / T.K);
    }
    return T.C != 0 ? std::optional<uint64_t>(0)
           : T.K    ? std::optional<uint64_t>(1)
                    : std::nullopt;
  }
  if (T.LeavesOnTrue) { // first i with c + k i >= 0
    if (T.C >= 0)
      return 0;
    return T.K > 0 ? std::optional<uint64_t>(CeilDiv(-T.C, T.K)) : std::nullopt;
  }
  // first i with c + k i < 0
  if (T.C < 0)
    return 0;
  return T.K < 0 ? std::optional<uint64_t>(T.C / -T.K + 1) : std::nullopt;
}

/// The end of a loop whose tested value is linear in the iteration; also as a
/// value where symbols are in it.
std::optional<uint64_t> WarpRun::countLinear(LoopPlan &Plan,
                                             const ExitTest &Test, LaneOp Op,
                                             const LaneInt &Tested,
                                             bool LeavesOn, LaneMask In) {
  Symbol Count;
  Count.Name = "i";
  Count.Origin = SymbolOrigin::Iteration;
  Count.Lo = 0;
  SymbolId I = D.fresh(std::move(Count));
  LaneInt AtI = Tested;
  for (auto &Phi : Plan.Phis)
    for (Recurrence &R : Phi)
      if (!R.Float && R.K == Recurrence::Affine)
        AtI = D.substitute(AtI, R.Delta, D.mul(LaneInt::symbol(I), R.Step));
      else if (!R.Float && R.K == Recurrence::Invariant)
        AtI = D.substitute(AtI, R.Delta, LaneInt());
  LaneInt Start(AtI.constant()), Slope;
  for (const Term &T : AtI.terms()) {
    if (T.M.size() == 1 && T.M[0] == I)
      Slope = LaneInt(T.K);
    else
      Start = D.add(Start, LaneInt(Lanes(), {T}));
  }
  bool Moves = D.anySymbol(Start, [&](const Symbol &S) {
    if (&S == &D[I])
      return true;
    for (auto &Phi : Plan.Phis)
      for (Recurrence &R : Phi)
        if (R.hasPlaceholder() && &S == &D[R.Delta])
          return true;
    return false;
  });
  if (Moves)
    return std::nullopt;
  // How often the loop runs differs from warp to warp: let each run.
  if (!Dry && !Start.isConstant())
    noteWarpDependence(Start);

  const bool OnlyTest = Plan.Tests.size() == 1;
  if (Start.isConstant()) {
    uint64_t Most = 0;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      if (!(In >> L & 1))
        continue;
      auto N =
          firstExit({Start.constant()[L], Slope.constant()[L], Op, LeavesOn});
      if (!N)
        return std::nullopt;
      Most = std::max(Most, *N);
    }
    if (OnlyTest && D.isUniform(AtI, In))
      Plan.SymbolicTrips = LaneInt::constant(int64_t(Most));
    return Test.AtHeader ? Most : Most + 1;
  }
  // The end as a value: the first i with A - s * i < 0 is floor(A / s) + 1.
  auto K = Slope.uniformConstant();
  if (!K || !OnlyTest)
    return std::nullopt;
  if (Op == LaneOp::IsGE0 && !LeavesOn && *K < 0)
    Plan.SymbolicTrips = D.add(D.divMod(Start, LaneInt::constant(-*K)).first,
                               LaneInt::constant(1));
  else if (Op == LaneOp::IsGE0 && LeavesOn && *K > 0)
    Plan.SymbolicTrips =
        D.divMod(D.add(D.scale(Start, -1), LaneInt::constant(*K - 1)),
                 LaneInt::constant(*K))
            .first;
  else if (Op == LaneOp::IsEQ0 && LeavesOn && (*K == 1 || *K == -1))
    Plan.SymbolicTrips = D.scale(Start, -*K);
  if (Plan.SymbolicTrips)
    if (auto N = Plan.SymbolicTrips->uniformConstant(); N && *N >= 0)
      return Test.AtHeader ? *N : *N + 1;
  return std::nullopt;
}

/// Not linear (`s >>= 1`): tried iteration by iteration, if every value is
/// known at each.
std::optional<uint64_t> WarpRun::countByTrying(const LoopPlan &Plan,
                                               const ExitTest &Test, LaneOp Op,
                                               const LaneInt &Tested,
                                               bool LeavesOn, LaneMask In) {
  SmallVector<SymbolId, 8> Needed;
  D.baseSymbols(Tested, Needed);
  Symbol Count;
  Count.Name = "i";
  Count.Origin = SymbolOrigin::Iteration;
  SymbolId I = D.fresh(std::move(Count));
  SmallVector<std::pair<SymbolId, LaneInt>, 4> Moving; // value - start
  for (SymbolId N : Needed) {
    const Recurrence *Of = nullptr;
    for (auto &Phi : Plan.Phis)
      for (const Recurrence &R : Phi)
        if (R.hasPlaceholder() && R.Delta == N)
          Of = &R;
    if (!Of || Of->K == Recurrence::Unknown)
      return std::nullopt;
    LaneInt Delta = D.sub(valueAt(*Of, LaneInt::symbol(I)), Of->Start);
    SmallVector<SymbolId, 4> Base;
    D.baseSymbols(Delta, Base);
    if (any_of(Base, [&](SymbolId S) { return S != I; }))
      return std::nullopt;
    Moving.push_back({N, Delta});
  }
  for (int64_t It = 0; It < MaxTripsCounted && In; ++It) {
    LaneDomain::Valuation V;
    V[I] = Lanes::splat(It);
    for (auto &[Delta, Value] : Moving) {
      Lanes Now = D.evaluate(Value, V);
      V[Delta] = Now;
    }
    const Lanes X = D.evaluate(Tested, V);
    for (unsigned L = 0; L < WarpLanes; ++L) {
      bool True = Op == LaneOp::IsGE0 ? X[L] >= 0 : X[L] == 0;
      if (True == LeavesOn)
        In &= ~(LaneMask(1) << L);
    }
    if (!In)
      return Test.AtHeader ? It : It + 1;
  }
  return std::nullopt;
}

/// The loop ends with the first test whose end is known; others (a break on
/// data) can only end it sooner.
void WarpRun::countTrips(LoopPlan &Plan, LaneMask In) {
  for (const ExitTest &Test : Plan.Tests) {
    // Each truth value that alone decides to leave: `i >= n || found`.
    SmallVector<SymbolId, 4> Parts;
    for (const Term &T : Test.Cond.terms())
      for (SymbolId S : T.M)
        if (!is_contained(Parts, S))
          Parts.push_back(S);
    for (SymbolId S : Parts) {
      LaneOp Op = D[S].Op;
      if (Op != LaneOp::IsGE0 && Op != LaneOp::IsEQ0)
        continue;
      LaneInt Tested = D[S].Operands[0];
      for (bool Value : {false, true}) {
        LaneInt Then = D.substitute(Test.Cond, S, LaneInt::constant(Value));
        if (Then.uniformConstant() != int64_t(Test.LeavesOn))
          continue;
        auto Trips = countLinear(Plan, Test, Op, Tested, Value, In);
        if (Parts.size() > 1)
          Plan.SymbolicTrips.reset(); // another part may leave sooner
        else if (Plan.SymbolicTrips && !Trips)
          continue;
        if (!Trips)
          Trips = countByTrying(Plan, Test, Op, Tested, Value, In);
        if (Trips)
          Plan.Trips = Plan.Trips ? std::min(*Plan.Trips, *Trips) : *Trips;
      }
    }
  }
}

} // namespace warplint
