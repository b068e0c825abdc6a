//===- ForwardCopies.cpp - Copies of records that go through a local ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of `float4 v = p[i]; s[i] = v;` nvcc makes one copy, where v is stored: a
/// record that is declared with an alignment is copied as a whole there, and
/// LLVM's MemCpyOpt copies from where the copied record came, unless that may
/// have been written since. Both accesses then stand on the line of the second
/// statement, and under its condition. Records without such an alignment are
/// copied member by member, and stay as they are; so do longer ones, and locals
/// that are read otherwise, too. From the cubins of nvcc 13.0
/// (test/engine/copied-records.cu).
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warplint {
namespace {

/// The two copies of a local that is nothing but a stop between them.
struct Stop {
  MemCpyInst *In = nullptr, *Out = nullptr;

  static std::optional<Stop> match(AllocaInst &Local) {
    const DataLayout &DL = Local.getDataLayout();
    std::optional<TypeSize> Size = Local.getAllocationSize(DL);
    // Of a declared alignment the type in the IR knows nothing.
    if (!Size || Size->isScalable() || *Size > WidestAccess ||
        !Local.getAllocatedType()->isStructTy() ||
        Local.getAlign() <= DL.getABITypeAlign(Local.getAllocatedType()))
      return std::nullopt;
    Stop S;
    for (User *U : Local.users()) {
      auto *Copy = dyn_cast<MemCpyInst>(U);
      if (!Copy) {
        if (!cast<Instruction>(U)->isLifetimeStartOrEnd())
          return std::nullopt;
        continue;
      }
      MemCpyInst *&Slot = Copy->getRawDest() == &Local ? S.In : S.Out;
      auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
      if (Slot || Copy->isVolatile() || !Length ||
          Length->getZExtValue() != Size->getFixedValue())
        return std::nullopt;
      Slot = Copy;
    }
    // A copy for a parameter, or one that is looked into, is no end.
    if (!S.In || !S.Out || S.In == S.Out ||
        isa<AllocaInst>(getUnderlyingObject(S.Out->getRawDest())))
      return std::nullopt;
    return S;
  }
};

bool forward(AllocaInst &Local, Function &F, FunctionAnalysisManager &AM) {
  std::optional<Stop> S = Stop::match(Local);
  if (!S)
    return false;
  MemorySSA &MSSA = AM.getResult<MemorySSAAnalysis>(F).getMSSA();
  BatchAAResults AA(AM.getResult<AAManager>(F));
  MemoryUseOrDef *In = MSSA.getMemoryAccess(S->In);
  MemoryUseOrDef *Out = MSSA.getMemoryAccess(S->Out);
  if (!In || !Out || !MSSA.dominates(In, Out))
    return false;
  MemoryAccess *Written = MSSA.getWalker()->getClobberingMemoryAccess(
      Out->getDefiningAccess(), MemoryLocation::getForSource(S->In), AA);
  if (!MSSA.dominates(Written, In))
    return false;
  S->Out->setSource(S->In->getRawSource());
  S->Out->setSourceAlignment(S->In->getSourceAlign());
  S->In->eraseFromParent();
  AM.invalidate(F, PreservedAnalyses::none());
  return true;
}

} // namespace

PreservedAnalyses ForwardCopiesPass::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  SmallVector<AllocaInst *, 8> Locals;
  for (Instruction &I : instructions(F))
    if (auto *Local = dyn_cast<AllocaInst>(&I))
      Locals.push_back(Local);
  bool Changed = false;
  // The last of several stops goes first.
  while (any_of(Locals, [&](AllocaInst *L) { return forward(*L, F, AM); }))
    Changed = true;
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace warplint
