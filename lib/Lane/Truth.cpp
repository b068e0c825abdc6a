//===- Truth.cpp - Comparisons, choices, and what is likely --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace warplint {

/// One position in so many is the border, or the exception.
static constexpr unsigned Few = 8;
/// So few positions can be gone through: none of them is an exception.
static constexpr uint64_t FewPositions = 8;

/// `a >= 0` and its opposite `-a - 1 >= 0` share one symbol, so that the two
/// sides of a branch are known to exclude each other.
static bool isCanonical(const LaneInt &A) {
  for (const Term &T : A.terms())
    for (unsigned L = 0; L < WarpLanes; ++L)
      if (int64_t K = T.K[L])
        return K > 0;
  return true;
}

LaneInt LaneDomain::isGE0(const LaneInt &A) {
  Lanes Known;
  LaneMask Undecided = 0;
  LaneRanges Ranges;
  rangesOfLanes(A, AllLanes, Ranges);
  for (unsigned L = 0; L < WarpLanes; ++L) {
    Interval R = Ranges[L];
    if (R.Lo >= 0)
      Known[L] = 1;
    else if (R.Hi >= 0)
      Undecided |= LaneMask(1) << L;
  }
  LaneInt Decided = LaneInt(Known).withAssumed(A.assumed());
  if (!Undecided)
    return Decided;
  LaneInt Asked;
  if (isCanonical(A))
    Asked = LaneInt::symbol(derived(LaneOp::IsGE0, {A}, {0, 1}));
  else
    Asked = notOf(LaneInt::symbol(
        derived(LaneOp::IsGE0, {sub(LaneInt::constant(-1), A)}, {0, 1})));
  return blend(Undecided, Asked, Decided);
}

LaneInt LaneDomain::isEQ0(const LaneInt &A) {
  Lanes Known;
  LaneMask Undecided = 0;
  LaneRanges Ranges;
  rangesOfLanes(A, AllLanes, Ranges);
  for (unsigned L = 0; L < WarpLanes; ++L) {
    Interval R = Ranges[L];
    if (R.Lo == 0 && R.Hi == 0) {
      Known[L] = 1;
      continue;
    }
    if (R.Lo > 0 || R.Hi < 0)
      continue;
    // c + g * X is never 0 when g does not divide c.
    int64_t G = 0;
    for (const Term &T : A.terms())
      G = gcdOf(G, wrapMul(T.K[L], monomialDivisor(T.M)));
    if (G == 0) {
      Known[L] = A.constant()[L] == 0;
      continue;
    }
    if (A.constant()[L] % G == 0)
      Undecided |= LaneMask(1) << L;
  }
  LaneInt Decided = LaneInt(Known).withAssumed(A.assumed());
  if (!Undecided)
    return Decided;
  LaneInt Asked = LaneInt::symbol(
      derived(LaneOp::IsEQ0, {isCanonical(A) ? A : scale(A, -1)}, {0, 1}));
  return blend(Undecided, Asked, Decided);
}

LaneInt LaneDomain::select(const LaneInt &Cond, const LaneInt &A,
                           const LaneInt &B) {
  if (A == B)
    return A.withAssumed(B.assumed());
  LaneMask True = knownTrue(Cond), False = knownFalse(Cond);
  LaneMask Undecided = ~(True | False);
  if (!Undecided)
    return blend(True, A, B).withAssumed(Cond.assumed());
  int Interior = likely(Cond);
  if (Interior >= 0) {
    SmallVector<SymbolId, 4> Taken;
    for (const Term &T : Cond.terms())
      Taken.append(T.M.begin(), T.M.end());
    return blend(Interior ? True | Undecided : True, A, B)
        .withAssumed(Cond.assumed())
        .withAssumed(Taken);
  }
  return add(B, mul(Cond, sub(A, B)));
}

LaneInt LaneDomain::selectExactly(const LaneInt &Cond, const LaneInt &A,
                                  const LaneInt &B) {
  LaneMask True = knownTrue(Cond), False = knownFalse(Cond);
  if (!~(True | False))
    return blend(True, A, B).withAssumed(Cond.assumed());
  return add(B, mul(Cond, sub(A, B)));
}

LaneMask LaneDomain::knownTrue(const LaneInt &Cond) const {
  LaneMask M = 0;
  LaneRanges Ranges;
  rangesOfLanes(Cond, AllLanes, Ranges);
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (Ranges[L].Lo >= 1)
      M |= LaneMask(1) << L;
  return M;
}

LaneMask LaneDomain::knownFalse(const LaneInt &Cond) const {
  LaneMask M = 0;
  LaneRanges Ranges;
  rangesOfLanes(Cond, AllLanes, Ranges);
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (Ranges[L].Hi <= 0)
      M |= LaneMask(1) << L;
  return M;
}

