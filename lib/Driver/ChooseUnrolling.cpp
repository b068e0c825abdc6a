//===- ChooseUnrolling.cpp - Which loops nvcc unrolls ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc unrolls in two places, in its LLVM and in ptxas. LLVM leaves no loop
/// while its trip count times the instructions of its body stays below 404: 57
/// iterations of `a += in[k * n + p]`, 36 of `a += in[k * n + p] * by[k]`. From
/// the PTX of nvcc 13.0 for sm_90, 20 bodies (docs/lowering.md).
///
/// A loop of a known number of iterations that is too long for that is unrolled
/// in part: by the largest power of two that divides its trip count and times
/// the operations of its body, with two for the loop, is at most 180. ptxas
/// then unrolls again, shorter loops whole. Accesses to consecutive shared
/// words of one body are joined, which is all that the analysis sees of it:
///
///   iterations in a body  ascending  descending
///   8 and more            16 bytes   16 bytes
///   4, 2                  8 bytes    none; 16 bytes where ptxas unrolls whole
///
/// and 16 bytes from accesses of 8. Read off nvcc 13.0 for sm_90, 450 loops of
/// 24 to 1000 iterations and 2 to 34 operations with one and two loads.
/// Loops whose length only the run decides stay: what nvcc joins there hangs on
/// where it puts the running pointer.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace warplint {
namespace {

/// Iterations times instructions that nvcc's LLVM stays below.
constexpr uint64_t AutomaticLimit = 404;
constexpr uint64_t PartialLimit = 180;
constexpr uint64_t LoopOverhead = 2;
/// Iterations times operations up to which ptxas unrolls whole what is unrolled
/// by 4 (or has a remainder), and by 2.
constexpr uint64_t SecondLimit = 750, SecondLimitOfTwo = 1450;
/// With `#pragma unroll` nvcc unrolls whatever fits; this keeps a mistake like
/// `#pragma unroll` over 1,000,000 iterations from eating the memory.
constexpr uint64_t PragmaLimit = 16384;

/// What a division counts as.
constexpr uint64_t DivisionSize = 4;

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
    uint64_t Size = 0, Instructions = 0;
    for (Loop *Inner : L) {
      uint64_t InnerSize = decide(*Inner);
      InnerSize *= Whole ? SE.getSmallConstantTripCount(Inner) : 1;
      Size += InnerSize;
      Instructions += InnerSize;
    }
    for (BasicBlock *BB : L.blocks())
      if (LI.getLoopFor(BB) == &L)
        for (Instruction &I : *BB) {
          Size += !isFree(I) && !isCounter(L, I);
          Instructions += instructionSize(L, I);
        }
    Size = std::max<uint64_t>(Size, 1);
    Whole = unrollsWhole(L, Size, Instructions);
    uint64_t Joined = Whole ? 0 : joinedIterations(L, Size);
    if (Whole || Joined == WholeLoop)
      mark(L, "llvm.loop.unroll.full");
    else if (Joined > 1)
      mark(L, "llvm.loop.unroll.count", Joined);
    else
      mark(L, "llvm.loop.unroll.disable");
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

  /// As LLVM's CodeMetrics has it in a loop that LICM has left, turned round:
  /// all but what joins values, what ends the iteration and what the loop does
  /// not change.
  static uint64_t instructionSize(const Loop &L, const Instruction &I) {
    if (isa<PHINode>(I) || I.isTerminator() || I.isLifetimeStartOrEnd() ||
        isAssumeLikeIntrinsic(&I))
      return 0;
    if (isa<CmpInst>(I) && I.hasOneUse() && isa<BranchInst>(I.user_back()) &&
        L.isLoopExiting(I.getParent()))
      return 0;
    if (!I.mayReadOrWriteMemory() && L.hasLoopInvariantOperands(&I))
      return 0;
    return I.getOpcode() == Instruction::FDiv ? DivisionSize : 1;
  }

