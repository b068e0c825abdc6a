//===- Facts.cpp - Bounds, divisors and uniformity of values -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

static Interval times(Interval A, Interval B) {
  // An unknown end makes every product unknown on the side it reaches; taking
  // both ends off is coarser and safe.
  auto Unknown = [](Interval I) {
    return I.Lo == INT64_MIN || I.Hi == INT64_MAX;
  };
  if (A.Lo == 0 && A.Hi == 0)
    return A;
  if (B.Lo == 0 && B.Hi == 0)
    return B;
  if (Unknown(A) || Unknown(B)) {
    if (A.Lo >= 0 && B.Lo >= 0)
      return {saturate(__int128(A.Lo) * B.Lo), INT64_MAX};
    return {};
  }
  __int128 P[] = {__int128(A.Lo) * B.Lo, __int128(A.Lo) * B.Hi,
                  __int128(A.Hi) * B.Lo, __int128(A.Hi) * B.Hi};
  return {saturate(*std::min_element(P, P + 4)),
          saturate(*std::max_element(P, P + 4))};
}

static Interval scaleBy(Interval A, int64_t K) {
  if (K == 0)
    return {0, 0};
  int64_t Lo = A.Lo == INT64_MIN ? INT64_MIN : saturate(__int128(A.Lo) * K);
  int64_t Hi = A.Hi == INT64_MAX ? INT64_MAX : saturate(__int128(A.Hi) * K);
  if (K > 0)
    return {Lo, Hi};
  return {A.Hi == INT64_MAX ? INT64_MIN : Hi,
          A.Lo == INT64_MIN ? INT64_MAX : Lo};
}

static Interval plus(Interval A, Interval B) {
  return {
      A.Lo == INT64_MIN || B.Lo == INT64_MIN ? INT64_MIN
                                             : saturate(__int128(A.Lo) + B.Lo),
      A.Hi == INT64_MAX || B.Hi == INT64_MAX ? INT64_MAX
                                             : saturate(__int128(A.Hi) + B.Hi)};
}

Interval LaneDomain::monomialRange(const Monomial &M) const {
  Interval R{1, 1};
  for (size_t I = 0; I < M.size(); ++I) {
    const Symbol &S = Symbols[M[I]];
    R = times(R, {S.Lo, S.Hi});
  }
  return R;
}

int64_t LaneDomain::monomialDivisor(const Monomial &M) const {
  int64_t D = 1;
  for (SymbolId S : M) {
    __int128 P = __int128(D) * Symbols[S].Divisor;
    if (P > (int64_t(1) << 40))
      break; // more is never needed, and a divisor of the product it stays
    D = int64_t(P);
  }
  return D;
}

/// A - d * floor(U / d), with U the whole symbolic part of A: the range of a
/// remainder, which the sum of the terms' ranges cannot see.
void LaneDomain::narrowByRemainders(const LaneInt &A, LaneMask Mask,
                                    LaneRanges &Out) const {
  if (A.terms().size() > MaxNarrowed)
    return;
  LaneMask Open = Mask;
  for (const Term &T : A.terms()) {
    if (T.M.size() != 1)
      continue;
    const Symbol &Q = Symbols[T.M[0]];
    if (Q.Op != LaneOp::FloorDiv)
      continue;
    std::optional<int64_t> D = Q.Operands[1].uniformConstant();
    if (!D || *D <= 0)
      continue;
    // In other lanes the factor may differ: lanes of one factor at a time.
    for (LaneMask Left = Open; Left;) {
      const int64_t K = T.K[countr_zero(Left)];
      LaneMask Group = 0;
      for (unsigned L = 0; L < WarpLanes; ++L)
        if ((Left >> L & 1) && T.K[L] == K)
          Group |= LaneMask(1) << L;
      Left &= ~Group;
      if (K == 0 || K % *D)
        continue;
      int64_t F = -K / *D; // A = F * (U - d * Q) + rest
      LaneInt Rest =
          linear(linear(A, Q.Operands[0], -F), LaneInt(Lanes(), {T}), -1);
      auto Live = [](const LaneInt &X, unsigned Lane) {
        return count_if(X.terms(), [&](const Term &Y) { return Y.K[Lane]; });
      };
      LaneMask Simpler = 0;
      for (unsigned L = 0; L < WarpLanes; ++L)
        if ((Group >> L & 1) && Live(Rest, L) < Live(A, L))
          Simpler |= LaneMask(1) << L;
      if (!Simpler)
        continue;
      LaneRanges Others;
      rangesOfLanes(Rest, Simpler, Others);
      for (unsigned L = 0; L < WarpLanes; ++L) {
        if (!(Simpler >> L & 1))
          continue;
        Interval Better = plus(scaleBy({0, *D - 1}, F), Others[L]);
        Out[L].Lo = std::max(Out[L].Lo, Better.Lo);
        Out[L].Hi = std::min(Out[L].Hi, Better.Hi);
      }
      Open &= ~Simpler;
    }
  }
}

