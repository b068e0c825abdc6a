//===- MarkEntries.cpp - Accesses that begin an inlined call -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the code of an inlined call begins, nvcc's line table has two entries
/// for one instruction: the call's line, then the callee's. Nsight Compute
/// shows the first. When that instruction is an access (of what was passed by
/// reference, say), its counters stand at the call.
///
//===----------------------------------------------------------------------===//

#include "HoistedLines.h"
#include "PrepareSteps.h"
#include "TableLines.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warplint {

/// What it stores is put in a register first, by an instruction of its own that
/// begins the call: a constant, an argument of the kernel, or what does not
/// fill a register of four bytes and is packed.
static bool fetchesFirst(const Instruction &I) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store)
    return false;
  const Value *V = Store->getValueOperand();
  if (const auto *C = dyn_cast<Constant>(V))
    return !C->isNullValue();
  if (const auto *Pack = dyn_cast<InsertElementInst>(V))
    return Pack->getType()->getScalarSizeInBits() < 32 &&
           Pack->getDebugLoc() == I.getDebugLoc();
  return isa<Argument>(V) && V->hasOneUse();
}

static bool isSameCall(const DILocation &A, const DILocation &B) {
  return A.getLine() == B.getLine() && A.getColumn() == B.getColumn() &&
         A.getScope() == B.getScope() && A.getInlinedAt() == B.getInlinedAt();
}

PreservedAnalyses MarkEntriesPass::run(Function &F, FunctionAnalysisManager &) {
  placeTheRest(F);
  // Calls whose code has begun: their line is given once, not to the copies
  // that unrolling makes.
  SmallPtrSet<const DILocation *, 32> Begun;
  SmallSetVector<const DILocation *, 4> Real; // calls that nvcc leaves
  for (Instruction &I : instructions(F)) {
    const DILocation *Place = I.getDebugLoc();
    // What has no place of its own begins nothing.
    if (!Place || leavesNothing(I) || tableLineOf(I))
      continue;
    if (isCallBoundary(I))
      Real.insert(Place);
    SmallVector<const DILocation *, 4> Calls; // innermost first
    for (const DILocation *C = Place->getInlinedAt(); C; C = C->getInlinedAt())
      Calls.push_back(C);
    auto IsReal = [&](const DILocation *C) {
      return any_of(Real,
                    [&](const DILocation *R) { return isSameCall(*C, *R); });
    };
    if (isa<AtomicRMWInst>(I) && any_of(Calls, IsReal))
      I.setMetadata(ApartMetadata, MDNode::get(I.getContext(), {}));
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I) &&
        !fetchesFirst(I))
      for (const DILocation *C : reverse(Calls))
        if (!Begun.contains(C) && !IsReal(C)) {
          setTableLine(I, asTableLine(I.getContext(), C));
          break;
        }
    Begun.insert_range(Calls);
  }
  return PreservedAnalyses::all();
}

} // namespace warplint
