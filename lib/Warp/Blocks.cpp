//===- Blocks.cpp - Blocks in order, branches, lanes meeting again -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace warplint {

/// The pending block that comes first in reverse post-order runs next. All
/// forward edges into it come from blocks before it, so every lane that can
/// still arrive in this iteration has arrived: lanes meet again as early as
/// they can, after returns and breaks inside branches too.
void WarpRun::runRegion(RegionContext &R) {
  while (!R.Work.empty() && !stopped()) {
    auto First = R.Work.begin();
    const BasicBlock *B = Shape.Blocks[First->first];
    SmallVector<Arrival, 2> From = std::move(First->second);
    R.Work.erase(First);
    const Loop *L = Shape.LI.getLoopFor(B);
    if (L != R.L && L->getHeader() == B) {
      runLoop(R, L, From);
      continue;
    }
    Arrival A = merge(B, From);
    if (!A.F.Lanes)
      continue;
    enter(B, A);
    executeBlock(B);
    if (!stopped())
      terminate(R, B);
  }
}

/// How the values of each arrival join those of the ones before it.
std::vector<WarpRun::Choice> WarpRun::choose(ArrayRef<Arrival> From,
                                             const Guard &Common) {
  // What parts an arrival from the others.
  std::vector<Guard> Own;
  for (const Arrival &A : From) {
    Own.push_back(A.F.G);
    erase_if(Own.back(), [&](Literal L) { return is_contained(Common, L); });
    D.charge(1 + A.F.G.size() * Common.size() / 16);
  }
  // An arrival that is unlikely where others are likely: the border of the
  // grid, which does not speak for the warps inside.
  auto Rank = [&](const Guard &G) {
    int R = 1;
    for (Literal L : G)
      R = std::min(R, Conds.likely(L) == 0 ? -1 : std::max(Conds.likely(L), 0));
    return R;
  };
  bool Varying = false;
  SmallSetVector<SymbolId, 8> Assumed;
  auto Add = [&](const Guard &G) {
    for (Literal L : G) {
      Varying |= Conds.isVarying(L);
      for (const Term &T : Conds.value(L.Condition).terms())
        Assumed.insert(T.M.begin(), T.M.end());
    }
  };
  std::vector<Choice> Choices(From.size());
  LaneMask Have = From[0].F.Lanes;
  int OldRank = Rank(Own[0]);
  Add(Own[0]);
  for (size_t I = 1; I < From.size(); ++I) {
    Choice &C = Choices[I];
    C.Overlap = Have & From[I].F.Lanes;
    Have |= From[I].F.Lanes;
    int NewRank = Rank(Own[I]);
    Add(Own[I]);
    C.TakeOld = NewRank < 0 && OldRank >= 0;
    C.TakeNew = OldRank < 0 && NewRank >= 0;
    OldRank = std::max(OldRank, NewRank);
    if (!C.Overlap)
      continue;
    if (C.TakeOld || C.TakeNew) {
      C.Assumed.assign(Assumed.begin(), Assumed.end());
      continue;
    }
    // The literal on which the two part, if there is one.
    std::optional<Literal> Parting;
    if (From.size() == 2)
      for (Literal L : From[1].F.G)
        if (is_contained(From[0].F.G, Literal{L.Condition, !L.Holds}))
          Parting = L;
    if (Parting)
      C.Selector = Conds.value(*Parting);
    else if (std::optional<LaneInt> OnNew = Conds.allOf(Own[I]))
      C.Selector = *OnNew;
    else
      C.Selector = Conds.value(Conds.opaque(Varying, -1));
  }
  return Choices;
}

Arrival WarpRun::merge(const BasicBlock *B, ArrayRef<Arrival> From) {
  // Where all paths meet again nothing of what parted them is left.
  const BasicBlock *Opener = Shape.OpenedBy.lookup(B);
  auto Before = FlowAt.find(Opener);
  const bool Opened = Opener && Before != FlowAt.end();
  if (From.size() == 1) {
    Arrival Only = From[0];
    if (Opened)
      Only.F.G = Before->second.G;
    return Only;
  }
  Arrival Sum;
  Sum.From = From[0].From;
  SmallVector<Guard, 4> Guards;
  for (const Arrival &A : From) {
    Sum.F.Lanes |= A.F.Lanes;
    Guards.push_back(A.F.G);
  }
  Sum.F.G = Opened ? Before->second.G : Conds.join(Guards);

  const std::vector<Choice> Choices = choose(From, Sum.F.G);
  size_t NumPhis = From[0].Phis.size();
  Sum.Phis.resize(NumPhis);
  for (size_t P = 0; P < NumPhis; ++P) {
    for (size_t Part = 0; Part < From[0].Phis[P].size(); ++Part) {
      LaneInt V = From[0].Phis[P][Part];
      LaneMask Have = From[0].F.Lanes;
      for (size_t I = 1; I < From.size(); ++I) {
        const LaneInt &New = From[I].Phis[P][Part];
        const Choice &C = Choices[I];
        LaneMask OnlyNew = From[I].F.Lanes & ~Have;
        Have |= From[I].F.Lanes;
        if (New == V) {
          V = V.withAssumed(New.assumed());
          continue;
        }
        LaneInt Both = V;
        if (C.Overlap && !C.TakeOld)
          Both = C.TakeNew ? New : D.add(V, D.mul(C.Selector, D.sub(New, V)));
        LaneInt Joined = D.blend(C.Overlap, Both, V);
        V = D.blend(OnlyNew, New, Joined);
        if (C.Overlap && (C.TakeOld || C.TakeNew))
          V = V.withAssumed(C.Assumed);
        V = D.shorten(V);
      }
      Sum.Phis[P].push_back(V);
    }
  }
  return Sum;
}

