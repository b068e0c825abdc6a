//===- LocalMemoryTest.cpp - What stands in local arrays -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp/LocalMemory.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

class Locals : public testing::Test {
protected:
  LaneDomain D;
  LocalMemory M;
  static constexpr SymbolId Array = 1;
  LaneInt at(int64_t X) { return LaneInt::constant(X); }
};

TEST_F(Locals, ReadsWhatWasWritten) {
  M.store(D, Array, at(4), 4, at(7), AllLanes, nullptr);
  EXPECT_EQ(M.load(D, Array, at(4), 4, AllLanes), at(7));
  EXPECT_FALSE(M.load(D, Array, at(8), 4, AllLanes)); // never written
  EXPECT_FALSE(M.load(D, Array, at(4), 2, AllLanes)); // another width
}

TEST_F(Locals, LanesWriteForThemselves) {
  M.store(D, Array, at(0), 4, at(1), AllLanes, nullptr);
  M.store(D, Array, at(0), 4, at(2), 0x0000ffff, nullptr);
  auto V = M.load(D, Array, at(0), 4, AllLanes);
  ASSERT_TRUE(V);
  EXPECT_EQ(V->constant()[0], 2);
  EXPECT_EQ(V->constant()[31], 1);
}

TEST_F(Locals, OverlappingWritesForget) {
  M.store(D, Array, at(0), 8, at(1), AllLanes, nullptr);
  M.store(D, Array, at(4), 4, at(2), AllLanes, nullptr);
  EXPECT_FALSE(M.load(D, Array, at(0), 8, AllLanes));
  EXPECT_EQ(M.load(D, Array, at(4), 4, AllLanes), at(2));
}

TEST_F(Locals, AnUnknownOffsetForgetsTheArray) {
  M.store(D, Array, at(0), 4, at(1), AllLanes, nullptr);
  LaneInt Somewhere = LaneInt::symbol(D.fresh(Symbol()));
  M.store(D, Array, Somewhere, 4, at(2), AllLanes, nullptr);
  EXPECT_FALSE(M.load(D, Array, at(0), 4, AllLanes));
}

TEST_F(Locals, AWriteThatMayNotHappenKeepsBoth) {
  Symbol S;
  S.Lo = 0;
  S.Hi = 1;
  LaneInt Taken = LaneInt::symbol(D.fresh(S));
  M.store(D, Array, at(0), 4, at(10), AllLanes, nullptr);
  M.store(D, Array, at(0), 4, at(30), AllLanes, &Taken);
  auto V = M.load(D, Array, at(0), 4, AllLanes);
  ASSERT_TRUE(V);
  EXPECT_EQ(*V, D.add(at(10), D.scale(Taken, 20)));
}

} // namespace
