//===- Limits.cpp - Values too long to be carried along ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A hash of loaded words grows with each of its operations, in terms or in the
/// depth of its definition, and every question about it costs as much. Nothing
/// can be proved of such a value beyond what one symbol holds.
///
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

uint64_t LaneDomain::sizeOf(const LaneInt &A) const {
  uint64_t Size = 0;
  for (const Term &T : A.terms())
    for (SymbolId S : T.M)
      Size += Symbols[S].Size;
  return Size;
}

/// The origin that stands for all of \p Reach in what is said about a value:
/// the one nothing can be done about first.
static SymbolOrigin worstOf(OriginSet Reach) {
  for (SymbolOrigin O :
       {SymbolOrigin::Loaded, SymbolOrigin::Assembly, SymbolOrigin::Float,
        SymbolOrigin::Call, SymbolOrigin::Recurrence, SymbolOrigin::Choice,
        SymbolOrigin::Argument, SymbolOrigin::Launch})
    if (Reach & originBit(O))
      return O;
  return SymbolOrigin::Derived;
}

/// One symbol in place of \p A, the same for the same value: what is below it
/// is forgotten, its facts are not.
LaneInt LaneDomain::cut(const LaneInt &A) {
  auto &Bucket = CutByHash[uint64_t(hash_value(A)) >> 2];
  for (auto &[Value, S] : Bucket)
    if (Value == A)
      return LaneInt::symbol(S).withAssumed(A.assumed());
  OriginSet Reach = 0;
  for (const Term &T : A.terms())
    for (SymbolId S : T.M)
      Reach |= Symbols[S].Reach;
  Symbol New;
  New.Origin = worstOf(Reach);
  New.Name = "a long computation";
  visitSymbols(A, [&](SymbolId S) {
    if (Symbols[S].Origin == New.Origin && !Symbols[S].Name.empty())
      New.Name = Symbols[S].Name;
    return Symbols[S].Origin == New.Origin;
  });
  New.IsSum = true;
  New.Varying = !isUniform(A);
  Interval Range = range(A);
  New.Lo = Range.Lo;
  New.Hi = Range.Hi;
  int64_t Divisor = symbolicDivisor(A);
  for (unsigned L = 0; L < WarpLanes; ++L)
    Divisor = gcdOf(Divisor, A.constant()[L]);
  New.Divisor = std::max<int64_t>(Divisor, 1);
  SymbolId S = fresh(std::move(New));
  CutByHash[uint64_t(hash_value(A)) >> 2].push_back({A, S});
  return LaneInt::symbol(S).withAssumed(A.assumed());
}

/// What the lanes are multiplied by is cut by itself: two rows of a long pitch
/// stay two rows, equally far apart in all the values that have them.
LaneInt LaneDomain::cutByLanes(ArrayRef<Term> Long) {
  struct Group {
    Lanes Factor; ///< 0 in the first lane, or 1 in all
    SmallVector<Term, 2> Terms;
  };
  SmallVector<Group, 4> Groups;
  SmallVector<Term, 2> Varying;
  auto Add = [&](const Lanes &Factor, const Monomial &M, int64_t K) {
    auto *At =
        find_if(Groups, [&](const Group &G) { return G.Factor == Factor; });
    if (At == Groups.end()) {
      Groups.push_back({Factor, {}});
      At = std::prev(Groups.end());
    }
    At->Terms.push_back({M, Lanes::splat(K)});
  };
  for (const Term &T : Long) {
    if (any_of(T.M, [&](SymbolId S) { return Symbols[S].Varying; })) {
      Varying.push_back(T);
      continue;
    }
    const Lanes &K = T.K;
    int64_t First = K[0];
    if (First != 0)
      Add(Lanes::splat(1), T.M, First);
    Lanes Rest = Lanes::map(K, [&](int64_t X) { return wrapSub(X, First); });
    if (Rest.isZero())
      continue;
    int64_t Step = 0;
    for (unsigned L = 0; L < WarpLanes; ++L)
      Step = gcdOf(Step, Rest[L]);
    Add(Lanes::map(Rest, [&](int64_t X) { return X / Step; }), T.M, Step);
  }
  LaneInt Sum = Varying.size() > 1 ? cut(LaneInt(Lanes(), std::move(Varying)))
                                   : LaneInt(Lanes(), std::move(Varying));
  for (Group &G : Groups) {
    LaneInt Value(Lanes(), std::move(G.Terms));
    Sum = add(Sum, mul(Value.terms().size() > 1 ? cut(Value) : Value,
                       LaneInt(G.Factor)));
  }
  return Sum;
}

LaneInt LaneDomain::shorten(const LaneInt &A) {
  if (A.terms().size() <= MaxCarried)
    return A;
  SmallVector<Term, 2> Kept, Long;
  for (const Term &T : A.terms()) {
    bool Data =
        any_of(T.M, [&](SymbolId S) { return Symbols[S].Reach & DataOrigins; });
    (Data ? Long : Kept).push_back(T);
  }
  if (Kept.size() > MaxCarried) {
    // Not data, and yet as long: all but the bases of arrays.
    SmallVector<Term, 2> Bases;
    for (Term &T : Kept)
      (T.M.size() == 1 && Symbols[T.M[0]].Origin == SymbolOrigin::Address
           ? Bases
           : Long)
          .push_back(T);
    Kept = std::move(Bases);
    sort(Long, [](const Term &X, const Term &Y) { return X.M < Y.M; });
  }
  if (Long.size() <= 1)
    return A;
  return add(LaneInt(A.constant(), std::move(Kept)), cutByLanes(Long))
      .withAssumed(A.assumed());
}

} // namespace warplint
