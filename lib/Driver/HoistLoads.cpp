//===- HoistLoads.cpp - Loads that a loop does not change ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM's LICM would hoist the same loads once it had turned every loop round,
/// so that its body is known to run. Nothing here is executed, so a load may
/// stand before a loop that does not run.
///
/// nvcc does it in two passes, which differ in the line that the load gets. A
/// load that GVN's PRE puts before the loop keeps its line. What LICM moves
/// loses its place, and stands on the line that HoistedLines finds.
///
//===----------------------------------------------------------------------===//

#include "HoistedLines.h"
#include "PrepareSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/MemorySSAUpdater.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace warplint {

bool isArithmetic(const Instruction &I) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst>(I) &&
         isSafeToSpeculativelyExecute(&I);
}

namespace {

bool runsFirst(const LoadInst &I, const Loop &L, const DominatorTree &DT) {
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

/// Of a loop that runs once nothing is left but its body.
bool runsOnce(const Loop &L, ScalarEvolution &SE) {
  const auto *Times = dyn_cast<SCEVConstant>(SE.getBackedgeTakenCount(&L));
  return Times && L.getExitingBlock() == L.getHeader() &&
         Times->getAPInt().ule(1) && !L.isLoopLatch(L.getHeader());
}

/// Lanes that do not enter the loop would take part in a load before it: all
/// must enter, or none.
bool allEnter(const Loop &L, const UniformityInfo &UI) {
  const auto *Br = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  return Br && (!Br->isConditional() || !L.isLoopExiting(L.getHeader()) ||
                L.isLoopLatch(L.getHeader()) ||
                UI.isUniform(Br->getCondition()));
}

bool isUnchanged(LoadInst &I, const Loop &L, MemorySSA &MSSA) {
  MemoryUseOrDef *Use = MSSA.getMemoryAccess(&I);
  if (!Use)
    return false;
  MemoryAccess *Clobber = MSSA.getWalker()->getClobberingMemoryAccess(Use);
  return MSSA.isLiveOnEntryDef(Clobber) || !L.contains(Clobber->getBlock());
}

/// Metadata of arithmetic that LICM moves before loops are unrolled: how many
/// loops are around it then. It is not moved here, nor needs to be.
constexpr StringLiteral DepthMetadata = "warplint.depth";

/// The loops around \p V once what they do not change stands before them.
unsigned depthOf(const Value *V, const LoopInfo &LI,
                 DenseMap<const Value *, unsigned> &Known) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return 0;
  if (auto At = Known.find(V); At != Known.end())
    return At->second;
  unsigned Depth = LI.getLoopDepth(I->getParent());
  if (Depth && isArithmetic(*I)) {
    unsigned Deepest = 0;
    for (const Value *Operand : I->operands())
      Deepest = std::max(Deepest, depthOf(Operand, LI, Known));
    Depth = std::min(Depth, Deepest);
  }
  return Known[V] = Depth;
}

/// GVN looks for a load's address before the loop as it stands: through casts
/// and subscripts, but not through arithmetic that LICM is yet to move.
bool isKnownBefore(const Value *Address, const Loop &L) {
  const auto *I = dyn_cast<Instruction>(Address);
  if (!I || !L.contains(I))
    return true;
  if (const MDNode *Depth = I->getMetadata(DepthMetadata))
    if (mdconst::extract<ConstantInt>(Depth->getOperand(0))->getZExtValue() <
        L.getLoopDepth())
      return true;
  return isa<CastInst, GetElementPtrInst>(I) &&
         all_of(I->operands(),
                [&](const Value *V) { return isKnownBefore(V, L); });
}

/// ... and nothing may branch between the loop's begin, once it is turned
/// round, and the load.
bool beginsBody(const BasicBlock *B, const Loop &L) {
  const BasicBlock *Header = L.getHeader();
  for (; B != Header; B = B->getSinglePredecessor()) {
    const BasicBlock *Before = B->getSinglePredecessor();
    if (!Before)
      return false;
    if (Before != Header && !Before->getSingleSuccessor())
      return false;
  }
  return true;
}

/// The depths of what \p Address is computed from in \p L: what is moved loses
/// its metadata.
SmallVector<std::pair<Instruction *, MDNode *>, 8> depthsIn(Value *Address,
                                                            const Loop &L) {
  SmallVector<std::pair<Instruction *, MDNode *>, 8> Depths;
  SmallVector<Value *, 8> Left = {Address};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Left.empty()) {
    auto *I = dyn_cast<Instruction>(Left.pop_back_val());
    if (!I || !L.contains(I) || !isArithmetic(*I) || !Seen.insert(I).second)
      continue;
    if (MDNode *Depth = I->getMetadata(DepthMetadata))
      Depths.push_back({I, Depth});
    Left.append(I->op_begin(), I->op_end());
  }
  return Depths;
}

