//===- Loops.cpp - Loops run through or summarised -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {

/// A loop of a known number of iterations is run through when that is short:
/// masks and conflicts come out iteration by iteration. Beyond these it is
/// summarised, which is exact too as long as its variables are linear.
static constexpr uint64_t MaxTripsRun = 256;

/// What a loop of unknown length counts for beside what is outside of it, in
/// the mean of a source line: some warps' worth.
static constexpr double UnknownTrips = 32;

void WarpRun::runLoop(RegionContext &Outer, const Loop *L,
                      ArrayRef<Arrival> Entry) {
  Arrival A = merge(L->getHeader(), Entry);
  if (!A.F.Lanes)
    return;
  LoopPlan Plan = planLoop(L, A);
  if (stopped())
    return;
  noteOpenSizes(L, Plan);
  Exits Out;
  bool Affordable = Plan.Trips && *Plan.Trips <= MaxTripsRun &&
                    Steps + (*Plan.Trips + 1) * Plan.BodySteps * 2 <
                        Budget.Steps - Budget.Steps / 4;
  // In a dry run only the shape matters, which the summary has too; run
  // through short loops for the exact values they leave behind.
  if (Dry)
    Affordable &= *Plan.Trips <= 8;
  if (Affordable) {
    const Loop *Around = Unfinished;
    if (!Dry && !Around)
      Unfinished = L;
    runThrough(L, A, Plan, Out);
    if (!stopped())
      Unfinished = Around;
  } else {
    summarise(L, A, Plan, Out);
  }
  leaveLoop(Outer, L, A.F, Out);
}

/// Every lane that entered leaves in the end: with one way out the path's
/// condition is again what it was before the loop.
void WarpRun::leaveLoop(RegionContext &Outer, const Loop *L, const Flow &Entry,
                        Exits &Out) {
  if (stopped())
    return;
  for (auto &[To, From] : Out) {
    Arrival A = merge(To, From);
    A.F.G = Entry.G;
    if (Out.size() == 1) {
      A.F.Lanes = Entry.Lanes;
    } else if (popcount(A.F.Lanes) && A.F.Lanes == Entry.Lanes) {
      A.F.G.push_back(Conds.opaque(true, -1));
      sort(A.F.G);
    }
    // Values are those at the exits; the phis of To are set already.
    route(Outer, To, std::move(A));
  }
}

/// One iteration of the loop \p Body is about, from the lanes at its header.
void WarpRun::runBody(RegionContext &Body, const Arrival &AtHeader) {
  const BasicBlock *Header = Body.L->getHeader();
  enter(Header, AtHeader);
  executeBlock(Header);
  if (!stopped())
    terminate(Body, Header);
  runRegion(Body);
}

void WarpRun::runThrough(const Loop *L, Arrival A, const LoopPlan &Plan,
                         Exits &Out) {
  const BasicBlock *Header = L->getHeader();
  const Guard EntryGuard = A.F.G;
  std::optional<Literal> StillIn;
  for (uint64_t Trip = 0; A.F.Lanes && !stopped(); ++Trip) {
    if (Trip > *Plan.Trips + 1) {
      // The plan was wrong about the end; the rest is summarised.
      LoopPlan Rest = planLoop(L, A);
      Rest.Trips.reset();
      return summarise(L, A, Rest, Out);
    }
    RegionContext Body;
    Body.L = L;
    runBody(Body, A);
    for (auto &[To, From] : Body.Leaving)
      for (Arrival &X : From)
        Out[To].push_back(std::move(X));
    if (Body.Latches.empty())
      return;
    A = merge(Header, Body.Latches);
    // Conditions met in this iteration become one: the lane is still in.
    Guard Extra;
    for (Literal X : A.F.G)
      if (!is_contained(EntryGuard, X) && !(StillIn && X == *StillIn))
        Extra.push_back(X);
    if (!Extra.empty()) {
      if (!StillIn) {
        bool Varying =
            any_of(Extra, [&](Literal X) { return Conds.isVarying(X); });
        bool Likely =
            all_of(Extra, [&](Literal X) { return Conds.likely(X) == 1; });
        StillIn = Conds.opaque(Varying, Likely ? 1 : -1);
        if (any_of(Extra, [&](Literal X) { return Conds.isLeaving(X); }))
          Conds.markLeaving(*StillIn);
      }
      A.F.G = EntryGuard;
      A.F.G.push_back(*StillIn);
      sort(A.F.G);
    }
  }
}

