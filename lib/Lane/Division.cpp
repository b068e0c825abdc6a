//===- Division.cpp - Quotients, remainders and shifts right -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneWise.h"
#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {

/// The terms of A that d divides go to the quotient whole. What is left is
/// g * X + c with g the common divisor of the rest and d; where all lanes'
/// constants lie in one window of g, the quotient of the rest is one uniform
/// number: floor((g * X + c) / d) = floor((X + floor(c / g)) / (d / g)).
std::pair<LaneInt, LaneInt> LaneDomain::divModConstant(const LaneInt &A,
                                                       int64_t D) {
  if (D == 1)
    return {A, LaneInt().withAssumed(A.assumed())};
  SmallVector<Term, 2> Whole, Rest;
  for (const Term &T : A.terms()) {
    if (T.K.all([&](int64_t K) { return K % D == 0; })) {
      Term Q = T;
      Q.K = Lanes::map(Q.K, [&](int64_t K) { return K / D; });
      Whole.push_back(std::move(Q));
    } else {
      Rest.push_back(T);
    }
  }
  LaneInt Quotient(Lanes(), std::move(Whole));
  LaneInt Left(A.constant(), std::move(Rest));

  // n = 32 * (n / 32): a term that d divides thanks to its symbols' divisors.
  SmallVector<Term, 2> Stay;
  for (const Term &T : Left.terms()) {
    int64_t M = monomialDivisor(T.M);
    if (M <= 1 ||
        !T.K.all([&](int64_t K) { return __int128(K) * M % D == 0; })) {
      Stay.push_back(T);
      continue;
    }
    Interval R = monomialRange(T.M);
    auto Shrink = [&](int64_t X) {
      return X == INT64_MIN || X == INT64_MAX ? X : floorDiv(X, M);
    };
    SymbolId Part = derived(
        LaneOp::FloorDiv,
        {LaneInt(Lanes(), {Term{T.M, Lanes::splat(1)}}), LaneInt::constant(M)},
        {Shrink(R.Lo), Shrink(R.Hi)});
    Lanes K = Lanes::map(
        T.K, [&](int64_t X) { return int64_t(__int128(X) * M / D); });
    Quotient = add(Quotient, LaneInt(Lanes(), {Term{{Part}, K}}));
  }
  Left = LaneInt(A.constant(), std::move(Stay));

  auto Finish = [&](const LaneInt &Q, const LaneInt &R) {
    return std::make_pair(add(Quotient, Q).withAssumed(A.assumed()),
                          R.withAssumed(A.assumed()));
  };
  if (Left.isConstant()) {
    LaneInt By = LaneInt::constant(D);
    return Finish(mapLanes(Left, By, floorDiv), mapLanes(Left, By, floorMod));
  }
  // Symbols that cannot move a lane over a multiple of d leave its quotient
  // constant.
  Lanes Constant;
  bool Still = true;
  LaneRanges Ranges;
  rangesOfLanes(Left, AllLanes, Ranges);
  for (unsigned L = 0; L < WarpLanes && Still; ++L) {
    Interval R = Ranges[L];
    Still = R.Lo != INT64_MIN && R.Hi != INT64_MAX &&
            floorDiv(R.Lo, D) == floorDiv(R.Hi, D);
    Constant[L] = Still ? floorDiv(R.Lo, D) : 0;
  }
  if (Still)
    return Finish(LaneInt(Constant), sub(Left, scale(LaneInt(Constant), D)));

  int64_t G = gcdOf(symbolicDivisor(Left), D);
  Lanes Window, Inside;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    Window[L] = floorDiv(Left.constant()[L], G) * G;
    Inside[L] = Left.constant()[L] - Window[L];
  }
  LaneInt Base(Window,
               SmallVector<Term, 2>(Left.terms().begin(), Left.terms().end()));
  Interval R = range(Base);
  auto Shrink = [&](int64_t X) {
    return X == INT64_MIN || X == INT64_MAX ? X : floorDiv(X, D);
  };
  LaneInt Q =
      LaneInt::symbol(derived(LaneOp::FloorDiv, {Base, LaneInt::constant(D)},
                              {Shrink(R.Lo), Shrink(R.Hi)}));
  return Finish(Q, sub(Left, scale(Q, D)));
}

