//===- GlobalRequestTest.cpp - Sectors of global requests -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each request is written as the kernel computes its addresses and must cost
/// what listing its bytes gives; the literal beside it is the fact as the
/// programming guides state it.
///
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "gtest/gtest.h"
#include <random>

using namespace warplint;

namespace {

void expectSectors(const LaneAddresses &A, LaneMask Active, unsigned Bytes,
                   unsigned Units, unsigned Ideal) {
  RequestCost Cost = machine().globalRequest(A, Active, Bytes);
  EXPECT_EQ(Cost, (RequestCost{Units, Ideal}))
      << Cost.Units << " of " << Cost.Ideal;
  EXPECT_EQ(Cost, listedSectors(A, Active, Bytes, 32));
}

LaneAddresses strided(int64_t Stride, int64_t Base = 0) {
  return lanes([&](int64_t Lane) { return Base + Stride * Lane; });
}

TEST(GlobalRequest, Coalesced) {
  expectSectors(strided(4), AllLanes, 4, 4, 4);     // float
  expectSectors(strided(1), AllLanes, 1, 1, 1);     // char
  expectSectors(strided(2), AllLanes, 2, 2, 2);     // half
  expectSectors(strided(8), AllLanes, 8, 8, 8);     // double
  expectSectors(strided(16), AllLanes, 16, 16, 16); // float4
  expectSectors(strided(32), AllLanes, 32, 32, 32); // a 256-bit load
}

TEST(GlobalRequest, OrderOfLanesDoesNotMatter) {
  expectSectors(lanes([](int64_t L) { return 4 * (31 - L); }), AllLanes, 4, 4,
                4);
  expectSectors(lanes([](int64_t L) { return 4 * (L ^ 21); }), AllLanes, 4, 4,
                4);
}

TEST(GlobalRequest, StridedFloat) {
  expectSectors(strided(4 * 2), AllLanes, 4, 8, 4);
  expectSectors(strided(4 * 4), AllLanes, 4, 16, 4);
  expectSectors(strided(4 * 8), AllLanes, 4, 32, 4);
  expectSectors(strided(4 * 1024), AllLanes, 4, 32, 4);
}

TEST(GlobalRequest, UniformAddressIsOneSector) {
  for (unsigned Bytes : {1u, 2u, 4u, 8u, 16u})
    expectSectors(strided(0, 4096), AllLanes, Bytes, 1, 1);
}

TEST(GlobalRequest, InactiveLanesIssueNothing) {
  expectSectors(strided(4), maskOf([](unsigned L) { return L < 8; }), 4, 1, 1);
  expectSectors(strided(4), maskOf([](unsigned L) { return L < 5; }), 4, 1, 1);
  expectSectors(strided(4), maskOf([](unsigned L) { return L % 8 == 0; }), 4, 4,
                1);
  expectSectors(strided(4), 0, 4, 0, 0);
}

TEST(GlobalRequest, MisalignedBase) {
  expectSectors(strided(4, 4), AllLanes, 4, 5, 4); // a[i + 1], p + 1
  expectSectors(strided(4, 8), AllLanes, 4, 5, 4);
  expectSectors(strided(4, 28), AllLanes, 4, 5, 4);
  expectSectors(strided(4, 32), AllLanes, 4, 4, 4);
}

TEST(GlobalRequest, ArrayOfStructures) {
  for (int64_t Field : {0, 4, 8}) // struct { float x, y, z; }
    expectSectors(strided(12, Field), AllLanes, 4, 12, 4);
  expectSectors(strided(24), AllLanes, 8, 24, 8); // double3, one component
  expectSectors(strided(16), AllLanes, 4, 16, 4); // float4, one component
}

TEST(GlobalRequest, RowMajorMatrix) {
  constexpr int64_t Pitch = 1024, Row = 3, Column = 5;
  // col = threadIdx.x
  expectSectors(lanes([](int64_t L) { return 4 * (Row * Pitch + L); }),
                AllLanes, 4, 4, 4);
  // row = threadIdx.x
  expectSectors(lanes([](int64_t L) { return 4 * (L * Pitch + Column); }),
                AllLanes, 4, 32, 4);
  // a pitch of 1001 floats: row 8 starts on a sector, row 3 does not
  expectSectors(lanes([](int64_t L) { return 4 * (8 * 1001 + L); }), AllLanes,
                4, 4, 4);
  expectSectors(lanes([](int64_t L) { return 4 * (3 * 1001 + L); }), AllLanes,
                4, 5, 4);
}

TEST(GlobalRequest, TransposeNaive) {
  constexpr int64_t N = 2048, X = 64, Y = 7;
  expectSectors(lanes([](int64_t L) { return 4 * (Y * N + X + L); }), AllLanes,
                4, 4, 4); // in[y][x]
  expectSectors(lanes([](int64_t L) { return 4 * ((X + L) * N + Y); }),
                AllLanes, 4, 32, 4); // out[x][y]
}

TEST(GlobalRequest, TwoDimensionalBlock) {
  // block (16, 16): a warp is two rows of 16; pitch of 100 floats
  expectSectors(lanes([](int64_t L) { return 4 * (L / 16 * 104 + L % 16); }),
                AllLanes, 4, 4, 4);
  expectSectors(lanes([](int64_t L) { return 4 * (L / 16 * 100 + L % 16); }),
                AllLanes, 4, 5, 4);
}

TEST(GlobalRequest, OverlapOfLanesCountsOnce) {
  // 8-byte loads 4 bytes apart ask for 132 different bytes.
  expectSectors(strided(4), AllLanes, 8, 5, 5);
}

TEST(GlobalRequest, AccessAcrossASectorBoundary) {
  expectSectors(strided(0, 30), 1, 4, 2, 1);
}

TEST(GlobalRequest, NegativeOffsetsFromTheBase) {
  // a[i - 32] lies in the four sectors before the base, a[i - 1] in five.
  RequestCost Before = machine().globalRequest(strided(4, -128), AllLanes, 4);
  EXPECT_EQ(Before, (RequestCost{4, 4}));
  RequestCost Across = machine().globalRequest(strided(4, -4), AllLanes, 4);
  EXPECT_EQ(Across, (RequestCost{5, 4}));
}

TEST(GlobalRequest, LinesOnOlderArchitectures) {
  MachineModel Pascal = machine("sm_61");
  EXPECT_EQ(Pascal.globalRequest(strided(4), AllLanes, 4), (RequestCost{1, 1}));
  EXPECT_EQ(Pascal.globalRequest(strided(4, 4), AllLanes, 4),
            (RequestCost{2, 1}));
  EXPECT_EQ(Pascal.globalRequest(strided(8), AllLanes, 4), (RequestCost{2, 1}));
  EXPECT_EQ(Pascal.globalRequest(strided(128), AllLanes, 4),
            (RequestCost{32, 1}));
}

TEST(GlobalRequest, RandomRequestsAgreeWithListing) {
  std::mt19937 Random(1);
  for (int Round = 0; Round != 2000; ++Round) {
    unsigned Bytes = 1u << Random() % 5;
    unsigned Range = 1u << (4 + Random() % 8);
    LaneAddresses A =
        lanes([&](unsigned) { return int64_t(Random() % Range) * Bytes; });
    LaneMask Active = Random() % 4 ? AllLanes : LaneMask(Random());
    EXPECT_EQ(machine().globalRequest(A, Active, Bytes),
              listedSectors(A, Active, Bytes, 32));
    EXPECT_EQ(machine("sm_60").globalRequest(A, Active, Bytes),
              listedSectors(A, Active, Bytes, 128));
  }
}

} // namespace