/// Goes through up to \p Places places, with the fewest and the most of \p
/// Trips, which rest on positions, that a lane of \p In makes there. True if
/// these were all places.
bool WarpRun::forEachPlace(
    const LaneInt &Trips, LaneMask In, unsigned Places,
    function_ref<void(int64_t Least, int64_t Most)> Visit) const {
  SmallVector<SymbolId, 8> Base;
  D.baseSymbols(Trips, Base);
  CounterWalk Walk = walkCounters(D, Base, Places);
  for (LaneDomain::Valuation &V : Walk.Values) {
    const Lanes At = D.evaluate(Trips, V);
    int64_t Least = INT64_MAX, Most = 0;
    for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
      if (In >> Lane & 1) {
        Least = std::min(Least, std::max<int64_t>(At[Lane], 0));
        Most = std::max(Most, At[Lane]);
      }
    Visit(std::min(Least, Most), Most);
  }
  return Walk.K == CounterWalk::Complete;
}

/// A bound of \p Trips, which rest on positions: their greatest value, where
/// these can be gone through.
int64_t WarpRun::mostTrips(const LaneInt &Trips, LaneMask In) const {
  const int64_t Bound = D.range(Trips, In).Hi;
  int64_t Greatest = 0;
  const bool All =
      forEachPlace(Trips, In, /*Places=*/4096, [&](int64_t, int64_t Most) {
        Greatest = std::max(Greatest, Most);
      });
  return All ? std::min(Greatest, Bound) : Bound;
}

/// Lanes leave a loop of \p Trips iterations, which rest on positions, so far
/// apart that the iterations without some of them count.
bool WarpRun::leaveApart(const LaneInt &Trips, LaneMask In) const {
  constexpr int64_t Few = 16; // one iteration in so many
  int64_t Partial = 0, All = 0;
  forEachPlace(Trips, In, /*Places=*/256, [&](int64_t Least, int64_t Most) {
    Most = std::min<int64_t>(Most, INT32_MAX);
    Partial += Most - std::min(Least, Most);
    All += Most;
  });
  return Partial * Few > All;
}

/// The condition under which a lane is in a loop's \p Iteration, where data
/// lets lanes leave one by one, or where how many iterations there are hangs on
/// the position: of the lane, or of its warp.
std::optional<Literal> WarpRun::stillIn(const LoopPlan &Plan,
                                        const LaneInt &Iteration,
                                        const Arrival &A) {
  if (any_of(Plan.Tests, [&](const ExitTest &T) {
        return D.anySymbol(
            T.Cond, [](const Symbol &S) { return S.isData() && S.Varying; });
      })) {
    Literal StillIn = Conds.opaque(/*Varying=*/true, -1);
    Conds.markLeaving(StillIn);
    return StillIn;
  }
  if (Plan.SymbolicTrips) {
    const LaneInt &Trips = *Plan.SymbolicTrips;
    if (Trips.isConstant() || !restsOnCounters(D, Trips) ||
        (!D.isUniform(Trips, A.F.Lanes) && !leaveApart(Trips, A.F.Lanes)))
      return std::nullopt;
    Literal StillIn = Conds.literal(
        D.isGE0(D.sub(Trips, D.add(Iteration, LaneInt::constant(1)))));
    Conds.markRound(StillIn);
    return StillIn;
  }
  if (none_of(Plan.Tests, [&](const ExitTest &T) {
        return !D.isUniform(T.Cond, A.F.Lanes) && restsOnCounters(D, T.Cond);
      }))
    return std::nullopt;
  return Conds.opaque(/*Varying=*/true, -1);
}

