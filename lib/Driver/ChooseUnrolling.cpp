//===- ChooseUnrolling.cpp - Which loops nvcc unrolls ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc unrolls in two places, in its LLVM and in ptxas, and which loops vanish
/// depends on both. Measured with nvcc 13.0 for sm_90 over 13 loop bodies and
/// 19 trip counts: a loop is unrolled whole while its trip count times the
/// operations of its body (memory accesses, arithmetic, calls; addresses, casts
/// and the counter are free) is at most about 280, e.g. 128 iterations of
/// `r += s[64*i + k]`, 64 of `r += s[64*i + k] * s[32*k + i]`.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace warplint {
namespace {

constexpr uint64_t AutomaticLimit = 280;
/// With `#pragma unroll` nvcc unrolls whatever fits; this keeps a mistake like
/// `#pragma unroll` over 1,000,000 iterations from eating the memory.
constexpr uint64_t PragmaLimit = 16384;

/// Operations that cost nothing once a loop is unrolled.
bool isFree(const Instruction &I) {
  return isa<PHINode, GetElementPtrInst, CastInst, BranchInst, CmpInst,
             AllocaInst, FreezeInst, ExtractElementInst, InsertElementInst,
             ExtractValueInst, InsertValueInst>(I) ||
         I.isLifetimeStartOrEnd() || isAssumeLikeIntrinsic(&I);
}

class Chooser {
public:
  Chooser(LoopInfo &LI, ScalarEvolution &SE) : LI(LI), SE(SE) {}

  /// Decides for \p L and what it holds; returns the operations of one of its
  /// iterations.
  uint64_t decide(Loop &L) {
    uint64_t Size = 0;
    for (Loop *Inner : L) {
      uint64_t InnerSize = decide(*Inner);
      Size += InnerSize * (Whole ? SE.getSmallConstantTripCount(Inner) : 1);
    }
    for (BasicBlock *BB : L.blocks())
      if (LI.getLoopFor(BB) == &L)
        for (Instruction &I : *BB)
          Size += !isFree(I) && !isCounter(L, I);
    Size = std::max<uint64_t>(Size, 1);
    Whole = unrollsWhole(L, Size);
    mark(L, Whole);
    return Size;
  }

private:
  /// `k + 1` of the loop over k.
  static bool isCounter(const Loop &L, const Instruction &I) {
    if (I.getOpcode() != Instruction::Add || !isa<Constant>(I.getOperand(1)))
      return false;
    const auto *Phi = dyn_cast<PHINode>(I.getOperand(0));
    return Phi && Phi->getParent() == L.getHeader();
  }

  bool unrollsWhole(Loop &L, uint64_t Size) {
    unsigned Trips = SE.getSmallConstantTripCount(&L);
    if (!Trips || !L.isSafeToClone())
      return false;
    if (findOptionMDForLoop(&L, "llvm.loop.unroll.disable"))
      return false;
    bool Pragma =
        findOptionMDForLoop(&L, "llvm.loop.unroll.enable") ||
        findOptionMDForLoop(&L, "llvm.loop.unroll.full") ||
        getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count").value_or(0) >=
            int(Trips);
    return Trips * Size <= (Pragma ? PragmaLimit : AutomaticLimit);
  }

  static void mark(Loop &L, bool Whole) {
    LLVMContext &C = L.getHeader()->getContext();
    StringRef Name =
        Whole ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable";
    MDNode *Mark = MDNode::get(C, MDString::get(C, Name));
    L.setLoopID(makePostTransformationMetadata(C, L.getLoopID(),
                                               {"llvm.loop.unroll."}, {Mark}));
  }

  LoopInfo &LI;
  ScalarEvolution &SE;
  bool Whole = false; ///< the loop last decided on
};

} // namespace

PreservedAnalyses ChooseUnrollingPass::run(Function &F,
                                           FunctionAnalysisManager &AM) {
  auto &LI = AM.getResult<LoopAnalysis>(F);
  Chooser Choose(LI, AM.getResult<ScalarEvolutionAnalysis>(F));
  for (Loop *L : LI)
    Choose.decide(*L);
  return PreservedAnalyses::all();
}

} // namespace warplint