void WarpRun::enter(const BasicBlock *B, const Arrival &A) {
  Now = A.F;
  FlowAt[B] = Now;
  size_t I = 0;
  for (const PHINode &Phi : B->phis())
    Registers[&Phi] = A.Phis[I++];
}

void WarpRun::deliver(RegionContext &R, const BasicBlock *From,
                      const BasicBlock *To, Flow F) {
  if (!F.Lanes)
    return;
  Arrival A;
  A.From = From;
  A.F = std::move(F);
  for (const PHINode &Phi : To->phis())
    A.Phis.push_back(matters(Phi) ? get(Phi.getIncomingValueForBlock(From))
                                  : Parts{Ignored});
  route(R, To, std::move(A));
}

/// Where an arrival at \p To waits: for the next iteration, outside the loop,
/// or for its turn in the region.
void WarpRun::route(RegionContext &R, const BasicBlock *To, Arrival A) {
  if (R.L && To == R.L->getHeader())
    R.Latches.push_back(std::move(A));
  else if (R.L && !R.L->contains(To))
    R.Leaving[To].push_back(std::move(A));
  else
    R.Work[Shape.Order.lookup(To)].push_back(std::move(A));
}

bool WarpRun::outOfWork() {
  if (D.work() <= Budget.Work)
    return false;
  Stopped = "the budget ran out";
  return true;
}

void WarpRun::executeBlock(const BasicBlock *B) {
  if (!Dry)
    Issued += Weight * double(B->size() - 1);
  for (const Instruction &I : *B) {
    if (isa<PHINode>(I) || I.isTerminator() || !Shape.Slice.executes(I))
      continue;
    ++Steps;
    D.charge(2);
    if (outOfWork())
      return;
    execute(I);
    if (stopped())
      return;
    if (auto At = Registers.find(&I); At != Registers.end())
      for (LaneInt &V : At->second)
        V = D.shorten(V);
  }
}

/// A symbolic warp cannot decide `threadIdx.x < 64`: then each warp of the
/// block runs by itself.
void WarpRun::noteUndecided(const LaneInt &Cond, LaneMask Lanes) {
  if (Lanes & ~(D.knownTrue(Cond) | D.knownFalse(Cond)))
    noteWarpDependence(Cond);
}

void WarpRun::noteWarpDependence(const LaneInt &A) {
  if (Warp)
    return;
  bool WarpOnly = !A.isConstant(), AnyWarp = false;
  SmallVector<SymbolId, 4> Base;
  D.baseSymbols(A, Base);
  for (SymbolId S : Base) {
    AnyWarp |= D[S].Origin == SymbolOrigin::WarpIndex;
    WarpOnly &= D[S].Origin == SymbolOrigin::WarpIndex;
  }
  EachWarp |= WarpOnly && AnyWarp;
}

bool WarpRun::restsOnData(const LaneInt &A) const {
  return D.anySymbol(A, [](const Symbol &S) { return S.isData(); });
}

/// Differs between the threads of the launch.
bool WarpRun::restsOnPosition(const LaneInt &A) const {
  return !D.isUniform(A) ||
         D.anySymbol(A, [](const Symbol &S) { return S.isCounter(); });
}

/// A bounds check has its work on one side and nothing (a return) on the
/// other; which of `i >= start` and `i >= n` it is only that tells.
void WarpRun::settleByShape(const BasicBlock *B, Literal L, const LaneInt &Cond,
                            const BasicBlock *True, const BasicBlock *False) {
  // A flag for the whole launch has no inside.
  if (restsOnData(Cond) || (Conds.likely(L) < 0 && !restsOnPosition(Cond)))
    return;
  // How many of known positions are on which side is known, too.
  if (restsOnCounters(D, Cond) && !D.anySymbol(Cond, [](const Symbol &S) {
        return S.Op == LaneOp::None && S.Hi == INT64_MAX;
      }))
    return;
  // Equality with one position stays the exception it is.
  for (const Term &T : Cond.terms())
    for (SymbolId S : T.M)
      if (D[S].Op != LaneOp::IsGE0)
        return;
  bool InTrue = Shape.hasAccesses(B, True),
       InFalse = Shape.hasAccesses(B, False);
  if (InTrue != InFalse)
    Conds.settle({L.Condition, InTrue == L.Holds});
}