std::pair<LaneInt, LaneInt> LaneDomain::divMod(const LaneInt &A,
                                               const LaneInt &B) {
  if (auto D = B.uniformConstant(); D && *D > 0)
    return divModConstant(A, *D);
  if (A.isConstant() && B.isConstant() &&
      B.constant().all([](int64_t X) { return X > 0; }))
    return {mapLanes(A, B, floorDiv), mapLanes(A, B, floorMod)};

  // Division by one symbol: terms that hold it divide exactly.
  LaneInt Quotient;
  LaneInt Left = A;
  if (auto S = B.singleSymbol()) {
    SmallVector<Term, 2> Stay;
    for (const Term &T : A.terms()) {
      const auto *At = find(T.M, *S);
      if (At == T.M.end()) {
        Stay.push_back(T);
        continue;
      }
      Monomial M(T.M.begin(), T.M.end());
      M.erase(M.begin() + (At - T.M.begin()));
      Quotient = add(Quotient, M.empty() ? LaneInt(T.K)
                                         : LaneInt(Lanes(), {Term{M, T.K}}));
    }
    Left = LaneInt(A.constant(), std::move(Stay));
  }
  if (!(Left == LaneInt())) {
    Interval RA = range(Left), RB = range(B);
    if (RA.Lo >= 0 && RA.Hi < RB.Lo)
      return {Quotient.withAssumed(A.assumed()).withAssumed(B.assumed()),
              Left.withAssumed(A.assumed()).withAssumed(B.assumed())};
    Interval R = RA.Lo >= 0 ? Interval{0, RA.Hi} : Interval();
    Quotient =
        add(Quotient, LaneInt::symbol(derived(LaneOp::FloorDiv, {Left, B}, R)));
  }
  // The remainder holds the quotient, so that row * n + col becomes the index
  // it was split from.
  LaneInt Remainder = sub(A, mul(B, Quotient));
  return {Quotient.withAssumed(A.assumed()).withAssumed(B.assumed()),
          Remainder.withAssumed(A.assumed()).withAssumed(B.assumed())};
}

LaneInt LaneDomain::divide(const LaneInt &A, const LaneInt &B, bool Signed,
                           unsigned Bits) {
  if (A.isConstant() && B.isConstant())
    return wrap(mapLanes(A, B,
                         [&](int64_t X, int64_t Y) -> int64_t {
                           if (!Signed) {
                             uint64_t UX = zeroExtendBits(X, Bits);
                             uint64_t UY = zeroExtendBits(Y, Bits);
                             return UY ? int64_t(UX / UY) : 0;
                           }
                           return Y == 0 ? 0 : Y == -1 ? wrapSub(0, X) : X / Y;
                         }),
                Bits);
  if (auto D = B.uniformConstant(); D && *D < 0 && Signed && *D != INT64_MIN)
    return scale(divMod(A, LaneInt::constant(-*D)).first, -1);
  return divMod(A, B).first;
}

LaneInt LaneDomain::remainder(const LaneInt &A, const LaneInt &B, bool Signed,
                              unsigned Bits) {
  if (A.isConstant() && B.isConstant())
    return wrap(mapLanes(A, B,
                         [&](int64_t X, int64_t Y) -> int64_t {
                           if (!Signed) {
                             uint64_t UX = zeroExtendBits(X, Bits);
                             uint64_t UY = zeroExtendBits(Y, Bits);
                             return UY ? int64_t(UX % UY) : 0;
                           }
                           return Y == 0 || Y == -1 ? 0 : X % Y;
                         }),
                Bits);
  if (auto D = B.uniformConstant(); D && *D < 0 && Signed && *D != INT64_MIN)
    return divMod(A, LaneInt::constant(-*D)).second;
  return divMod(A, B).second;
}

LaneInt LaneDomain::shiftRight(const LaneInt &A, const LaneInt &B, bool Logical,
                               unsigned Bits) {
  if (A.isConstant() && B.isConstant())
    return wrap(
        mapLanes(A, B,
                 [&](int64_t X, int64_t Y) -> int64_t {
                   uint64_t By = zeroExtendBits(Y, Bits);
                   if (By >= Bits)
                     return Logical || X >= 0 ? 0 : -1;
                   return Logical
                              ? int64_t(uint64_t(zeroExtendBits(X, Bits)) >> By)
                              : X >> By;
                 }),
        Bits);
  if (auto By = B.uniformConstant(); By && *By >= 0 && *By < 62)
    return divMod(A, LaneInt::constant(int64_t(1) << *By)).first;
  return LaneInt::symbol(
             derived(LaneOp::Shr, {A, B},
                     range(A).Lo >= 0 ? Interval{0, range(A).Hi} : Interval()))
      .withAssumed(A.assumed())
      .withAssumed(B.assumed());
}

} // namespace warplint
