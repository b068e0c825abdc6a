//===- Lanes.cpp - One number for each lane -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Lane/Lanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {

std::array<int64_t, WarpLanes> &Lanes::separate() {
  if (!Each) {
    Each = new Block();
    Each->V.fill(One);
  } else if (Each->UseCount() > 1) {
    auto *Own = new Block();
    Own->V = Each->V;
    Each = Own;
  }
  return Each->V;
}

void Lanes::settle() {
  if (!Each || !all_equal(Each->V))
    return;
  One = Each->V[0];
  Each.reset();
}

LaneAddresses Lanes::array() const {
  if (Each)
    return Each->V;
  LaneAddresses A;
  A.fill(One);
  return A;
}

bool Lanes::isUniform(LaneMask Mask) const {
  if (isSplat() || !Mask)
    return true;
  int64_t First = Each->V[countr_zero(Mask)];
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((Mask >> L & 1) && Each->V[L] != First)
      return false;
  return true;
}

bool Lanes::operator==(const Lanes &O) const {
  if (isSplat() && O.isSplat())
    return One == O.One;
  if (Each == O.Each)
    return true;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if ((*this)[L] != O[L])
      return false;
  return true;
}

hash_code hash_value(const Lanes &A) {
  if (A.isUniform())
    return hash_combine(A[0]);
  return hash_combine_range(A.array());
}

} // namespace warplint
