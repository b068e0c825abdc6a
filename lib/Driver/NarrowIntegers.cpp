//===- NarrowIntegers.cpp - Loads of what is read of an integer -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of `(int)p[i]` with a `long long *p` nvcc loads the 4 bytes that count, of
/// `p[i] >> 32` the upper 4. It does where the load has one user, in its block;
/// also through arithmetic whose upper bits nobody reads, as in
/// `(int)(3 * p[i] + 1)`. Seen in nvcc 13.0's code for sm_90. Bytes of a word
/// (`p[i] & 0xff`) it loads alone in some kernels and not in others; they stay
/// words.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace warplint {

/// Bytes before the half of a 64-bit integer that alone is read.
static std::optional<unsigned> halfRead(LoadInst &Load,
                                        DemandedBits &Demanded) {
  if (!Load.getType()->isIntegerTy(64) || !Load.isSimple() ||
      !Load.hasOneUse() || Demanded.isInstructionDead(&Load) ||
      cast<Instruction>(Load.user_back())->getParent() != Load.getParent())
    return std::nullopt;
  APInt Read = Demanded.getDemandedBits(&Load);
  if (Read.isMask(32))
    return 0;
  if (Read == APInt::getHighBitsSet(64, 32))
    return 4;
  return std::nullopt;
}

PreservedAnalyses NarrowIntegersPass::run(Function &F,
                                          FunctionAnalysisManager &AM) {
  auto &Demanded = AM.getResult<DemandedBitsAnalysis>(F);
  SmallVector<std::pair<LoadInst *, unsigned>, 16> Work;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (std::optional<unsigned> Offset = halfRead(*Load, Demanded))
        Work.push_back({Load, *Offset});
  for (auto [Load, Offset] : Work) {
    IRBuilder<> B(Load);
    Value *Pointer = Load->getPointerOperand();
    if (Offset)
      Pointer = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Pointer, Offset);
    LoadInst *Narrow = B.CreateAlignedLoad(
        B.getInt32Ty(), Pointer, commonAlignment(Load->getAlign(), Offset));
    Narrow->setAAMetadata(Load->getAAMetadata());
    Value *Whole = B.CreateZExt(Narrow, Load->getType());
    if (Offset)
      Whole = B.CreateShl(Whole, 32);
    Load->replaceAllUsesWith(Whole);
    Load->eraseFromParent();
  }
  if (Work.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
