//===- Evaluate.cpp - A value once its symbols have values ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace warplint {

/// B to the power of \p I, wrapping; 1 for I <= 0.
static int64_t power(int64_t B, int64_t I) {
  int64_t P = 1;
  for (; I > 0; I >>= 1, B = wrapMul(B, B))
    if (I & 1)
      P = wrapMul(P, B);
  return P;
}

/// floor(floor(A / B) / B ...), \p I times. Settles at 0 or -1 after at
/// most 64.
static int64_t dividedBy(int64_t A, int64_t B, int64_t I) {
  for (; I > 0; --I) {
    int64_t Next = floorDiv(A, B);
    if (Next == A)
      break;
    A = Next;
  }
  return A;
}

static int64_t apply(LaneOp Op, int64_t A, int64_t B, int64_t I) {
  switch (Op) {
  case LaneOp::FloorDiv:
    return B > 0 ? floorDiv(A, B) : 0;
  case LaneOp::And:
    return A & B;
  case LaneOp::Or:
    return A | B;
  case LaneOp::Xor:
    return A ^ B;
  case LaneOp::Shl:
    return B >= 0 && B < 63 ? wrapMul(A, int64_t(1) << B) : 0;
  case LaneOp::Shr:
    return B >= 0 && B < 63 ? A >> B : (A < 0 ? -1 : 0);
  case LaneOp::Mul:
    return wrapMul(A, B);
  case LaneOp::IsGE0:
    return A >= 0;
  case LaneOp::IsEQ0:
    return A == 0;
  case LaneOp::Popcount:
    return popcount(uint64_t(zeroExtendBits(A, unsigned(B))));
  case LaneOp::Geometric:
    return B > 0 ? wrapMul(A, power(B, I)) : dividedBy(A, -B, I);
  case LaneOp::None:
    break;
  }
  llvm_unreachable("a base symbol has no operation");
}

Lanes LaneDomain::evaluate(const LaneInt &A, Valuation &Values) const {
  Work += 1 + 2 * A.terms().size();
  Lanes Sum = A.constant();
  for (const Term &T : A.terms()) {
    Lanes Product = T.K;
    for (SymbolId S : T.M)
      Product = Lanes::map(Product, valueOf(S, Values), wrapMul);
    Sum = Lanes::map(Sum, Product, wrapAdd);
  }
  return Sum;
}

Lanes LaneDomain::valueOf(SymbolId S, Valuation &Values) const {
  if (auto At = Values.find(S); At != Values.end())
    return At->second;
  const Symbol &Sym = Symbols[S];
  assert(Sym.Op != LaneOp::None && "base symbol without a value");
  Lanes X = evaluate(Sym.Operands[0], Values), Y, Z;
  if (Sym.Operands.size() > 1)
    Y = evaluate(Sym.Operands[1], Values);
  if (Sym.Operands.size() > 2)
    Z = evaluate(Sym.Operands[2], Values);
  Lanes V;
  if (Sym.Operands.size() <= 2) {
    V = Lanes::map(
        X, Y, [&](int64_t A, int64_t B) { return apply(Sym.Op, A, B, 0); });
  } else {
    const Lanes &CX = X, &CY = Y, &CZ = Z;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = apply(Sym.Op, CX[L], CY[L], CZ[L]);
    V.settle();
  }
  Values[S] = V;
  return V;
}

} // namespace warplint