void WarpRun::branchOn(RegionContext &R, const BasicBlock *B,
                       const LaneInt &Cond, const BasicBlock *True,
                       const BasicBlock *False) {
  LaneMask T = D.knownTrue(Cond) & Now.Lanes;
  LaneMask F = D.knownFalse(Cond) & Now.Lanes;
  LaneMask U = Now.Lanes & ~(T | F);
  Flow FT = Now, FF = Now;
  bool TrueLeaves = R.L && !R.L->contains(True);
  bool FalseLeaves = R.L && !R.L->contains(False);
  if (U) {
    noteUndecided(Cond, U);
    if (EachWarp)
      return;
    Literal L = Conds.literal(Cond);
    Literal Opposite{L.Condition, !L.Holds};
    // A bound that is loaded once for all lanes is a bound like any other.
    if (TrueLeaves != FalseLeaves && D.anySymbol(Cond, [](const Symbol &S) {
          return S.isData() && S.Varying;
        }))
      Conds.markLeaving(L);
    if (is_contained(Now.G, L)) {
      T |= U;
    } else if (is_contained(Now.G, Opposite)) {
      F |= U;
    } else {
      settleByShape(B, L, Cond, True, False);
      T |= U;
      F |= U;
      // An assertion that fails ends the program: those that go on are all.
      if (!Shape.dies(False))
        FT.G.push_back(L);
      if (!Shape.dies(True))
        FF.G.push_back(Opposite);
      sort(FT.G);
      sort(FF.G);
    }
  }
  if (TrueLeaves != FalseLeaves) {
    if (R.Tests)
      // A loop of one block tests at its end.
      R.Tests->push_back(
          {Cond, TrueLeaves, B == R.L->getHeader() && !R.L->isLoopLatch(B)});
    // The one symbolic iteration stands for all: lanes go on, and lanes leave.
    // That this iteration happens is no condition, unless data decides it lane
    // by lane.
    if (R.Summary) {
      (TrueLeaves ? FT : FF) = Now;
      (TrueLeaves ? T : F) = Now.Lanes;
      if (D.isUniform(Cond, Now.Lanes) || !restsOnData(Cond))
        (TrueLeaves ? FF : FT).G = Now.G;
    }
  }
  FT.Lanes = T;
  FF.Lanes = F;
  deliver(R, B, True, std::move(FT));
  deliver(R, B, False, std::move(FF));
}

void WarpRun::terminate(RegionContext &R, const BasicBlock *B) {
  const Instruction *Term = B->getTerminator();
  ++Steps;
  if (const auto *Br = dyn_cast<BranchInst>(Term)) {
    if (Br->isUnconditional() || Br->getSuccessor(0) == Br->getSuccessor(1))
      return deliver(R, B, Br->getSuccessor(0), Now);
    return branchOn(R, B, scalar(Br->getCondition()), Br->getSuccessor(0),
                    Br->getSuccessor(1));
  }
  if (const auto *Switch = dyn_cast<SwitchInst>(Term)) {
    LaneInt X = scalar(Switch->getCondition());
    Flow Rest = Now;
    for (auto Case : Switch->cases()) {
      if (!Rest.Lanes)
        return;
      LaneInt Is = D.isEQ0(
          D.sub(X, LaneInt::constant(Case.getCaseValue()->getSExtValue())));
      LaneMask T = D.knownTrue(Is) & Rest.Lanes;
      LaneMask F = D.knownFalse(Is) & Rest.Lanes;
      LaneMask U = Rest.Lanes & ~(T | F);
      Flow Taken = Rest;
      if (U) {
        noteUndecided(Is, U);
        if (EachWarp)
          return;
        Literal L = Conds.literal(Is);
        Taken.G.push_back(L);
        Rest.G.push_back({L.Condition, !L.Holds});
        sort(Taken.G);
        sort(Rest.G);
      }
      Taken.Lanes = T | U;
      Rest.Lanes = F | U;
      deliver(R, B, Case.getCaseSuccessor(), std::move(Taken));
    }
    deliver(R, B, Switch->getDefaultDest(), std::move(Rest));
    return;
  }
  // ret, unreachable: the lanes are done. Anything else does not occur in
  // device code; its successors run so that no access is lost.
  for (const BasicBlock *S : successors(B))
    deliver(R, B, S, Now);
}

} // namespace warplint
