//===- RequestCostTest.cpp - Requests outside global and shared memory ----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp/RequestCost.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

namespace {

class Requests : public testing::Test {
protected:
  LaneDomain D;
  MachineModel Machine = cantFail(MachineModel::forArch("sm_90"));
  MemoryObject Array;

  RequestEstimate local(const LaneInt &Offset, unsigned Bytes) {
    Array.Space = MemorySpace::Local;
    Array.Align = 16;
    SymbolicRequest R;
    R.Space = MemorySpace::Local;
    R.Bytes = R.Align = Bytes;
    R.Offset = Offset;
    R.Object = &Array;
    R.Active = AllLanes;
    return RequestCoster(D, Machine).estimate(R);
  }
};

// Word w of lane l stands at (32 * w + l) words: one offset in all lanes is a
// contiguous run for each word.
TEST_F(Requests, LocalElementsAtOneOffset) {
  EXPECT_EQ(local(LaneInt::constant(8), 4).Mean, 4);    // 128 bytes
  EXPECT_EQ(local(LaneInt::constant(8), 8).Mean, 8);    // 256 bytes
  EXPECT_EQ(local(LaneInt::constant(16), 16).Mean, 16); // 512 bytes
}

TEST_F(Requests, LocalElementsAtAnOffsetALane) {
  // a[t & 7] of doubles: 16 words, in each the lanes t, t + 8, t + 16, t + 24,
  // which lie in 4 sectors: 64.
  Lanes At;
  for (unsigned L = 0; L < WarpLanes; ++L)
    At[L] = 8 * (L & 7);
  EXPECT_EQ(local(LaneInt(At), 8).Mean, 64);
}

} // namespace