int LaneDomain::likely(const LaneInt &Cond) const {
  int Result = -1;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    int64_t V = Cond.constant()[L];
    bool Any = false, Known = true;
    for (const Term &T : Cond.terms()) {
      if (!T.K[L])
        continue;
      Any = true;
      int64_t Product = T.K[L];
      bool TermKnown = true;
      for (SymbolId S : T.M) {
        if (Symbols[S].Likely == 0)
          Product = 0;
        TermKnown &= Symbols[S].Likely >= 0;
      }
      if (Product != 0 && !TermKnown)
        Known = false;
      V += Product;
    }
    if (!Any)
      continue; // decided in this lane
    if (!Known || (Result >= 0 && Result != int(V != 0)))
      return -1;
    Result = V != 0;
  }
  return Result;
}

/// Why an undecided comparison holds in the interior of the grid, or not.
///
/// Bounds checks compare a position with a size that came in as an argument:
/// `n - 1 - i >= 0`. A size stands alone (n, w*h), a position has thread or
/// block indices or counters in it. Comparisons of positions with constants
/// are settled by a typical position: somewhere inside.
int LaneDomain::likelyGE0(const LaneInt &A) const {
  int SizeSign = 0, PositionSign = 0;
  for (const Term &T : A.terms()) {
    bool Size = true, Position = false;
    for (SymbolId S : T.M) {
      const Symbol &Sym = Symbols[S];
      if (Sym.Reach & DataOrigins)
        return -1;
      bool Counts = Sym.Varying || (Sym.Reach & CounterOrigins);
      Position |= Counts;
      Size &= !Counts;
    }
    int Sign = T.K[WarpLanes - 1] > 0 || T.K[0] > 0 ? 1 : -1;
    if (Size)
      SizeSign = SizeSign == 0 || SizeSign == Sign ? Sign : 2;
    if (Position)
      PositionSign = PositionSign == 0 || PositionSign == Sign ? Sign : 2;
  }
  bool LaneDependent = !isUniform(A);
  if (SizeSign == 1 && (PositionSign == -1 || LaneDependent))
    return 1;
  if (SizeSign == -1 && (PositionSign == 1 || LaneDependent))
    return 0;
  if (SizeSign != 0)
    return -1; // sizes compared with each other or with constants
  if (PositionSign != 0)
    return likelyAtPositions(A);
  return -1;
}

bool LaneDomain::positionsWithin(ArrayRef<SymbolId> Base,
                                 uint64_t Limit) const {
  uint64_t Count = 1;
  for (SymbolId S : Base) {
    const Symbol &Sym = Symbols[S];
    if (!Sym.isCounter() || Sym.Varying || Sym.Lo == INT64_MIN ||
        Sym.Hi == INT64_MAX || uint64_t(Sym.Hi) - uint64_t(Sym.Lo) >= Limit)
      return false;
    Count *= uint64_t(Sym.Hi - Sym.Lo) + 1;
    if (Count > Limit)
      return false;
  }
  return true;
}

/// \p A is one value for a warp and rests on few positions, all known.
bool LaneDomain::fewPositions(const LaneInt &A) const {
  SmallVector<SymbolId, 4> Base;
  baseSymbols(A, Base);
  return isUniform(A) && positionsWithin(Base, FewPositions);
}

int LaneDomain::likelyAtPositions(const LaneInt &A) const {
  if (fewPositions(A))
    return -1;
  // Blocks and rounds where their number is not known: many, and some.
  constexpr double SomeBlocks = 128, SomeRounds = 16;
  constexpr unsigned Points = 61;
  unsigned Holds = 0, All = 0;
  for (unsigned Point = 0; Point < Points; ++Point)
    for (unsigned L = 0; L < WarpLanes; L += 5) {
      double Value = double(A.constant()[L]);
      for (const Term &T : A.terms()) {
        double Product = double(T.K[L]);
        for (SymbolId S : T.M) {
          const Symbol &Sym = Symbols[S];
          const double Lo = Sym.Lo == INT64_MIN ? 0 : double(Sym.Lo);
          const double Hi = Sym.Hi != INT64_MAX ? double(Sym.Hi)
                            : Sym.Origin == SymbolOrigin::BlockIndex
                                ? Lo + SomeBlocks
                                : Lo + SomeRounds;
          // Each symbol goes through its range in steps of its own.
          const double Part =
              double((Point * (2 * (S % 29) + 1)) % Points) / (Points - 1);
          Product *= std::floor(Lo + Part * (Hi - Lo));
        }
        Value += Product;
      }
      Holds += Value >= 0;
      ++All;
    }
  if (Holds * Few <= All)
    return 0;
  return (All - Holds) * Few <= All ? 1 : -1;
}

/// Equality with one position among many is the exception; among few, as in
/// `blockIdx.x % 2 == 0`, it is not.
int LaneDomain::likelyEQ0(const LaneInt &A) const {
  if (restsOn(A, DataOrigins))
    return -1;
  if (!restsOn(A, CounterOrigins))
    return isUniform(A) ? -1 : 0;
  if (fewPositions(A))
    return -1;
  const Interval Values = range(A);
  const double Count = (double(Values.Hi) - double(Values.Lo)) /
                           double(std::max<int64_t>(symbolicDivisor(A), 1)) +
                       1;
  return Count < Few ? -1 : 0;
}

} // namespace warplint
