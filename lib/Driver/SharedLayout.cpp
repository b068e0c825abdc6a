//===- SharedLayout.cpp - Where ptxas puts the shared arrays --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// ptxas lays the shared arrays of a kernel one after the other in the order of
/// their declaration, each at its declared alignment, and dynamic shared memory
/// behind them at 16 bytes. It knows those offsets when it joins neighbouring
/// accesses: with `__shared__ float s[3], q[100]`, q begins at byte 12 and a
/// pair q[2*i], q[2*i+1] stays two instructions; with s[4] it becomes one
/// (measured with ptxas 13.0, sm_90). With a `double3` before it, `double
/// d[12]` begins at byte 24, and d[1], d[2] become one of 16 bytes (counted in
/// HeCBench's aop).
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace warplint {
namespace {

/// The shared variables that \p F's instructions name, constant expressions
/// looked through.
DenseSet<const GlobalVariable *> sharedVariablesOf(const Function &F) {
  DenseSet<const GlobalVariable *> Result;
  SmallPtrSet<const Constant *, 32> Seen;
  SmallVector<const Constant *, 32> Work;
  for (const Instruction &I : instructions(F))
    for (const Use &U : I.operands())
      if (const auto *C = dyn_cast<Constant>(U))
        if (Seen.insert(C).second)
          Work.push_back(C);
  while (!Work.empty()) {
    const Constant *C = Work.pop_back_val();
    if (const auto *GV = dyn_cast<GlobalVariable>(C)) {
      if (GV->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
        Result.insert(GV);
      continue;
    }
    for (const Use &U : C->operands())
      if (const auto *Operand = dyn_cast<Constant>(U))
        if (Seen.insert(Operand).second)
          Work.push_back(Operand);
  }
  return Result;
}

/// Neighbouring bytes are not joined, whatever is known of where they lie.
bool holdsBytes(const GlobalVariable &GV) {
  Type *T = GV.getValueType();
  while (T->isArrayTy())
    T = T->getArrayElementType();
  return T->isIntegerTy(8);
}

/// Bytes from the start of a kernel's shared memory at which each array it uses
/// begins; of dynamic shared memory, which lies at a multiple of the widest
/// access, 0.
MapVector<const GlobalVariable *, uint64_t> layOut(const Function &Kernel) {
  MapVector<const GlobalVariable *, uint64_t> Begins;
  const DataLayout &DL = Kernel.getDataLayout();
  DenseSet<const GlobalVariable *> Used = sharedVariablesOf(Kernel);
  uint64_t Offset = 0;
  for (const GlobalVariable &GV : Kernel.getParent()->globals()) {
    if (!Used.contains(&GV))
      continue;
    if (GV.isDeclaration()) {
      Begins[&GV] = 0;
      continue;
    }
    Offset = alignTo(Offset, GV.getAlign().valueOrOne());
    Begins[&GV] = Offset;
    Offset += DL.getTypeAllocSize(GV.getValueType());
  }
  return Begins;
}

/// The alignment of \p Pointer in its kernel's shared memory. What a loop adds
/// in several steps (`k += 4; .. k += 4`) is a multiple of them together.
std::optional<Align>
alignmentOf(Value *Pointer,
            const MapVector<const GlobalVariable *, uint64_t> &Begins,
            ScalarEvolution &SE) {
  const SCEV *At = SE.getSCEV(Pointer);
  const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(At));
  const auto *GV = Base ? dyn_cast<GlobalVariable>(Base->getValue()) : nullptr;
  if (!GV || holdsBytes(*GV) || !Begins.contains(GV))
    return std::nullopt;
  const SCEV *Offset = SE.removePointerBase(At);
  Offset = SE.getAddExpr(Offset,
                         SE.getConstant(Offset->getType(), Begins.lookup(GV)));
  return Align(std::min<uint64_t>(
      WidestAccess, uint64_t(1)
                        << std::min(63u, SE.getMinTrailingZeros(Offset))));
}

} // namespace

void alignSharedAccesses(Function &Kernel, ScalarEvolution &SE) {
  const auto Begins = layOut(Kernel);
  if (Begins.empty())
    return;
  for (Instruction &I : instructions(Kernel)) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || Pointer->getType()->getPointerAddressSpace() !=
                        NVPTXAS::ADDRESS_SPACE_SHARED)
      continue;
    std::optional<Align> At = alignmentOf(Pointer, Begins, SE);
    if (!At || *At <= getLoadStoreAlignment(&I))
      continue;
    setLoadStoreAlignment(I, *At);
  }
}

void placeSharedArrays(Module &M, bool OfBytes) {
  // What holds in all kernels that use an array.
  MapVector<GlobalVariable *, Align> Known;
  for (const Function &F : M) {
    if (!isKernel(F) || F.isDeclaration())
      continue;
    for (const auto &[GV, Begin] : layOut(F)) {
      const Align At = commonAlignment(Align(WidestAccess), Begin);
      auto [It, New] = Known.try_emplace(const_cast<GlobalVariable *>(GV), At);
      It->second = std::min(It->second, At);
    }
  }
  for (auto &[GV, At] : Known)
    if (holdsBytes(*GV) == OfBytes && GV->getAlign().valueOrOne() < At)
      GV->setAlignment(At);
}

} // namespace warplint
