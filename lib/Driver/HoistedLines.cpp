//===- HoistedLines.cpp - The line of a load that lost its own -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistedLines.h"
#include "TableLines.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warplint {

static constexpr StringLiteral FirstStatement = "warplint.first";
/// Of a load that was moved.
static constexpr StringLiteral Hoisted = "warplint.hoisted";
/// Of a load that has lost its place by it, until it gets another.
static constexpr StringLiteral Placeless = "warplint.placeless";

void noteFirstStatement(Function &Kernel) {
  for (const Instruction &I : Kernel.getEntryBlock())
    if (const DILocation *Place = I.getDebugLoc();
        Place && !isa<AllocaInst>(I)) {
      while (Place->getInlinedAt())
        Place = Place->getInlinedAt();
      Kernel.setMetadata(FirstStatement,
                         asTableLine(Kernel.getContext(), Place));
      return;
    }
}

static MDNode *firstStatementOf(const Function &Kernel) {
  return Kernel.getMetadata(FirstStatement);
}

static MDNode *lineAt(const Instruction &I) {
  return asTableLine(I.getContext(), I.getDebugLoc());
}

/// The line that goes on at \p I in its block, or null.
static MDNode *lineBefore(const Instruction &I) {
  for (const Instruction *B = I.getPrevNode(); B; B = B->getPrevNode()) {
    if (MDNode *Line = tableLineOf(*B))
      return Line;
    if (B->getDebugLoc() && B->getDebugLoc().getLine() && !leavesNothing(*B) &&
        !B->hasMetadata(Placeless))
      return lineAt(*B);
  }
  return nullptr;
}

/// The value at the loop's first test.
static const SCEV *atEntry(Value *V, const Loop &L, ScalarEvolution &SE) {
  const SCEV *S = SE.getSCEV(V);
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
      Rec && Rec->getLoop() == &L)
    return Rec->getStart();
  return S;
}

/// nvcc turns a loop round: it tests once before it, unless that is known to
/// succeed. A test that an outer loop does not change is made before that one.
static const BranchInst *guardOf(const Loop &L, ScalarEvolution &SE) {
  const BasicBlock *Header = L.getHeader();
  const auto *Br = dyn_cast<BranchInst>(Header->getTerminator());
  if (!Br || !Br->isConditional() || !L.isLoopExiting(Header) ||
      L.isLoopLatch(Header))
    return nullptr;
  auto *Test = dyn_cast<ICmpInst>(Br->getCondition());
  if (!Test)
    return Br;
  const SCEV *Left = atEntry(Test->getOperand(0), L, SE);
  const SCEV *Right = atEntry(Test->getOperand(1), L, SE);
  if (!SE.isLoopInvariant(Left, &L) || !SE.isLoopInvariant(Right, &L))
    return Br;
  CmpPredicate Stays = L.contains(Br->getSuccessor(0))
                           ? Test->getCmpPredicate()
                           : Test->getInverseCmpPredicate();
  if (SE.isLoopEntryGuardedByCond(&L, Stays, Left, Right))
    return nullptr;
  const Loop *Outer = L.getParentLoop();
  return Outer && SE.isLoopInvariant(Left, Outer) &&
                 SE.isLoopInvariant(Right, Outer)
             ? nullptr
             : Br;
}

HoistedLines::HoistedLines(const Loop &L, ScalarEvolution &SE,
                           const SmallPtrSetImpl<const Instruction *> &Moved)
    : Before(*L.getLoopPreheader()), Moved(Moved), Nested(L.getParentLoop()) {
  if (const BranchInst *Br = guardOf(L, SE))
    Guard = lineAt(*Br);
}

/// True if \p Pointer is there for what was moved alone.
bool HoistedLines::isForMoved(const Value &Pointer) const {
  return all_of(Pointer.users(), [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    return Moved.contains(I) &&
           (isa<LoadInst>(I) ||
            (isa<GetElementPtrInst, CastInst>(I) && isForMoved(*I)));
  });
}

