//===- HoistLoads.cpp - Loads that a loop does not change ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/MemorySSAUpdater.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warplint {

/// LLVM's LICM would do the same after it had turned every loop round, so that
/// its body is known to run, and would lose the place of what it moves. Nothing
/// here is executed, so a load may stand before a loop that does not run.
static bool runsFirst(const LoadInst &I, const Loop &L,
                      const DominatorTree &DT) {
  const BasicBlock *B = I.getParent();
  SmallVector<BasicBlock *, 4> Latches, Leaving;
  L.getLoopLatches(Latches);
  L.getExitingBlocks(Leaving);
  for (const BasicBlock *Latch : Latches)
    if (!DT.dominates(B, Latch))
      return false;
  // ... before anything ends the iteration, but the loop's own test.
  for (const BasicBlock *E : Leaving)
    if (E != L.getHeader() && !DT.dominates(B, E))
      return false;
  return true;
}

/// Lanes that do not enter the loop would take part in a load before it: all
/// must enter, or none.
static bool allEnter(const Loop &L, const UniformityInfo &UI) {
  const auto *Br = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  return Br && (!Br->isConditional() || !L.isLoopExiting(L.getHeader()) ||
                L.isLoopLatch(L.getHeader()) ||
                UI.isUniform(Br->getCondition()));
}

static bool isUnchanged(LoadInst &I, const Loop &L, MemorySSA &MSSA) {
  MemoryUseOrDef *Use = MSSA.getMemoryAccess(&I);
  if (!Use)
    return false;
  MemoryAccess *Clobber = MSSA.getWalker()->getClobberingMemoryAccess(Use);
  return MSSA.isLiveOnEntryDef(Clobber) || !L.contains(Clobber->getBlock());
}

PreservedAnalyses HoistLoadsPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return PreservedAnalyses::all();
  DominatorTree &DT = AM.getResult<DominatorTreeAnalysis>(F);
  MemorySSA &MSSA = AM.getResult<MemorySSAAnalysis>(F).getMSSA();
  const UniformityInfo &UI = AM.getResult<UniformityInfoAnalysis>(F);
  MemorySSAUpdater Updater(&MSSA);
  bool Changed = false;
  // Inner loops first: what leaves one may leave the next.
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) {
    BasicBlock *Before = L->getLoopPreheader();
    if (!Before || !allEnter(*L, UI))
      continue;
    SmallVector<LoadInst *, 16> Loads;
    for (BasicBlock *B : L->blocks())
      for (Instruction &I : *B)
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple())
          Loads.push_back(Load);
    for (LoadInst *Load : Loads) {
      if (!runsFirst(*Load, *L, DT) || !isUnchanged(*Load, *L, MSSA))
        continue;
      bool Moved = false;
      Instruction *End = Before->getTerminator();
      if (!L->makeLoopInvariant(Load->getPointerOperand(), Moved, End,
                                &Updater))
        continue;
      Load->moveBefore(End->getIterator());
      Updater.moveToPlace(MSSA.getMemoryAccess(Load), Before,
                          MemorySSA::BeforeTerminator);
      Changed = true;
    }
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