/// The loops of a function, and what of them is moved before them.
class Hoist {
public:
  Hoist(Function &F, FunctionAnalysisManager &AM)
      : F(F), LI(AM.getResult<LoopAnalysis>(F)),
        DT(AM.getResult<DominatorTreeAnalysis>(F)),
        SE(AM.getResult<ScalarEvolutionAnalysis>(F)),
        UI(AM.getResult<UniformityInfoAnalysis>(F)),
        MSSA(AM.getResult<MemorySSAAnalysis>(F).getMSSA()), Updater(&MSSA) {
    // Inner loops first: what leaves one may leave the next.
    Loops = LI.getLoopsInPreorder();
    std::reverse(Loops.begin(), Loops.end());
  }

  void noteDepths();
  void eliminatePartly();
  void moveInvariant();
  bool changed() const { return Changed; }

private:
  SmallVector<LoadInst *, 16> loadsOf(const Loop &L) const;
  bool move(LoadInst &Load, Loop &L);
  bool canMove(const Value &Address, const Loop &L);

  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  const UniformityInfo &UI;
  MemorySSA &MSSA;
  MemorySSAUpdater Updater;
  SmallVector<Loop *, 8> Loops;
  SmallPtrSet<const Instruction *, 32> Moved;
  bool Changed = false;
};

SmallVector<LoadInst *, 16> Hoist::loadsOf(const Loop &L) const {
  SmallVector<LoadInst *, 16> Loads;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && Load->isSimple() &&
                                               runsFirst(*Load, L, DT) &&
                                               isUnchanged(*Load, L, MSSA))
        Loads.push_back(Load);
  return Loads;
}

bool Hoist::move(LoadInst &Load, Loop &L) {
  BasicBlock *Before = L.getLoopPreheader();
  Instruction *End = Before->getTerminator();
  // What the address takes along.
  Instruction *Last = End->getPrevNode();
  auto Depths = depthsIn(Load.getPointerOperand(), L);
  bool Any = false;
  bool All = L.makeLoopInvariant(Load.getPointerOperand(), Any, End, &Updater);
  for (auto [I, Depth] : Depths)
    I->setMetadata(DepthMetadata, Depth);
  for (Instruction &I :
       make_range(Last ? std::next(Last->getIterator()) : Before->begin(),
                  End->getIterator())) {
    I.dropLocation();
    Moved.insert(&I);
  }
  Changed |= Any;
  if (!All)
    return false;
  Load.moveBefore(End->getIterator());
  Updater.moveToPlace(MSSA.getMemoryAccess(&Load), Before,
                      MemorySSA::BeforeTerminator);
  noteHoisted(Load);
  Moved.insert(&Load);
  Changed = true;
  return true;
}

/// True if nvcc would compute \p Address before \p L, which not all lanes
/// enter; it is added to Moved then, but stays.
bool Hoist::canMove(const Value &Address, const Loop &L) {
  const auto *I = dyn_cast<Instruction>(&Address);
  if (!I || !L.contains(I) || Moved.contains(I))
    return true;
  if (!isArithmetic(*I) ||
      !all_of(I->operands(), [&](const Value *V) { return canMove(*V, L); }))
    return false;
  Moved.insert(I);
  return true;
}

void Hoist::noteDepths() {
  DenseMap<const Value *, unsigned> Known;
  LLVMContext &C = F.getContext();
  for (Instruction &I : instructions(F))
    if (isArithmetic(I))
      if (unsigned Depth = depthOf(&I, LI, Known);
          Depth < LI.getLoopDepth(I.getParent()))
        I.setMetadata(DepthMetadata,
                      MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(
                                         Type::getInt32Ty(C), Depth))));
}

void Hoist::eliminatePartly() {
  for (Loop *L : Loops) {
    if (!L->getLoopPreheader() || !allEnter(*L, UI))
      continue;
    for (LoadInst *Load : loadsOf(*L))
      if (beginsBody(Load->getParent(), *L) &&
          isKnownBefore(Load->getPointerOperand(), *L))
        move(*Load, *L);
  }
}

void Hoist::moveInvariant() {
  for (Loop *L : Loops) {
    if (!L->getLoopPreheader() || runsOnce(*L, SE))
      continue;
    HoistedLines Lines(*L, SE, Moved);
    bool All = allEnter(*L, UI);
    SmallVector<LoadInst *, 16> Placeless;
    for (LoadInst *Load : loadsOf(*L))
      if (All ? move(*Load, *L) : canMove(*Load->getPointerOperand(), *L)) {
        Moved.insert(Load);
        Placeless.push_back(Load);
      }
    for (LoadInst *Load : Placeless)
      Lines.place(*Load);
  }
}

} // namespace

PreservedAnalyses HoistLoadsPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  if (AM.getResult<LoopAnalysis>(F).empty())
    return PreservedAnalyses::all();
  Hoist H(F, AM);
  if (At == BeforeUnrolling)
    H.noteDepths();
  if (At == Unrolled)
    H.eliminatePartly();
  else
    H.moveInvariant();
  if (!H.changed())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
