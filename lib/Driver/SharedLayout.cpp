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
/// (measured with ptxas 13.0, sm_90).
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace warplint {
namespace {

/// The widest access, and as much as it can use of an alignment.
constexpr uint64_t WidestAccess = 16;

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

} // namespace

void placeSharedArrays(Module &M) {
  const DataLayout &DL = M.getDataLayout();
  // What holds in all kernels that use an array.
  MapVector<GlobalVariable *, Align> Known;
  for (const Function &F : M) {
    if (!isKernel(F) || F.isDeclaration())
      continue;
    DenseSet<const GlobalVariable *> Used = sharedVariablesOf(F);
    uint64_t Offset = 0;
    for (GlobalVariable &GV : M.globals()) {
      if (!Used.contains(&GV))
        continue;
      Align At(WidestAccess);
      if (!GV.isDeclaration()) {
        Offset = alignTo(Offset, GV.getAlign().valueOrOne());
        At = commonAlignment(Align(WidestAccess), Offset);
        Offset += DL.getTypeAllocSize(GV.getValueType());
      }
      auto [It, New] = Known.try_emplace(&GV, At);
      It->second = std::min(It->second, At);
    }
  }
  for (auto &[GV, At] : Known)
    if (!holdsBytes(*GV) && GV->getAlign().valueOrOne() < At)
      GV->setAlignment(At);
}

} // namespace warplint
