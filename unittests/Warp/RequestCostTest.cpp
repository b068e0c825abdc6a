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

  /// a[Index] of floats.
  RequestEstimate global(const LaneInt &Index) {
    Array.Align = 256;
    SymbolicRequest R;
    R.Bytes = R.Align = 4;
    R.Offset = D.scale(Index, 4);
    R.Object = &Array;
    R.Active = AllLanes;
    return RequestCoster(D, Machine).estimate(R);
  }

  /// A number that each lane reads from list[At].
  LaneInt listed(const LaneInt &At) {
    Symbol S;
    S.Name = "list[...]";
    S.Origin = SymbolOrigin::Loaded;
    S.Varying = true;
    S.Lo = 0;
    SymbolId Id = D.fresh(S);
    D.noteRead(Id, D.scale(At, 4), 4);
    return LaneInt::symbol(Id);
  }

  LaneInt tid() {
    Lanes V;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = L;
    return LaneInt(V);
  }
};

// Nothing is known of a[list[i]] but its bounds; the guess takes the list for
// the numbers from somewhere on.
TEST_F(Requests, AListReadInOrder) {
  RequestEstimate E = global(listed(tid()));
  EXPECT_FALSE(E.Exact);
  EXPECT_EQ(E.Reason, UnknownReason::DataDependentAddress);
  EXPECT_EQ(E.Min, 1);
  EXPECT_EQ(E.Max, 32);
  EXPECT_GE(E.Mean, 4); // 32 neighbours: 4 sectors, 5 for 7 starts of 8
  EXPECT_LE(E.Mean, 5);
}

TEST_F(Requests, AListReadWithAStride) {
  // Lanes that read list[8 * tid] find numbers 8 apart: a sector each.
  EXPECT_EQ(global(listed(D.scale(tid(), 8))).Mean, 32);
}

TEST_F(Requests, AListReadAtOnePlaceTwice) {
  // list[tid / 32 + n] is one number in all lanes.
  Symbol N;
  N.Name = "n";
  N.Origin = SymbolOrigin::Argument;
  N.Lo = 0;
  EXPECT_EQ(global(listed(LaneInt::symbol(D.fresh(N)))).Mean, 1);
}

TEST_F(Requests, AHashOfAListScatters) {
  Symbol N;
  N.Name = "n";
  N.Origin = SymbolOrigin::Argument;
  N.Lo = 1 << 20;
  LaneInt Key = D.scale(listed(tid()), 2654435761);
  LaneInt Hash = D.remainder(Key, LaneInt::symbol(D.fresh(N)), false, 64);
  EXPECT_GT(global(Hash).Mean, 28);
}

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
