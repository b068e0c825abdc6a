//===- Bits.cpp - And, or, xor, shifts left, width changes ---------------===//
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
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace warplint {

static LaneInt carry(LaneInt R, const LaneInt &A, const LaneInt &B) {
  return R.withAssumed(A.assumed()).withAssumed(B.assumed());
}

/// The smallest number of low bits that hold every value of \p I; 64 where it
/// can be negative or is not known.
static unsigned bitsFor(Interval I) {
  if (I.Lo < 0 || I.Hi == INT64_MAX)
    return 64;
  return I.Hi == 0 ? 0 : Log2_64(I.Hi) + 1;
}

/// How many low bits of A's symbolic part are known to be zero (64: no
/// symbols).
static unsigned zeroBits(int64_t SymbolicDivisor) {
  return SymbolicDivisor == 0 ? 64 : countr_zero(uint64_t(SymbolicDivisor));
}

LaneInt LaneDomain::bitAnd(const LaneInt &A, const LaneInt &B) {
  if (A.isConstant() && B.isConstant())
    return mapLanes(A, B, [](int64_t X, int64_t Y) { return X & Y; });
  if (A == B)
    return carry(A, A, B);
  Interval RA = range(A), RB = range(B);
  if (RA.Lo >= 0 && RA.Hi <= 1 && RB.Lo >= 0 && RB.Hi <= 1)
    return mul(A, B); // truth values
  if (!B.isConstant() && A.isConstant())
    return bitAnd(B, A);
  if (auto M = B.uniformConstant()) {
    if (*M == 0)
      return carry(LaneInt(), A, B);
    if (*M == -1)
      return carry(A, A, B);
    // x & (2^k - 1), x & ~(2^k - 1) and a run of ones in between are
    // remainders, for negative x too (two's complement).
    auto Low = [&](unsigned K) {
      return K >= 62 ? A : divMod(A, LaneInt::constant(int64_t(1) << K)).second;
    };
    uint64_t U = uint64_t(*M);
    if (isMask_64(U) && *M > 0)
      return carry(Low(countr_one(U)), A, B);
    if (*M < 0 && isMask_64(~U))
      return carry(sub(A, Low(countr_one(~U))), A, B);
    if (*M > 0 && isShiftedMask_64(U))
      return carry(sub(Low(64 - countl_zero(U)), Low(countr_zero(U))), A, B);
  }
  // Bits above B's highest are gone: work on A's low part alone.
  if (unsigned K = bitsFor(RB); K < 62 && bitsFor(RA) > K) {
    LaneInt LowA = divMod(A, LaneInt::constant(int64_t(1) << K)).second;
    if (LowA.isConstant() && B.isConstant())
      return carry(
          mapLanes(LowA, B, [](int64_t X, int64_t Y) { return X & Y; }), A, B);
  }
  int64_t Hi = INT64_MAX;
  for (Interval R : {RA, RB})
    if (R.Lo >= 0)
      Hi = std::min(Hi, R.Hi);
  bool Known = RA.Lo >= 0 || RB.Lo >= 0;
  return carry(LaneInt::symbol(derived(LaneOp::And, {A, B},
                                       Known ? Interval{0, Hi} : Interval())),
               A, B);
}

/// Splits into a multiple of 2^k that holds all symbols, and constants below.
static std::optional<std::pair<LaneInt, LaneInt>>
splitLow(const LaneDomain &D, const LaneInt &A, unsigned K) {
  if (K >= 62 || zeroBits(D.symbolicDivisor(A)) < K)
    return std::nullopt;
  Lanes Low;
  for (unsigned L = 0; L < WarpLanes; ++L)
    Low[L] = floorMod(A.constant()[L], int64_t(1) << K);
  LaneInt LowInt(Low);
  return std::make_pair(D.sub(A, LowInt), LowInt);
}

LaneInt LaneDomain::bitOr(const LaneInt &A, const LaneInt &B) {
  if (A.isConstant() && B.isConstant())
    return mapLanes(A, B, [](int64_t X, int64_t Y) { return X | Y; });
  if (A == B)
    return carry(A, A, B);
  Interval RA = range(A), RB = range(B);
  if (RA.Lo >= 0 && RA.Hi <= 1 && RB.Lo >= 0 && RB.Hi <= 1)
    return sub(add(A, B), mul(A, B)); // truth values
  for (auto [X, Y, RY] : {std::tuple(&A, &B, RB), std::tuple(&B, &A, RA)}) {
    unsigned K = bitsFor(RY);
    if (auto Split = splitLow(*this, *X, K)) {
      if (Split->second == LaneInt())
        return add(A, B);
      if (Y->isConstant())
        return carry(add(Split->first, bitOr(Split->second, *Y)), A, B);
    }
  }
  Interval R;
  if (unsigned K = std::max(bitsFor(RA), bitsFor(RB)); K < 62)
    R = {0, (int64_t(1) << K) - 1};
  return carry(LaneInt::symbol(derived(LaneOp::Or, {A, B}, R)), A, B);
}

LaneInt LaneDomain::bitXor(const LaneInt &A, const LaneInt &B) {
  if (A.isConstant() && B.isConstant())
    return mapLanes(A, B, [](int64_t X, int64_t Y) { return X ^ Y; });
  if (A == B)
    return carry(LaneInt(), A, B);
  for (auto [X, Y] : {std::pair(&A, &B), std::pair(&B, &A)})
    if (auto C = Y->uniformConstant()) {
      if (*C == 0)
        return carry(*X, A, B);
      if (*C == -1)
        return sub(LaneInt::constant(-1), *X);
    }
  Interval RA = range(A), RB = range(B);
  if (RA.Lo >= 0 && RA.Hi <= 1 && RB.Lo >= 0 && RB.Hi <= 1)
    return sub(add(A, B), scale(mul(A, B), 2)); // truth values
  for (auto [X, Y, RY] : {std::tuple(&A, &B, RB), std::tuple(&B, &A, RA)}) {
    unsigned K = bitsFor(RY);
    if (auto Split = splitLow(*this, *X, K)) {
      if (Split->second == LaneInt())
        return add(A, B);
      if (Y->isConstant())
        return carry(add(Split->first, bitXor(Split->second, *Y)), A, B);
    }
  }
  // Both hold symbols above bit k: the low bits are exact, the high ones a
  // number of their own.
  unsigned K =
      std::min(zeroBits(symbolicDivisor(A)), zeroBits(symbolicDivisor(B)));
  if (K > 0 && K < 62) {
    auto SA = splitLow(*this, A, K), SB = splitLow(*this, B, K);
    if (SA && SB && !(SA->second == LaneInt() && SB->second == LaneInt())) {
      LaneInt High = bitXor(SA->first, SB->first);
      return carry(add(High, bitXor(SA->second, SB->second)), A, B);
    }
  }
  Interval R;
  if (unsigned W = std::max(bitsFor(RA), bitsFor(RB)); W < 62)
    R = {0, (int64_t(1) << W) - 1};
  return carry(LaneInt::symbol(derived(LaneOp::Xor, {A, B}, R,
                                       K < 62 ? int64_t(1) << K : 1)),
               A, B);
}

LaneInt LaneDomain::shiftLeft(const LaneInt &A, const LaneInt &B,
                              unsigned Bits) {
  if (B.isConstant()) {
    Lanes Factor;
    bool InRange = true;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      int64_t By = B.constant()[L];
      InRange &= By >= 0 && By < int64_t(Bits);
      Factor[L] = By >= 0 && By < 63 ? int64_t(1) << By : 0;
    }
    if (InRange || A.isConstant())
      return wrap(carry(mul(A, LaneInt(Factor)), A, B), Bits);
  }
  return carry(LaneInt::symbol(derived(LaneOp::Shl, {A, B},
                                       range(A).Lo >= 0 ? Interval{0, INT64_MAX}
                                                        : Interval())),
               A, B);
}