void LaneDomain::rangesOfLanes(const LaneInt &A, LaneMask Mask,
                               LaneRanges &Out) const {
  Work += 1 + A.terms().size();
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (Mask >> L & 1)
      Out[L] = {A.constant()[L], A.constant()[L]};
  for (const Term &T : A.terms()) {
    Interval M = monomialRange(T.M), Same = scaleBy(M, T.K[0]);
    for (unsigned L = 0; L < WarpLanes; ++L)
      if (Mask >> L & 1)
        Out[L] = plus(Out[L], T.K.isSplat() ? Same : scaleBy(M, T.K[L]));
  }
  narrowByRemainders(A, Mask, Out);
}

Interval LaneDomain::rangeOfLane(const LaneInt &A, unsigned Lane) const {
  LaneRanges R;
  rangesOfLanes(A, LaneMask(1) << Lane, R);
  return R[Lane];
}

Interval LaneDomain::range(const LaneInt &A, LaneMask Mask) const {
  LaneRanges Each;
  rangesOfLanes(A, Mask, Each);
  Interval R{INT64_MAX, INT64_MIN};
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (Mask >> L & 1)
      R = {std::min(R.Lo, Each[L].Lo), std::max(R.Hi, Each[L].Hi)};
  return R.Lo > R.Hi ? Interval() : R;
}

void LaneDomain::noteRead(SymbolId S, const LaneInt &Address, unsigned Bytes) {
  Symbols[S].ReadAt.assign(1, Address);
  Symbols[S].ReadBytes = Bytes;
}

void LaneDomain::assumeDivisor(SymbolId S, int64_t Divisor) {
  int64_t Old = Symbols[S].Divisor;
  Symbols[S].Divisor = Old / gcdOf(Old, Divisor) * Divisor;
}

void LaneDomain::assumeRange(SymbolId S, Interval Range) {
  Symbols[S].Lo = std::max(Symbols[S].Lo, Range.Lo);
  Symbols[S].Hi = std::min(Symbols[S].Hi, Range.Hi);
}

int64_t LaneDomain::symbolicDivisor(const LaneInt &A) const {
  int64_t G = 0;
  for (const Term &T : A.terms()) {
    int64_t D = monomialDivisor(T.M), K = 0, Last = 0;
    T.K.all([&](int64_t X) {
      if (X != Last)
        K = gcdOf(K, X);
      Last = X;
      return true;
    });
    __int128 P = __int128(K) * D;
    G = gcdOf(G, P > INT64_MAX ? K : int64_t(P));
  }
  return G;
}

bool LaneDomain::isVarying(const Monomial &M) const {
  return any_of(M, [&](SymbolId S) { return Symbols[S].Varying; });
}

bool LaneDomain::isUniformTerm(const Term &T, LaneMask Mask) const {
  return T.K.isUniform(Mask) && !isVarying(T.M);
}

bool LaneDomain::isUniform(const LaneInt &A, LaneMask Mask) const {
  return A.constant().isUniform(Mask) && all_of(A.terms(), [&](const Term &T) {
           return isUniformTerm(T, Mask);
         });
}

bool LaneDomain::visitSymbols(const LaneInt &A,
                              function_ref<bool(SymbolId)> Stop) const {
  SmallDenseSet<SymbolId, 32> Seen;
  SmallVector<SymbolId, 32> Left;
  auto Push = [&](const LaneInt &X) {
    for (const Term &T : X.terms())
      for (SymbolId S : T.M)
        if (Seen.insert(S).second)
          Left.push_back(S);
  };
  Push(A);
  while (!Left.empty()) {
    SymbolId Id = Left.pop_back_val();
    ++Work;
    if (Stop(Id))
      return true;
    for (const LaneInt &O : Symbols[Id].Operands)
      Push(O);
  }
  return false;
}

bool LaneDomain::restsOn(const LaneInt &A, OriginSet Any) const {
  return any_of(A.terms(), [&](const Term &T) {
    return any_of(T.M, [&](SymbolId S) { return Symbols[S].Reach & Any; });
  });
}

bool LaneDomain::anySymbol(const LaneInt &A,
                           function_ref<bool(const Symbol &)> Test) const {
  return visitSymbols(A, [&](SymbolId Id) { return Test(Symbols[Id]); });
}

void LaneDomain::baseSymbols(const LaneInt &A,
                             SmallVectorImpl<SymbolId> &Out) const {
  visitSymbols(A, [&](SymbolId Id) {
    if (Symbols[Id].Op == LaneOp::None)
      Out.push_back(Id);
    return false;
  });
  sort(Out);
}

} // namespace warplint
