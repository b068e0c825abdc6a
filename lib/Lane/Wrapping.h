//===- Wrapping.h - 64-bit arithmetic that may overflow ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LANE_WRAPPING_H
#define WARPLINT_LIB_LANE_WRAPPING_H

#include <cassert>
#include <cstdint>

namespace warplint {

inline int64_t wrapAdd(int64_t A, int64_t B) {
  return int64_t(uint64_t(A) + uint64_t(B));
}
inline int64_t wrapSub(int64_t A, int64_t B) {
  return int64_t(uint64_t(A) - uint64_t(B));
}
inline int64_t wrapMul(int64_t A, int64_t B) {
  return int64_t(uint64_t(A) * uint64_t(B));
}
/// floor(A / B). \p B > 0.
inline int64_t floorDiv(int64_t A, int64_t B) {
  assert(B > 0 && "floor division by a positive number");
  int64_t Q = A / B;
  return A % B < 0 ? Q - 1 : Q;
}
/// A - B * floor(A / B), in 0 to B - 1. \p B > 0.
inline int64_t floorMod(int64_t A, int64_t B) {
  int64_t R = A % B;
  return R < 0 ? R + B : R;
}
/// The low \p Bits bits of \p X as a signed number.
inline int64_t signExtend(int64_t X, unsigned Bits) {
  if (Bits >= 64)
    return X;
  return int64_t(uint64_t(X) << (64 - Bits)) >> (64 - Bits);
}
/// The low \p Bits bits of \p X as an unsigned number.
inline int64_t zeroExtendBits(int64_t X, unsigned Bits) {
  return Bits >= 64 ? X : int64_t(uint64_t(X) & ((uint64_t(1) << Bits) - 1));
}
/// Greatest common divisor of magnitudes; gcd(0, x) = |x|.
inline int64_t gcdOf(int64_t A, int64_t B) {
  uint64_t X = A < 0 ? 0 - uint64_t(A) : uint64_t(A);
  uint64_t Y = B < 0 ? 0 - uint64_t(B) : uint64_t(B);
  while (Y) {
    uint64_t T = X % Y;
    X = Y;
    Y = T;
  }
  // 2^63 does not fit; a smaller power of two divides it.
  return X > uint64_t(INT64_MAX) ? int64_t(1) << 62 : int64_t(X);
}
/// Saturating arithmetic for bounds, where the ends of int64_t mean "unknown".
inline int64_t saturate(__int128 X) {
  return X <= INT64_MIN ? INT64_MIN : X >= INT64_MAX ? INT64_MAX : int64_t(X);
}

} // namespace warplint

#endif // WARPLINT_LIB_LANE_WRAPPING_H
