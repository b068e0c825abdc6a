//===- SharedRequestTest.cpp - Wavefronts of shared requests --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "gtest/gtest.h"
#include <numeric>
#include <random>

using namespace warplint;

namespace {

RequestCost shared(const LaneAddresses &A, unsigned Bytes,
                   LaneMask Active = AllLanes) {
  return machine().sharedRequest(A, Active, Bytes);
}

/// An access of at most 4 bytes: one pass.
void expectWays(const LaneAddresses &A, unsigned Ways,
                LaneMask Active = AllLanes, unsigned Bytes = 4) {
  EXPECT_EQ(shared(A, Bytes, Active), (RequestCost{Ways, Active ? 1u : 0u}));
  EXPECT_EQ(shared(A, Bytes, Active), listedWavefronts(A, Active, Bytes, 32));
}

LaneAddresses strided(int64_t Stride) {
  return lanes([&](int64_t Lane) { return Stride * Lane; });
}

TEST(SharedRequest, StridesOfFloats) {
  expectWays(strided(4), 1);
  expectWays(strided(0), 1); // broadcast
  expectWays(strided(4 * 2), 2);
  expectWays(strided(4 * 4), 4);
  expectWays(strided(4 * 32), 32);
  expectWays(strided(4 * 33), 1);
  // k words apart: gcd(k, 32) ways, for every k
  for (int64_t K = 1; K <= 128; ++K)
    expectWays(strided(4 * K), std::gcd(K, int64_t(32)));
}

TEST(SharedRequest, ColumnsOfATile) {
  for (auto [Width, Ways] : {std::pair(32, 32u),
                             {33, 1u},
                             {34, 2u},
                             {64, 32u},
                             {35, 1u},
                             {36, 4u},
                             {40, 8u},
                             {48, 16u}})
    for (int64_t Column : {0, 1, 17, 31})
      expectWays(
          lanes([&, W = Width](int64_t R) { return 4 * (R * W + Column); }),
          Ways);
}

TEST(SharedRequest, RowsOfATile) {
  for (int64_t Width : {32, 33, 34, 64})
    expectWays(lanes([&](int64_t C) { return 4 * (5 * Width + C); }), 1);
}

TEST(SharedRequest, XorSwizzleInBothOrders) {
  for (int64_t Fixed = 0; Fixed != 32; ++Fixed) {
    expectWays(lanes([&](int64_t L) { return 4 * (32 * Fixed + (L ^ Fixed)); }),
               1); // along the row
    expectWays(lanes([&](int64_t L) { return 4 * (32 * L + (Fixed ^ L)); }),
               1); // down the column
  }
}

TEST(SharedRequest, InterleavedReduction) {
  // for k = 1, 2, 4 ... : if (2*k*tid < n) s[2*k*tid] += s[2*k*tid + k]
  for (int64_t N : {64, 1024})
    for (int64_t K = 1; K < N; K *= 2) {
      LaneMask Active = maskOf([&](int64_t T) { return 2 * K * T < N; });
      LaneAddresses A = lanes([&](int64_t T) { return 4 * 2 * K * T; });
      expectWays(A, listedWavefronts(A, Active, 4, 32).Units, Active);
    }
  // The first three steps of a full warp: 2, 4, 8 ways.
  for (int64_t K : {1, 2, 4})
    expectWays(strided(4 * 2 * K), 2 * K);
}

TEST(SharedRequest, SequentialReduction) {
  for (int64_t K = 16; K; K /= 2) {
    LaneMask Active = maskOf([&](int64_t T) { return T < K; });
    expectWays(lanes([&](int64_t T) { return 4 * (T + K); }), 1, Active);
  }
}

TEST(SharedRequest, PartsOfOneWordAreFree) {
  expectWays(strided(1), 1, AllLanes, 1);
  expectWays(strided(2), 1, AllLanes, 2);
  // four words apart, one byte each
  expectWays(strided(16), 4, AllLanes, 1);
  // half tile[32][64], down a column: 32 words apart
  expectWays(strided(128), 32, AllLanes, 2);
}

TEST(SharedRequest, NoLaneNoCost) { expectWays(strided(4), 0, 0); }

TEST(SharedRequest, NegativeOffsetsFromTheBase) {
  EXPECT_EQ(shared(lanes([](int64_t L) { return 4 * (L - 40); }), 4),
            (RequestCost{1, 1}));
  EXPECT_EQ(shared(lanes([](int64_t L) { return -128 * L; }), 4),
            (RequestCost{32, 1}));
}

TEST(SharedRequest, EightBytesTakeTwoPasses) {
  EXPECT_EQ(shared(strided(8), 8), (RequestCost{2, 2}));
  // double tile[32][32], down a column: 16 ways in each half-warp
  EXPECT_EQ(shared(strided(8 * 32), 8), (RequestCost{32, 2}));
  // double tile[32][33]: 66 words apart, so 16 lanes on 16 pairs of banks
  EXPECT_EQ(shared(strided(8 * 33), 8), (RequestCost{2, 2}));
  EXPECT_EQ(shared(strided(16), 8), (RequestCost{4, 2}));
}

TEST(SharedRequest, SixteenBytesTakeFourPasses) {
  EXPECT_EQ(shared(strided(16), 16), (RequestCost{4, 4}));
  EXPECT_EQ(shared(strided(128), 16), (RequestCost{32, 4}));
  EXPECT_EQ(shared(strided(144), 16), (RequestCost{4, 4}));
  EXPECT_EQ(shared(lanes([](int64_t L) { return 16 * (L % 4); }), 16),
            (RequestCost{4, 4}));
}

TEST(SharedRequest, PassesWithoutALaneAreNotMade) {
  // lanes 16 to 31, as in a scan's step `if (2*tid >= 32)`
  LaneMask Upper = maskOf([](unsigned L) { return L >= 16; });
  EXPECT_EQ(shared(strided(8), 8, Upper), (RequestCost{1, 1}));
  EXPECT_EQ(shared(strided(16), 16, Upper), (RequestCost{2, 2}));
  EXPECT_EQ(shared(strided(16), 16, 3), (RequestCost{1, 1}));
  EXPECT_EQ(shared(strided(256), 8, Upper), (RequestCost{16, 1}));
}

TEST(SharedRequest, UniformWideLoads) {
  EXPECT_EQ(shared(strided(0), 8), (RequestCost{1, 1}));
  EXPECT_EQ(shared(strided(0), 16), (RequestCost{2, 2}));
}

TEST(SharedRequest, RandomNarrowRequestsAgreeWithListing) {
  std::mt19937 Random(2);
  for (int Round = 0; Round != 2000; ++Round) {
    unsigned Bytes = 1u << Random() % 3;
    LaneAddresses A =
        lanes([&](unsigned) { return int64_t(Random() % 512) * Bytes; });
    LaneMask Active = Random() % 4 ? AllLanes : LaneMask(Random());
    EXPECT_EQ(shared(A, Bytes, Active), listedWavefronts(A, Active, Bytes, 32));
  }
}

TEST(SharedRequest, RandomDistinctWideRequestsAgreeWithListing) {
  std::mt19937 Random(3);
  for (int Round = 0; Round != 2000; ++Round) {
    unsigned Bytes = Random() % 2 ? 8 : 16;
    std::array<int64_t, 256> Slots;
    std::iota(Slots.begin(), Slots.end(), 0);
    std::shuffle(Slots.begin(), Slots.end(), Random);
    LaneAddresses A = lanes([&](unsigned L) { return Slots[L] * Bytes; });
    EXPECT_EQ(shared(A, Bytes),
              listedWavefronts(A, AllLanes, Bytes, 128 / Bytes));
  }
}

TEST(SharedRequest, LoadsMergePassesOfLanesThatShare) {
  auto Half = [](int64_t L) { return 8 * (L / 2); };
  auto Alternating = [](int64_t L) { return 8 * (L % 2); };
  EXPECT_EQ(shared(lanes(Half), 8), (RequestCost{1, 1}));
  EXPECT_EQ(shared(lanes(Alternating), 8), (RequestCost{1, 1}));
  // k and k^4 share: not the neighbours that merge
  EXPECT_EQ(shared(lanes([](int64_t L) { return 8 * (L % 4); }), 8),
            (RequestCost{2, 2}));
  // rows 256 bytes apart: 16 words in one bank, in one pass or in two
  EXPECT_EQ(shared(lanes([](int64_t L) { return 256 * (L / 2); }), 8),
            (RequestCost{16, 2}));
  // Each half-warp wants 2 words of 8 banks, the other half of other banks:
  // 2 + 2 wavefronts apart, 2 in one pass.
  EXPECT_EQ(shared(lanes([](int64_t L) {
                     int64_t I = L / 2;
                     return 8 * (I % 4) + 128 * (I % 8 / 4) + 32 * (I / 8);
                   }),
                   8),
            (RequestCost{2, 2}));
}

TEST(SharedRequest, TheWholeWarpDecidesWhetherPassesMerge) {
  // Half 0 alternates two addresses and half 1 repeats pairs: each would merge
  // its quarters alone, together they do not.
  auto Mixed = lanes([](int64_t L) { return 16 * (L < 16 ? L % 2 : L / 2); });
  EXPECT_EQ(shared(Mixed, 16), (RequestCost{4, 4}));
  EXPECT_EQ(shared(Mixed, 16, 0x0000FFFF), (RequestCost{1, 1}));
  EXPECT_EQ(shared(Mixed, 16, 0xFFFF0000), (RequestCost{1, 1}));
}

TEST(SharedRequest, StoresNeverMergePasses) {
  MachineModel M = machine();
  EXPECT_EQ(M.sharedRequest(strided(0), AllLanes, 8, SharedOp::Store),
            (RequestCost{2, 2}));
  EXPECT_EQ(M.sharedRequest(strided(0), AllLanes, 16, SharedOp::Store),
            (RequestCost{4, 4}));
  EXPECT_EQ(M.sharedRequest(strided(0), AllLanes, 4, SharedOp::Store),
            (RequestCost{1, 1}));
}

TEST(SharedRequest, LanesThatAreOffAreNoConflict) {
  // 16 lanes of 8 bytes would fill one row of banks, but lie in two passes.
  LaneMask Even = maskOf([](unsigned L) { return L % 2 == 0; });
  EXPECT_EQ(machine().sharedRequest(strided(8), Even, 8, SharedOp::Store),
            (RequestCost{2, 2}));
}

TEST(SharedAtomic, OneWordServesLanesInTurn) {
  auto Cost = [](const LaneAddresses &A, SharedOp Op, LaneMask On = AllLanes) {
    return machine().sharedRequest(A, On, 4, Op);
  };
  EXPECT_EQ(Cost(strided(4), SharedOp::Update), (RequestCost{1, 1}));
  EXPECT_EQ(Cost(strided(0), SharedOp::Update), (RequestCost{32, 1}));
  EXPECT_EQ(Cost(strided(0), SharedOp::Update, 7), (RequestCost{3, 1}));
  EXPECT_EQ(Cost(strided(0), SharedOp::Count), (RequestCost{1, 1}));
  EXPECT_EQ(Cost(strided(8), SharedOp::Count), (RequestCost{2, 1}));
  EXPECT_EQ(Cost(strided(4), SharedOp::CompareAndSwap), (RequestCost{2, 2}));
  EXPECT_EQ(Cost(strided(0), SharedOp::CompareAndSwap), (RequestCost{64, 2}));
  EXPECT_EQ(Cost(strided(4), SharedOp::SpinRound), (RequestCost{2, 2}));
  EXPECT_EQ(Cost(strided(0), SharedOp::SpinRound), (RequestCost{2, 2}));
  EXPECT_EQ(Cost(strided(8), SharedOp::SpinRound), (RequestCost{4, 2}));
}

TEST(SharedAtomic, OneLaneOfAWordLeavesARound) {
  using Rounds = llvm::SmallVector<LaneMask, WarpLanes>;
  EXPECT_EQ(MachineModel::spinRounds(strided(4), AllLanes), Rounds{AllLanes});
  EXPECT_EQ(MachineModel::spinRounds(strided(0), 0), Rounds());
  // lanes 1, 2 and 5 want one word: 1 leaves first, then 2
  EXPECT_EQ(MachineModel::spinRounds(strided(0), 0x26),
            (Rounds{0x26, 0x24, 0x20}));
  // pairs: lanes 2k and 2k + 1
  LaneAddresses Pairs;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    Pairs[Lane] = Lane / 2 * 4;
  EXPECT_EQ(MachineModel::spinRounds(Pairs, AllLanes),
            (Rounds{AllLanes, 0xaaaaaaaa}));
}

TEST(Ldmatrix, OnePhaseAMatrix) {
  MachineModel M = machine();
  for (unsigned N : {1u, 2u, 4u}) {
    // rows of 16 bytes one after another: all banks once
    EXPECT_EQ(M.ldmatrixRequest(strided(16), N), (RequestCost{N, N}));
    // rows of 128 bytes: eight rows on the same four banks
    EXPECT_EQ(M.ldmatrixRequest(strided(128), N), (RequestCost{8 * N, N}));
    // padded by 16 bytes
    EXPECT_EQ(M.ldmatrixRequest(strided(144), N), (RequestCost{N, N}));
  }
  // 32-byte rows, 16 of them: two of each eight share banks
  EXPECT_EQ(
      M.ldmatrixRequest(lanes([](int64_t L) { return 32 * (L % 16); }), 2),
      (RequestCost{4, 2}));
}

TEST(Constant, OnePassAnAddress) {
  MachineModel M = machine();
  EXPECT_EQ(M.constantRequest(strided(0), AllLanes, 4), (RequestCost{1, 1}));
  EXPECT_EQ(M.constantRequest(strided(4), AllLanes, 4), (RequestCost{32, 1}));
  EXPECT_EQ(M.constantRequest(lanes([](int64_t L) { return 4 * (L % 5); }),
                              AllLanes, 4),
            (RequestCost{5, 1}));
  EXPECT_EQ(M.constantRequest(strided(4), 3, 4), (RequestCost{2, 1}));
  EXPECT_EQ(M.constantRequest(strided(4), 0, 4), (RequestCost{0, 0}));
}

} // namespace
