//===- RoundedDown.cpp - Multiples that nvcc does not know for such -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Of `x / 6 * 6` nvcc's LLVM makes `x - x % 6`, and of that, block by block,
/// `x - (x - x / 6 * 6)`, which is the product again. Where the program uses
/// `x % 6` too, the remainder can end up in another block than the difference,
/// which is moved to the one block that uses it (in front of the loop, say).
/// Then nothing says that the difference is a multiple of 6, or even, and its
/// array's words are not joined. Seen in nvcc 13.0's code for sm_90, for some
/// thirty kernels that differ in where they use the two.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace warplint {
namespace {

/// A block of nvcc's: one of ours, or the one in front of a loop that is not
/// known to run at all.
struct Place {
  const BasicBlock *Block = nullptr;
  const Loop *Ahead = nullptr;
  bool operator==(const Place &) const = default;
};

/// A multiple of \p Divisor, written as a product or a difference: what is left
/// of \p Of when the remainder of \p Dividend is taken away, which is Of
/// or, where it is a small number, Of in fewer bits.
struct Multiple {
  Instruction *I = nullptr;
  Value *Of = nullptr;
  Value *Dividend = nullptr;
  ConstantInt *Divisor = nullptr;
  bool Signed = false;
  bool Product = false;
};

std::optional<Multiple> multipleIn(Instruction &I) {
  Multiple M;
  M.I = &I;
  BinaryOperator *Op;
  const APInt *Factor;
  if (match(&I, m_Mul(m_OneUse(m_ZExtOrSelf(m_OneUse(m_BinOp(Op)))),
                      m_APInt(Factor)))) {
    M.Product = true;
    M.Signed = Op->getOpcode() == Instruction::SDiv;
    if (!M.Signed && Op->getOpcode() != Instruction::UDiv)
      return std::nullopt;
  } else if (match(&I, m_Sub(m_Value(M.Of), m_ZExtOrSelf(m_BinOp(Op))))) {
    M.Signed = Op->getOpcode() == Instruction::SRem;
    if (!M.Signed && Op->getOpcode() != Instruction::URem)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  M.Divisor = dyn_cast<ConstantInt>(Op->getOperand(1));
  // The bits of a power of two are masked out, which all can see.
  if (!M.Divisor || M.Divisor->isNegative() || M.Divisor->isZero() ||
      M.Divisor->getValue().isPowerOf2() ||
      (M.Product && Factor->getZExtValue() != M.Divisor->getZExtValue()))
    return std::nullopt;
  M.Dividend = Op->getOperand(0);
  Value *Whole = M.Dividend;
  if (Whole->getType() != I.getType() &&
      !match(M.Dividend, m_Trunc(m_Value(Whole))))
    return std::nullopt;
  if (Whole->getType() != I.getType() || (M.Of && M.Of != Whole))
    return std::nullopt;
  M.Of = Whole;
  return M;
}

class Places {
public:
  Places(LoopInfo &LI, ScalarEvolution &SE) : LI(LI), SE(SE) {}

  static Place of(const BasicBlock *B) {
    while (const BasicBlock *Before = B->getSinglePredecessor()) {
      if (Before->getSingleSuccessor() != B)
        break;
      B = Before;
    }
    return {B, nullptr};
  }

  /// Where \p I is computed once what loops do not change is done before them.
  Place of(const Instruction &I) const {
    Place P = of(I.getParent());
    for (const Loop *L = LI.getLoopFor(I.getParent());
         L && isInvariant(&I, *L) && L->getLoopPreheader();
         L = L->getParentLoop()) {
      P = of(L->getLoopPreheader());
      P.Ahead = mayBeSkipped(*L) ? L : nullptr;
    }
    return P;
  }

  /// Where \p U needs its value.
  Place ofUse(const Use &U) const {
    const auto *User = cast<Instruction>(U.getUser());
    if (const auto *Phi = dyn_cast<PHINode>(User))
      return of(Phi->getIncomingBlock(U));
    return of(*User);
  }

  /// The one place of all users, to which a value that is computed at \p Home
  /// is moved; or that.
  static Place sunk(Place Home, ArrayRef<Place> Users) {
    return !Users.empty() && all_equal(Users) ? Users[0] : Home;
  }

private:
  LoopInfo &LI;
  ScalarEvolution &SE;

  /// What takes more steps than an index does is taken to change.
  static constexpr unsigned MaxDepth = 8;

  bool isInvariant(const Value *V, const Loop &L, unsigned Depth = 0) const {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return true;
    return Depth < MaxDepth && !isa<PHINode>(I) && !I->mayReadOrWriteMemory() &&
           isSafeToSpeculativelyExecute(I) &&
           all_of(I->operands(),
                  [&](const Use &U) { return isInvariant(U, L, Depth + 1); });
  }

  bool mayBeSkipped(const Loop &L) const {
    return L.isLoopExiting(L.getHeader()) && !SE.getSmallConstantTripCount(&L);
  }
};

/// The remainder that \p M shares its computation with, if any, in as many
/// bits as it is used in.
Instruction *remainderOf(const Multiple &M, const DominatorTree &DT) {
  if (!M.Product)
    return cast<Instruction>(M.I->getOperand(1));
  for (User *U : M.Dividend->users()) {
    auto *R = dyn_cast<BinaryOperator>(U);
    if (!R ||
        R->getOpcode() != (M.Signed ? Instruction::SRem : Instruction::URem) ||
        R->getOperand(0) != M.Dividend || R->getOperand(1) != M.Divisor ||
        R->getFunction() != M.I->getFunction() ||
        !(DT.dominates(R, M.I) || DT.dominates(M.I, R)))
      continue;
    if (R->getType() != M.I->getType() && R->hasOneUse() &&
        isa<ZExtInst>(R->user_back()))
      return R->user_back();
    return R;
  }
  return nullptr;
}

} // namespace

PreservedAnalyses RoundedDownPass::run(Function &F,
                                       FunctionAnalysisManager &AM) {
  const DominatorTree &DT = AM.getResult<DominatorTreeAnalysis>(F);
  Places Where(AM.getResult<LoopAnalysis>(F),
               AM.getResult<ScalarEvolutionAnalysis>(F));
  SmallVector<std::pair<Multiple, bool>, 4> Found;
  for (Instruction &I : instructions(F)) {
    std::optional<Multiple> M = multipleIn(I);
    if (!M)
      continue;
    Instruction *Remainder = remainderOf(*M, DT);
    bool Apart = false;
    if (Remainder) {
      SmallVector<Place, 8> Users;
      for (const Use &U : I.uses())
        Users.push_back(Where.ofUse(U));
      const Place Difference = Places::sunk(Where.of(I), Users);
      Users.assign({Difference});
      Instruction *First = DT.dominates(Remainder, &I) ? Remainder : &I;
      for (const Use &U : Remainder->uses())
        if (U.getUser() != &I)
          Users.push_back(Where.ofUse(U));
      Apart = !(Places::sunk(Where.of(*First), Users) == Difference);
    }
    if (Apart == M->Product)
      Found.push_back({*M, Apart});
  }
  for (auto &[M, Apart] : Found) {
    IRBuilder<> B(M.I);
    auto Op = [&](Instruction::BinaryOps U, Instruction::BinaryOps S) {
      return B.CreateZExt(
          B.CreateBinOp(M.Signed ? S : U, M.Dividend, M.Divisor),
          M.I->getType());
    };
    Value *New =
        Apart ? B.CreateSub(M.Of, Op(Instruction::URem, Instruction::SRem))
              : B.CreateMul(Op(Instruction::UDiv, Instruction::SDiv),
                            ConstantInt::get(M.I->getType(),
                                             M.Divisor->getZExtValue()));
    M.I->replaceAllUsesWith(New);
  }
  if (Found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
