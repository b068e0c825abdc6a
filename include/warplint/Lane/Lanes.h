//===- Lanes.h - One number for each lane ---------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// 32 numbers. Most are one number 32 times (the factor of blockIdx.x, the 4 of
/// an element's size), so those are kept as one, and operations on them cost as
/// much as one.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LANE_LANES_H
#define WARPLINT_LANE_LANES_H

#include "warplint/Machine/MachineModel.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <array>
#include <cstdint>

namespace warplint {

class Lanes {
public:
  Lanes() = default; ///< zeros
  static Lanes splat(int64_t X) {
    Lanes L;
    L.One = X;
    return L;
  }
  /// F of each lane, or F of the one number.
  template <typename Fn> static Lanes map(const Lanes &A, Fn F) {
    if (A.isSplat())
      return splat(F(A.One));
    Lanes R;
    std::array<int64_t, WarpLanes> &Out = R.separate();
    for (unsigned L = 0; L < WarpLanes; ++L)
      Out[L] = F(A.Each->V[L]);
    R.settle();
    return R;
  }
  template <typename Fn>
  static Lanes map(const Lanes &A, const Lanes &B, Fn F) {
    if (A.isSplat() && B.isSplat())
      return splat(F(A.One, B.One));
    Lanes R;
    std::array<int64_t, WarpLanes> &Out = R.separate();
    for (unsigned L = 0; L < WarpLanes; ++L)
      Out[L] = F(A[L], B[L]);
    R.settle();
    return R;
  }

  int64_t operator[](unsigned Lane) const { return Each ? Each->V[Lane] : One; }
  /// For writing; reads of a value that is not const go the other way.
  int64_t &operator[](unsigned Lane) { return separate()[Lane]; }
  LaneAddresses array() const;

  /// Kept as one number: equal in all lanes. False says nothing.
  bool isSplat() const { return !Each; }
  /// Equal in all lanes of \p Mask.
  bool isUniform(LaneMask Mask = AllLanes) const;
  bool isZero() const { return isSplat() ? One == 0 : *this == Lanes(); }
  bool operator==(const Lanes &O) const;
  template <typename Fn> bool all(Fn F) const {
    if (isSplat())
      return F(One);
    for (int64_t X : Each->V)
      if (!F(X))
        return false;
    return true;
  }
  template <typename Fn> bool any(Fn F) const {
    return !all([&](int64_t X) { return !F(X); });
  }
  /// Goes back to one number where all are equal.
  void settle();

private:
  struct Block : llvm::RefCountedBase<Block> {
    std::array<int64_t, WarpLanes> V;
  };
  int64_t One = 0;
  llvm::IntrusiveRefCntPtr<Block> Each; ///< null: One in every lane

  /// The numbers one by one, and not shared.
  std::array<int64_t, WarpLanes> &separate();
};

/// Equal numbers have equal hashes.
llvm::hash_code hash_value(const Lanes &A);

} // namespace warplint

#endif // WARPLINT_LANE_LANES_H