void WarpRun::summarise(const Loop *L, const Arrival &A, const LoopPlan &Plan,
                        Exits &Out) {
  const BasicBlock *Header = L->getHeader();
  Symbol It;
  It.Name = "i" + std::to_string(Fresh++);
  It.Origin = SymbolOrigin::Iteration;
  It.Lo = 0;
  std::optional<int64_t> MostTrips;
  if (Plan.Trips)
    It.Hi = std::max<int64_t>(int64_t(*Plan.Trips) - 1, 0);
  else if (Plan.SymbolicTrips && restsOnCounters(D, *Plan.SymbolicTrips))
    // A grid-stride loop over a known size.
    if (int64_t Most = mostTrips(*Plan.SymbolicTrips, A.F.Lanes);
        Most != INT64_MAX) {
      It.Hi = std::max<int64_t>(Most - 1, 0);
      MostTrips = Most;
    }
  SymbolId I = D.fresh(std::move(It));
  LaneInt Iteration = D[I].Hi == 0 ? LaneInt() : LaneInt::symbol(I);

  // What the body stores in local arrays is not known at its start.
  LocalMemory Before = Locals;
  Arrival At = A;
  size_t P = 0;
  auto SetPhis = [&] {
    P = 0;
    for (const PHINode &Phi : Header->phis()) {
      (void)Phi;
      for (size_t K = 0; K < Plan.Phis[P].size(); ++K)
        At.Phis[P][K] = valueAt(Plan.Phis[P][K], Iteration);
      ++P;
    }
  };
  SetPhis();
  // Some lanes have left when an iteration begins.
  if (std::optional<Literal> StillIn = stillIn(Plan, Iteration, A)) {
    At.F.G.push_back(*StillIn);
    sort(At.F.G);
  }
  auto RunSummary = [&](RegionContext &Body) {
    Body.L = L;
    Body.Summary = true;
    runBody(Body, At);
  };
  if (Shape.Slice.readsLocals()) {
    ++Dry;
    RegionContext Probe;
    RunSummary(Probe);
    --Dry;
    if (stopped())
      return;
    LocalMemory After = std::move(Locals);
    Locals = std::move(Before);
    Locals.forgetChanged(After);
  }
  double Outside = Weight;
  if (Plan.Trips)
    Weight *= double(std::max<uint64_t>(*Plan.Trips, 1));
  else // of the most there are anywhere; stillIn() says where they are
    Weight *=
        MostTrips ? double(std::max<int64_t>(*MostTrips, 1)) : UnknownTrips;
  RegionContext Body;
  RunSummary(Body);
  Weight = Outside;
  if (stopped())
    return;

  // Values that leave are those of the last iteration.
  LaneInt Last;
  if (Plan.SymbolicTrips) {
    Last = *Plan.SymbolicTrips;
  } else {
    bool Varying = any_of(Plan.Tests, [&](const ExitTest &T) {
      return !D.isUniform(T.Cond, A.F.Lanes);
    });
    Symbol End;
    End.Name = "trips" + std::to_string(Fresh++);
    End.Origin = SymbolOrigin::Recurrence;
    End.Varying = Varying;
    End.Lo = 0;
    if (Plan.Trips)
      End.Hi = int64_t(*Plan.Trips);
    Last = LaneInt::symbol(D.fresh(std::move(End)));
  }
  for (auto &[To, From] : Body.Leaving)
    for (Arrival &X : From) {
      for (Parts &Phi : X.Phis)
        for (LaneInt &V : Phi)
          V = D.substitute(V, I, Last);
      Out[To].push_back(std::move(X));
    }
}

} // namespace warplint
