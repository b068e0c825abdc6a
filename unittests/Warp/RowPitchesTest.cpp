//===- RowPitchesTest.cpp - Rows whose pitch is not known ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp/RowPitches.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

namespace {

class RowPitches : public testing::Test {
protected:
  LaneDomain D;
  LaneInt Pitch = size("pitch"), Halo = size("halo");
  LaneInt Row = counter("blockIdx.y"), Column = counter("blockIdx.x");

  LaneInt size(StringRef Name) {
    Symbol S;
    S.Name = Name;
    S.Origin = SymbolOrigin::Argument;
    S.Lo = 0;
    return LaneInt::symbol(D.fresh(S));
  }
  LaneInt counter(StringRef Name) {
    Symbol S;
    S.Name = Name;
    S.Origin = SymbolOrigin::BlockIndex;
    S.Lo = 0;
    return LaneInt::symbol(D.fresh(S));
  }
  LaneInt lanes(function_ref<int64_t(unsigned)> Of) {
    Lanes V;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = Of(L);
    return LaneInt(V);
  }
  LaneInt tid() {
    return lanes([](unsigned L) { return L; });
  }
  /// Of 4-byte elements.
  std::optional<PitchedRows> rows(const LaneInt &Index,
                                  LaneMask Active = AllLanes) {
    return layOutRows(D, D.scale(Index, 4), Active, 4, 32);
  }
};

TEST_F(RowPitches, ARowABlock) {
  // a[blockIdx.y * pitch + tid]: one row, 8 floats make a sector.
  auto R = rows(D.add(D.mul(Row, Pitch), tid()));
  ASSERT_TRUE(R);
  EXPECT_EQ(D.str(R->Offset), "4*lane");
  EXPECT_EQ(R->Assumptions,
            std::vector<std::string>{
                "pitch is a multiple of 8, so that rows begin at a sector"});
}

TEST_F(RowPitches, NeighbouringRowsOfAStencil) {
  // a[(blockIdx.y - 1) * pitch + tid]: the row before begins at one as well.
  auto R = rows(D.add(D.mul(D.sub(Row, LaneInt::constant(1)), Pitch), tid()));
  ASSERT_TRUE(R);
  EXPECT_EQ(D.str(R->Offset), "4*lane");
}

TEST_F(RowPitches, TwoRowsAWarp) {
  // Block 16x16: lanes 16 to 31 are in the next row.
  auto Y = lanes([](unsigned L) { return L / 16; });
  auto X = lanes([](unsigned L) { return L % 16; });
  auto R = rows(D.add(D.mul(D.add(D.scale(Row, 16), Y), Pitch), X));
  ASSERT_TRUE(R);
  ASSERT_TRUE(R->Offset.isConstant());
  const Lanes At = R->Offset.constant();
  EXPECT_EQ(At[15] - At[0], 60);
  EXPECT_EQ(At[31] - At[16], 60);
  EXPECT_GE(At[16] - At[0], 64);
  EXPECT_EQ((At[16] - At[0]) % 32, 0);
  ASSERT_EQ(R->Assumptions.size(), 1u);
  EXPECT_NE(R->Assumptions[0].find("do not share one"), std::string::npos);
}

TEST_F(RowPitches, AStrideIsNoPitch) {
  EXPECT_FALSE(rows(D.mul(tid(), Pitch)));
}

TEST_F(RowPitches, LanesInRowsOfTheirOwn) {
  // a[tid * pitch + blockIdx.x]: a column by 32 lanes.
  auto R = rows(D.add(D.mul(tid(), Pitch), Column));
  ASSERT_TRUE(R);
  const Lanes At = R->Offset.constant();
  for (unsigned L = 1; L < WarpLanes; ++L) {
    EXPECT_GE(At[L] - At[L - 1], 32);
    EXPECT_EQ((At[L] - At[L - 1]) % 32, 0);
  }
  // Block 4x8: runs of four lanes.
  auto Y = lanes([](unsigned L) { return L / 4; });
  auto X = lanes([](unsigned L) { return L % 4; });
  EXPECT_TRUE(rows(D.add(D.mul(Y, Pitch), X)));
}

TEST_F(RowPitches, AShiftIsNoPitch) {
  // a[tid - halo], a[blockIdx.x * (16 - 2 * halo) + tid]
  EXPECT_FALSE(rows(D.sub(tid(), Halo)));
  auto Tile = D.sub(LaneInt::constant(15), D.scale(Halo, 2));
  EXPECT_FALSE(rows(D.add(D.mul(Column, Tile), tid())));
  // A row of pitch + 1 elements does not begin where a row of pitch would.
  EXPECT_FALSE(
      rows(D.add(D.mul(Row, D.add(Pitch, LaneInt::constant(1))), tid())));
  // One of pitch + 8 does.
  EXPECT_TRUE(
      rows(D.add(D.mul(Row, D.add(Pitch, LaneInt::constant(8))), tid())));
}

TEST_F(RowPitches, ShiftsStayBesidePitches) {
  // a[blockIdx.y * pitch + tid - halo]: the shift is not known as before.
  auto R = rows(D.sub(D.add(D.mul(Row, Pitch), tid()), Halo));
  ASSERT_TRUE(R);
  EXPECT_EQ(D.str(R->Offset), "-4*halo + 4*lane");
}

TEST_F(RowPitches, OneOfTwoFactorsIsEnough) {
  // a[(z * height + y) * width + tid]: width alone decides.
  LaneInt Height = size("height"), Z = counter("blockIdx.z");
  auto R = rows(D.add(D.mul(D.add(D.mul(Z, Height), Row), Pitch), tid()));
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Assumptions,
            std::vector<std::string>{
                "pitch is a multiple of 8, so that rows begin at a sector"});
}

TEST_F(RowPitches, WhatTheProgramSaysIsNotAssumed) {
  D.assumeDivisor(*Pitch.singleSymbol(), 16);
  auto R = rows(D.add(D.mul(Row, Pitch), tid()));
  ASSERT_TRUE(R);
  EXPECT_TRUE(R->Assumptions.empty());
}

} // namespace