LaneInt LaneDomain::zeroExtend(const LaneInt &A, unsigned FromBits) {
  if (A.isConstant())
    return mapLanes(
        A, A, [&](int64_t X, int64_t) { return zeroExtendBits(X, FromBits); });
  if (FromBits >= 32)
    return A;
  Interval R = range(A);
  int64_t Size = int64_t(1) << FromBits;
  if (R.Lo >= 0 && R.Hi < Size)
    return A;
  return divMod(A, LaneInt::constant(Size)).second;
}

LaneInt LaneDomain::truncate(const LaneInt &A, unsigned ToBits) {
  if (A.isConstant())
    return wrap(A, ToBits);
  // A 64-bit index cut to int is the idiom `int i = blockIdx.x * n`: nobody
  // means it to wrap. Narrower types are used to take low bits.
  if (ToBits >= 32)
    return wrap(A, ToBits);
  int64_t Size = int64_t(1) << ToBits;
  Interval R = range(A);
  if (R.Lo >= -Size / 2 && R.Hi < Size / 2)
    return A;
  LaneInt Low = divMod(A, LaneInt::constant(Size)).second;
  if (range(Low).Hi < Size / 2)
    return Low;
  // Signed reading: low - size * (low >= size / 2).
  return sub(Low, scale(isGE0(sub(Low, LaneInt::constant(Size / 2))), Size));
}

} // namespace warplint
