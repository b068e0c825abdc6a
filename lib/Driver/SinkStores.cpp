//===- SinkStores.cpp - Stores that a loop only repeats -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A store to one place in every iteration, which nothing in the loop reads or
/// writes besides, is made once: nvcc's LICM keeps the value in a register and
/// stores it behind the loop. All lanes that entered meet there, where in the
/// loop they leave one by one. LLVM's promotion wants the loop turned round,
/// which ours are not (docs/lowering.md); what it does is done here.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace warplint {
namespace {

/// A thread's own memory is followed value by value; it stays in the loop.
bool isSeenByOthers(const StoreInst &Store) {
  constexpr unsigned Global = 1, Shared = 3;
  unsigned Space = Store.getPointerAddressSpace();
  return Space == Global || Space == Shared;
}

class Sink {
public:
  Sink(Loop &L, DominatorTree &DT, LoopInfo &LI, AAResults &AA)
      : L(L), DT(DT), LI(LI), AA(AA) {}

  bool run();

private:
  SmallVector<StoreInst *, 4> repeated() const;
  bool isInvariant(const Value *V) const;
  Value *atEntry(Value *V, IRBuilder<> &B);

  Loop &L;
  DominatorTree &DT;
  LoopInfo &LI;
  AAResults &AA;
  DenseMap<Value *, Value *> AtEntry;
};

/// The same in every iteration, as arithmetic of such that can be moved.
bool Sink::isInvariant(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return true;
  return isArithmetic(*I) &&
         all_of(I->operands(), [&](const Value *X) { return isInvariant(X); });
}

SmallVector<StoreInst *, 4> Sink::repeated() const {
  SmallVector<Instruction *, 16> Touching;
  SmallVector<StoreInst *, 4> Found;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (I.mayReadOrWriteMemory())
        Touching.push_back(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (Store && Store->isSimple() && isSeenByOthers(*Store) &&
          DT.dominates(B, L.getLoopLatch()) &&
          isInvariant(Store->getPointerOperand()))
        Found.push_back(Store);
    }
  erase_if(Found, [&](StoreInst *Store) {
    MemoryLocation Place = MemoryLocation::get(Store);
    return any_of(Touching, [&](Instruction *Other) {
      return Other != Store && isModOrRefSet(AA.getModRefInfo(Other, Place));
    });
  });
  return Found;
}

/// \p V as the first iteration begins; null where that cannot be computed
/// without going there.
Value *Sink::atEntry(Value *V, IRBuilder<> &B) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Known = AtEntry.lookup(V))
    return Known;
  if (auto *Phi = dyn_cast<PHINode>(I))
    return Phi->getParent() == L.getHeader()
               ? Phi->getIncomingValueForBlock(L.getLoopPreheader())
               : nullptr;
  if (I->getParent() != L.getHeader() || I->mayReadOrWriteMemory() ||
      !isSafeToSpeculativelyExecute(I))
    return nullptr;
  SmallVector<Value *, 4> Operands;
  for (Value *Operand : I->operands()) {
    Value *There = atEntry(Operand, B);
    if (!There)
      return nullptr;
    Operands.push_back(There);
  }
  Instruction *Copy = B.Insert(I->clone());
  Copy->dropLocation();
  for (auto [K, Operand] : enumerate(Operands))
    Copy->setOperand(unsigned(K), Operand);
  return AtEntry[V] = Copy;
}

bool Sink::run() {
  BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  BasicBlock *Exiting = L.getExitingBlock(), *Exit = L.getUniqueExitBlock();
  if (!Before || !Latch || !Exiting || !Exit ||
      (Exiting != Latch && Exiting != L.getHeader()))
    return false;
  auto *Test = dyn_cast<BranchInst>(Exiting->getTerminator());
  SmallVector<StoreInst *, 4> Stores = repeated();
  if (!Test || Stores.empty())
    return false;

  // Tested before the body, the loop may have no iteration.
  Value *Entered = nullptr;
  if (Exiting != Latch) {
    IRBuilder<> AtEnd(Before->getTerminator());
    Entered = atEntry(Test->getCondition(), AtEnd);
    if (!Entered)
      return false;
    if (!L.contains(Test->getSuccessor(0)))
      Entered = AtEnd.CreateNot(Entered);
  }
  BasicBlock *Behind = SplitEdge(Exiting, Exit, &DT, &LI);
  Instruction *Place = Behind->getTerminator();
  if (Entered) {
    DomTreeUpdater Updater(DT, DomTreeUpdater::UpdateStrategy::Eager);
    Place = SplitBlockAndInsertIfThen(Entered, Place->getIterator(),
                                      /*Unreachable=*/false,
                                      /*BranchWeights=*/nullptr, &Updater, &LI);
  }
  for (StoreInst *Store : Stores) {
    bool Changed = false;
    Instruction *Last = Before->getTerminator()->getPrevNode();
    L.makeLoopInvariant(Store->getPointerOperand(), Changed,
                        Before->getTerminator());
    for (Instruction &I :
         make_range(Last ? std::next(Last->getIterator()) : Before->begin(),
                    Before->getTerminator()->getIterator()))
      I.dropLocation();
    if (Entered) {
      auto *Value = PHINode::Create(Store->getValueOperand()->getType(), 2,
                                    "stored", L.getHeader()->begin());
      Value->addIncoming(PoisonValue::get(Value->getType()), Before);
      Value->addIncoming(Store->getValueOperand(), Latch);
      Store->setOperand(0, Value);
    }
    Store->moveBefore(Place->getIterator());
  }
  return true;
}

} // namespace

PreservedAnalyses SinkStoresPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  auto &AA = AM.getResult<AAManager>(F);
  bool Changed = false;
  // Inner loops first: what leaves one may leave the next.
  SmallVector<Loop *, 4> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops))
    Changed |= Sink(*L, DT, LI, AA).run();
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace warplint
