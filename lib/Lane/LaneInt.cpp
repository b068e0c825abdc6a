//===- LaneInt.cpp - 32 lanes of a polynomial over symbols ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Lane/LaneInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {

hash_code hash_value(const LaneInt &A) {
  hash_code H = hash_value(A.constant());
  for (const Term &T : A.terms())
    H = hash_combine(H, hash_combine_range(T.M), hash_value(T.K));
  return H;
}

LaneInt LaneInt::symbol(SymbolId S) {
  return LaneInt(Lanes(), {Term{{S}, Lanes::splat(1)}});
}

std::optional<int64_t> LaneInt::uniformConstant() const {
  if (!isConstant() || !P->C.isUniform())
    return std::nullopt;
  return P->C[0];
}

std::optional<SymbolId> LaneInt::singleSymbol() const {
  if (P->Terms.size() != 1 || P->Terms[0].M.size() != 1 || !P->C.isZero() ||
      P->Terms[0].K != Lanes::splat(1))
    return std::nullopt;
  return P->Terms[0].M[0];
}

LaneInt LaneInt::withAssumed(ArrayRef<SymbolId> More) const {
  SmallVector<SymbolId, 1> All(P->Assumed);
  for (SymbolId S : More)
    if (!is_contained(All, S))
      All.push_back(S);
  if (All.size() == P->Assumed.size())
    return *this;
  sort(All);
  return LaneInt(P->C, P->Terms, std::move(All));
}

} // namespace warplint