/// What is computed before the test for a load behind it alone, goes behind the
/// test too, with its line: the index, or the pointer that is an argument.
MDNode *HoistedLines::sunkWith(const LoadInst &Load) const {
  const Instruction *Index = nullptr;
  const AddrSpaceCastInst *Base = nullptr;
  SmallVector<const Value *, 8> Left = {Load.getPointerOperand()};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Left.empty()) {
    const auto *I = dyn_cast<Instruction>(Left.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (const auto *Cast = dyn_cast<AddrSpaceCastInst>(I);
        Cast && isa<Argument>(Cast->getPointerOperand())) {
      Base = Cast;
    } else if (Moved.contains(I) && !isa<LoadInst>(I)) {
      Left.append(I->op_begin(), I->op_end());
    } else if (I->getParent() == &Before && I->hasOneUse() &&
               isSafeToSpeculativelyExecute(I) && I->getDebugLoc() &&
               (!Index || Index->comesBefore(I))) {
      Index = I;
    }
  }
  if (Index)
    return lineAt(*Index);
  // nvcc makes a global pointer of the argument where the kernel begins, and
  // nothing goes into a loop.
  return Base && !Nested && isForMoved(*Base)
             ? firstStatementOf(*Load.getFunction())
             : nullptr;
}

MDNode *HoistedLines::lineOf(const LoadInst &Load) const {
  const Instruction *I =
      Load.getParent() == &Before ? &Load : Before.getTerminator();
  if (!Guard)
    return lineBefore(*I);
  if (MDNode *Line = sunkWith(Load))
    return Line;
  // Behind a test stands only what was moved there, now or earlier.
  while ((I = I->getPrevNode()) &&
         (Moved.contains(I) || !I->getDebugLoc() || I->hasMetadata(Hoisted))) {
    if (MDNode *Line = tableLineOf(*I))
      return Line;
    if (I->getDebugLoc() && !leavesNothing(*I))
      return lineAt(*I);
  }
  return Guard;
}

void noteHoisted(LoadInst &Load) {
  setTableLine(Load, nullptr);
  Load.setMetadata(Hoisted, MDNode::get(Load.getContext(), {}));
}

void HoistedLines::place(LoadInst &Load) const {
  if (!Guard && Load.getParent() == &Before) {
    // What stands before it in the end is not known yet.
    Load.setMetadata(Placeless, MDNode::get(Load.getContext(), {}));
    return;
  }
  MDNode *Line = lineOf(Load);
  setTableLine(Load, Line ? Line : asTableLine(Load.getContext(), nullptr));
}

static MDNode *finalLineOf(const LoadInst &Load) {
  if (MDNode *Line = lineBefore(Load))
    return Line;
  // The first in its block goes to its first user.
  const BasicBlock &B = *Load.getParent();
  const Instruction *First = nullptr;
  for (const User *U : Load.users())
    if (const auto *I = cast<Instruction>(U); I->getParent() == &B &&
                                              !isa<PHINode>(I) &&
                                              (!First || I->comesBefore(First)))
      First = I;
  if (First)
    return lineBefore(*First);
  if (const BasicBlock *Last = B.getSinglePredecessor())
    return lineAt(*Last->getTerminator());
  return B.isEntryBlock() ? firstStatementOf(*Load.getFunction()) : nullptr;
}

void placeTheRest(Function &F) {
  SmallVector<std::pair<LoadInst *, MDNode *>, 16> Lines;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I);
        Load && Load->hasMetadata(Placeless))
      Lines.push_back({Load, finalLineOf(*Load)});
  for (auto [Load, Line] : Lines) {
    Load->setMetadata(Placeless, nullptr);
    setTableLine(*Load, Line ? Line : asTableLine(F.getContext(), nullptr));
  }
}

} // namespace warplint