  /// Times that the body of \p L is executed; 0 where that is not a constant.
  unsigned bodies(const Loop &L) {
    // What the header's test ends has one iteration without a body.
    unsigned Trips = SE.getSmallConstantTripCount(&L);
    if (Trips && L.getExitingBlock() == L.getHeader() &&
        L.getHeader() != L.getLoopLatch())
      --Trips;
    return Trips;
  }

  bool unrollsWhole(Loop &L, uint64_t Size, uint64_t Instructions) {
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
    return Pragma ? Trips * Size <= PragmaLimit
                  : bodies(L) * Instructions < AutomaticLimit;
  }

  /// How many iterations of \p L, of \p Size operations each, have the
  /// consecutive shared words that nvcc joins; 0 or 1 where it joins none.
  uint64_t joinedIterations(Loop &L, uint64_t Size) {
    uint64_t Trips = bodies(L);
    if (!Trips || !L.isInnermost() || !L.isSafeToClone() ||
        findOptionMDForLoop(&L, "llvm.loop.unroll.disable"))
      return 0;
    Consecutive Words = consecutiveSharedWords(L);
    if (!Words.Bytes)
      return 0;
    uint64_t Wide = WidestAccess / Words.Bytes;
    if (std::optional<int> Asked =
            getOptionalIntLoopAttribute(&L, "llvm.loop.unroll.count"))
      return *Asked < 2 || Trips % *Asked ? 0 : *Asked >= 8 ? Wide : 2;

    uint64_t Body = 1;
    while (Trips % (2 * Body) == 0 &&
           2 * Body * (Size + LoopOverhead) <= PartialLimit)
      Body *= 2;
    if (Body >= 8)
      return Wide;
    if (Body == 1 &&
        (Trips % 2 == 0 || 4 * (Size + LoopOverhead) > PartialLimit))
      return 0;
    if (Trips * Size <= (Body == 2 ? SecondLimitOfTwo : SecondLimit))
      return WholeLoop;
    return Body == 1 || Words.Descending ? 0 : 2;
  }

  struct Consecutive {
    uint64_t Bytes = 0; ///< of one access; 0: there is none
    bool Descending = false;
  };

  /// The smallest access to shared memory that moves by its own size in each
  /// iteration of \p L.
  Consecutive consecutiveSharedWords(Loop &L) {
    Consecutive Smallest;
    for (BasicBlock *BB : L.blocks())
      for (Instruction &I : *BB) {
        const Value *Pointer = getLoadStorePointerOperand(&I);
        if (!Pointer || Pointer->getType()->getPointerAddressSpace() !=
                            NVPTXAS::ADDRESS_SPACE_SHARED)
          continue;
        uint64_t Bytes =
            I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
        const auto *Moved =
            dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Pointer)));
        if (!Moved || Moved->getLoop() != &L || (Bytes != 4 && Bytes != 8))
          continue;
        const auto *Step = dyn_cast<SCEVConstant>(Moved->getStepRecurrence(SE));
        if (Step && Step->getAPInt().abs() == Bytes &&
            (!Smallest.Bytes || Bytes < Smallest.Bytes))
          Smallest = {Bytes, Step->getAPInt().isNegative()};
      }
    return Smallest;
  }

  /// With \p Count the mark has a number.
  static void mark(Loop &L, StringRef Name, uint64_t Count = 0) {
    LLVMContext &C = L.getHeader()->getContext();
    SmallVector<Metadata *, 2> Words = {MDString::get(C, Name)};
    if (Count)
      Words.push_back(ConstantAsMetadata::get(
          ConstantInt::get(Type::getInt32Ty(C), Count)));
    L.setLoopID(makePostTransformationMetadata(
        C, L.getLoopID(), {"llvm.loop.unroll."}, {MDNode::get(C, Words)}));
  }

  static constexpr uint64_t WholeLoop = UINT64_MAX;

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
