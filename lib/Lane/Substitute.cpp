//===- Substitute.cpp - Values put in for symbols, all the way down ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {

LaneInt LaneDomain::focus(const LaneInt &A, LaneMask Mask) const {
  if (Mask == AllLanes || !Mask)
    return A;
  const unsigned First = countr_zero(Mask);
  auto Fill = [&](Lanes V) {
    for (unsigned L = 0; L < WarpLanes; ++L)
      if (!(Mask >> L & 1))
        V[L] = V[First];
    return V;
  };
  SmallVector<Term, 2> Terms;
  for (const Term &T : A.terms())
    if (Lanes K = Fill(T.K); !K.isZero())
      Terms.push_back({T.M, K});
  return LaneInt(Fill(A.constant()), std::move(Terms)).withAssumed(A.assumed());
}

LaneInt LaneDomain::putIn(const LaneInt &A, LaneMask Mask,
                          Substitution &Values) {
  LaneInt Sum = LaneInt(A.constant()).withAssumed(A.assumed());
  for (const Term &T : A.terms()) {
    LaneInt Product(T.K);
    for (SymbolId S : T.M)
      Product = mul(Product, putInSymbol(S, Mask, Values));
    Sum = add(Sum, Product);
  }
  return focus(Sum, Mask);
}

/// Recomputes a derived symbol when something below it got a value.
LaneInt LaneDomain::putInSymbol(SymbolId S, LaneMask Mask,
                                Substitution &Values) {
  if (auto At = Values.find(S); At != Values.end())
    return At->second;
  const Symbol Sym = Symbols[S]; // a copy: symbols are made below
  LaneInt Result = LaneInt::symbol(S);
  SmallVector<LaneInt, 3> X;
  bool Changed = false;
  for (const LaneInt &Operand : Sym.Operands) {
    X.push_back(putIn(Operand, Mask, Values));
    Changed |= !(X.back() == Operand);
  }
  if (Changed) {
    switch (Sym.Op) {
    case LaneOp::FloorDiv:
      Result = divMod(X[0], X[1]).first;
      break;
    case LaneOp::And:
      Result = bitAnd(X[0], X[1]);
      break;
    case LaneOp::Or:
      Result = bitOr(X[0], X[1]);
      break;
    case LaneOp::Xor:
      Result = bitXor(X[0], X[1]);
      break;
    case LaneOp::Shl:
      Result = shiftLeft(X[0], X[1], 64);
      break;
    case LaneOp::Shr:
      Result = shiftRight(X[0], X[1], /*Logical=*/false, 64);
      break;
    case LaneOp::Mul:
      Result = mul(X[0], X[1]);
      break;
    case LaneOp::IsGE0:
      Result = isGE0(X[0]);
      break;
    case LaneOp::IsEQ0:
      Result = isEQ0(X[0]);
      break;
    case LaneOp::Popcount:
    case LaneOp::Geometric: {
      LaneInt New =
          LaneInt::symbol(derived(Sym.Op, X, {Sym.Lo, Sym.Hi}, Sym.Divisor));
      Valuation None;
      Result = all_of(X, [](const LaneInt &V) { return V.isConstant(); })
                   ? LaneInt(evaluate(New, None))
                   : New;
      break;
    }
    case LaneOp::None:
      break;
    }
  }
  Result = focus(Result, Mask);
  Values.try_emplace(S, Result);
  return Result;
}

} // namespace warplint
