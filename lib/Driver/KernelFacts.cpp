//===- KernelFacts.cpp - What nvcc knows and clang's IR does not say ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace warplint {
void setLoadStoreAlignment(Instruction &I, Align To) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setAlignment(To);
  else
    cast<StoreInst>(I).setAlignment(To);
}

namespace {

bool isGenericPointer(const Type *T) {
  return T->isPointerTy() &&
         T->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GENERIC;
}

/// Has the users of \p Pointer see a pointer to global memory; \p B stands
/// after its definition.
void markGlobal(Value &Pointer, IRBuilder<> &B) {
  if (Pointer.use_empty())
    return;
  Type *Global = B.getPtrTy(NVPTXAS::ADDRESS_SPACE_GLOBAL);
  Value *AsGlobal = B.CreateAddrSpaceCast(&Pointer, Global);
  Value *Generic = B.CreateAddrSpaceCast(AsGlobal, Pointer.getType());
  Pointer.replaceUsesWithIf(Generic,
                            [&](Use &U) { return U.getUser() != AsGlobal; });
}

/// The members of a packed record lie where they lie.
bool leadsThroughPackedRecord(const Value *Pointer) {
  while (true) {
    if (const auto *GEP = dyn_cast<GEPOperator>(Pointer)) {
      const auto *ST = dyn_cast<StructType>(GEP->getSourceElementType());
      if (ST && ST->isPacked())
        return true;
      Pointer = GEP->getPointerOperand();
    } else if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
    } else {
      return false;
    }
  }
}

void trustScalar(Instruction &I, const DataLayout &DL) {
  Type *T = getLoadStoreType(&I);
  Align Natural = DL.getABITypeAlign(T);
  if (getLoadStoreAlignment(&I) >= Natural ||
      !isPowerOf2_64(DL.getTypeStoreSize(T)) ||
      leadsThroughPackedRecord(getLoadStorePointerOperand(&I)))
    return;
  setLoadStoreAlignment(I, Natural);
}

/// Both sides of a record's copy are of its type, so that the alignment that
/// either side's declaration vouches for holds for both.
void trustCopy(AnyMemTransferInst &Copy) {
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  Align From = Copy.getSourceAlign().valueOrOne();
  Align To = Copy.getDestAlign().valueOrOne();
  Align Both = std::max(From, To);
  if (!Length || From == To || !isAligned(Both, Length->getZExtValue()))
    return;
  Copy.setSourceAlignment(Both);
  Copy.setDestAlignment(Both);
}

} // namespace

void trustAlignments(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst>(I))
      trustScalar(I, DL);
    else if (auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
      trustCopy(*Copy);
}

void placeConstants(Module &M) {
  SmallVector<GlobalVariable *, 8> Work;
  for (GlobalVariable &GV : M.globals()) {
    unsigned Space = GV.getAddressSpace();
    bool Declared = GV.isExternallyInitialized() || GV.isDeclaration();
    if (Space == NVPTXAS::ADDRESS_SPACE_GENERIC ||
        (Space == NVPTXAS::ADDRESS_SPACE_CONST && !Declared))
      if (!GV.getName().starts_with("llvm."))
        Work.push_back(&GV);
  }
  for (GlobalVariable *GV : Work) {
    auto *Moved = new GlobalVariable(
        M, GV->getValueType(), GV->isConstant(), GV->getLinkage(),
        GV->hasInitializer() ? GV->getInitializer() : nullptr, "", GV,
        GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_GLOBAL);
    Moved->takeName(GV);
    Moved->copyAttributesFrom(GV);
    // Clang names such a variable by its generic address.
    for (User *U : make_early_inc_range(GV->users()))
      if (auto *Cast = dyn_cast<ConstantExpr>(U))
        if (Cast->getOpcode() == Instruction::AddrSpaceCast)
          Cast->replaceAllUsesWith(
              ConstantExpr::getAddrSpaceCast(Moved, Cast->getType()));
    GV->removeDeadConstantUsers();
    GV->replaceAllUsesWith(
        ConstantExpr::getAddrSpaceCast(Moved, GV->getType()));
    GV->eraseFromParent();
  }
}

void markPointerArguments(Function &Kernel) {
  IRBuilder<> B(Kernel.getContext());
  B.SetInsertPoint(Kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &A : Kernel.args())
    if (isGenericPointer(A.getType()) && !A.hasByValAttr())
      markGlobal(A, B);
}

static bool isMemberOfArgument(const Instruction &I) {
  const auto *L = dyn_cast<LoadInst>(&I);
  if (!L)
    return false;
  const auto *A = dyn_cast<Argument>(
      getUnderlyingObject(L->getPointerOperand(), /*MaxLookup=*/0));
  return A && A->hasByValAttr();
}

static bool isAllocation(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() &&
         is_contained({"malloc", "_Znwm", "_Znam"}, Callee->getName());
}

PreservedAnalyses MarkGlobalPointersPass::run(Function &Kernel,
                                              FunctionAnalysisManager &) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(Kernel))) {
    if (!isGenericPointer(I.getType()) ||
        (!isMemberOfArgument(I) && !isAllocation(I)))
      continue;
    IRBuilder<> B(I.getNextNode());
    markGlobal(I, B);
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
