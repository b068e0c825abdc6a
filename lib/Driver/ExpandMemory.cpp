//===- ExpandMemory.cpp - memcpy and memset as loads and stores -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang lowers the copy of a record to llvm.memcpy. What is left of it once
/// locals are promoted goes from memory to memory, and nvcc makes loads and
/// stores of it, as wide as the alignment known from the type allows and no
/// wider than the 16 bytes of the widest instruction.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace warplint {
namespace {

/// Copies beyond this stay calls: a loop of nvcc's own, not worth unrolling.
constexpr uint64_t MaxExpandedBytes = 4096;

/// An integer or, for 16 bytes, a vector type of \p Bytes.
Type *chunkType(LLVMContext &C, uint64_t Bytes) {
  if (Bytes == WidestAccess)
    return FixedVectorType::get(Type::getInt32Ty(C), 4);
  return Type::getIntNTy(C, Bytes * 8);
}

/// Calls \p Access for each chunk of \p Size bytes at known \p Alignment.
void forEachChunk(
    uint64_t Size, Align Alignment,
    function_ref<void(uint64_t Offset, uint64_t Bytes, Align At)> Access) {
  for (uint64_t Offset = 0; Offset != Size;) {
    Align At = commonAlignment(Alignment, Offset);
    uint64_t Bytes = std::min(At.value(), WidestAccess);
    while (Bytes > Size - Offset)
      Bytes /= 2;
    Access(Offset, Bytes, At);
    Offset += Bytes;
  }
}

Value *at(IRBuilder<> &B, Value *Base, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset)
                : Base;
}

/// The load of `*p = a[i]` stands at `a[i]`, as nvcc has it, while clang's copy
/// has one place for both: the address computation knows where its operand is.
DebugLoc loadPlace(const AnyMemTransferInst &Copy) {
  const auto *Address = dyn_cast<Instruction>(Copy.getRawSource());
  const DebugLoc &Whole = Copy.getDebugLoc();
  if (!Address || !Address->hasOneUse() || !Whole || !Address->getDebugLoc())
    return Whole;
  const DebugLoc &Part = Address->getDebugLoc();
  bool SameCall =
      Part->getInlinedAt() == Whole->getInlinedAt() &&
      Part->getScope()->getSubprogram() == Whole->getScope()->getSubprogram();
  // A pointer's declaration, before the statement, is not the operand.
  return SameCall && Part.getLine() >= Whole.getLine() ? Part : Whole;
}

/// \p Size bytes, loads before stores so that a memmove is served as well.
void expandCopy(AnyMemTransferInst &Copy, uint64_t Size) {
  IRBuilder<> B(&Copy);
  Align From = Copy.getSourceAlign().valueOrOne();
  Align To = Copy.getDestAlign().valueOrOne();
  bool Volatile = Copy.isVolatile();
  DebugLoc LoadPlace = loadPlace(Copy);
  SmallVector<std::tuple<Value *, uint64_t, Align>, 16> Parts;
  AAMDNodes Tags = Copy.getAAMetadata();
  Tags.TBAA = Tags.TBAAStruct = nullptr; // they describe the whole
  auto loadPart = [&](uint64_t Offset, uint64_t Bytes, Align At) {
    LoadInst *L =
        B.CreateAlignedLoad(chunkType(B.getContext(), Bytes),
                            at(B, Copy.getRawSource(), Offset), At, Volatile);
    L->setAAMetadata(Tags);
    L->setDebugLoc(LoadPlace);
    Parts.push_back({L, Offset, commonAlignment(To, Offset)});
  };
  forEachChunk(Size, std::min(From, To), loadPart);
  for (auto [V, Offset, At] : Parts)
    B.CreateAlignedStore(V, at(B, Copy.getRawDest(), Offset), At, Volatile)
        ->setAAMetadata(Tags);
  Copy.eraseFromParent();
}

void expandSet(AnyMemSetInst &Set, uint64_t Size) {
  IRBuilder<> B(&Set);
  Value *Byte = Set.getValue();
  bool Volatile = Set.isVolatile();
  forEachChunk(Size, Set.getDestAlign().valueOrOne(),
               [&](uint64_t Offset, uint64_t Bytes, Align At) {
                 Value *V = Byte;
                 if (Bytes > 1) {
                   V = B.CreateVectorSplat(Bytes, Byte);
                   V = B.CreateBitCast(V, chunkType(B.getContext(), Bytes));
                 }
                 B.CreateAlignedStore(V, at(B, Set.getRawDest(), Offset), At,
                                      Volatile);
               });
  Set.eraseFromParent();
}

} // namespace

PreservedAnalyses ExpandMemoryIntrinsicsPass::run(Function &F,
                                                  FunctionAnalysisManager &AM) {
  auto &AC = AM.getResult<AssumptionAnalysis>(F);
  auto &DT = AM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<AnyMemIntrinsic *, 8> Work;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (auto *MI = dyn_cast<AnyMemIntrinsic>(&I))
        Work.push_back(MI);
  bool Changed = false;
  for (AnyMemIntrinsic *MI : Work) {
    auto *Length = dyn_cast<ConstantInt>(MI->getLength());
    if (!Length || Length->getZExtValue() > MaxExpandedBytes)
      continue;
    uint64_t Size = Length->getZExtValue();
    auto known = [&](Value *Pointer) {
      return getKnownAlignment(Pointer, F.getDataLayout(), MI, &AC, &DT);
    };
    MI->setDestAlignment(
        std::max(MI->getDestAlign().valueOrOne(), known(MI->getRawDest())));
    if (auto *Copy = dyn_cast<AnyMemTransferInst>(MI))
      Copy->setSourceAlignment(std::max(Copy->getSourceAlign().valueOrOne(),
                                        known(Copy->getRawSource())));
    if (auto *Copy = dyn_cast<AnyMemTransferInst>(MI))
      expandCopy(*Copy, Size);
    else if (auto *Set = dyn_cast<AnyMemSetInst>(MI))
      expandSet(*Set, Size);
    else
      continue;
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
