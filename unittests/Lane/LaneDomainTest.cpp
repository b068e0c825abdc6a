//===- LaneDomainTest.cpp - What index expressions look like --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Worked examples: the values print themselves, the tests read the print.
///
//===----------------------------------------------------------------------===//

#include "warplint/Lane/LaneDomain.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

class Example : public testing::Test {
protected:
  LaneDomain D;
  LaneInt Lane;

  Example() {
    Lanes L;
    for (unsigned I = 0; I < WarpLanes; ++I)
      L[I] = I;
    Lane = LaneInt(L);
  }
  LaneInt symbol(const char *Name, SymbolOrigin O, int64_t Lo, int64_t Hi,
                 int64_t Div = 1, bool Varying = false) {
    Symbol S;
    S.Name = Name;
    S.Origin = O;
    S.Lo = Lo;
    S.Hi = Hi;
    S.Divisor = Div;
    S.Varying = Varying;
    return LaneInt::symbol(D.fresh(S));
  }
  LaneInt constant(int64_t X) { return LaneInt::constant(X); }
  LaneInt block() {
    return symbol("blockIdx.x", SymbolOrigin::BlockIndex, 0, INT32_MAX);
  }
};

TEST_F(Example, GlobalIndexOfRecords) {
  LaneInt Warp = symbol("warp.x", SymbolOrigin::WarpIndex, 0, 7);
  LaneInt Thread = D.add(Lane, D.scale(Warp, 32));
  LaneInt I = D.add(D.scale(block(), 256), Thread);
  EXPECT_EQ(D.str(D.scale(I, 12)), "384*warp.x + 3072*blockIdx.x + 12*lane");
}

TEST_F(Example, RowAndColumnOfAKnownTile) {
  LaneInt Warp = symbol("warp.x", SymbolOrigin::WarpIndex, 0, 7);
  LaneInt Thread = D.add(Lane, D.scale(Warp, 32));
  // 16 divides 32 * warp.x: rows and columns are exact, lane by lane.
  auto [Row, Column] = D.divMod(Thread, constant(16));
  EXPECT_EQ(D.str(Column), "[0, 1 .. 15, 0, 1 .. 15]");
  EXPECT_EQ(D.str(Row), "2*warp.x + [0, 0 .. 0, 1, 1 .. 1]");
  // In one block row of 64 threads, the warp is the row.
  EXPECT_TRUE(D.isUniform(D.divMod(Thread, constant(32)).first));
}

TEST_F(Example, RowAndColumnOfAnUnknownWidthBecomeTheIndexAgain) {
  LaneInt N = symbol("n", SymbolOrigin::Argument, 1, INT32_MAX);
  LaneInt I = D.add(D.scale(block(), 256), Lane);
  auto [Row, Column] = D.divMod(I, N);
  EXPECT_EQ(D.add(D.mul(Row, N), Column), I);
}

TEST_F(Example, MaskedRemainderIsBounded) {
  LaneInt Data =
      symbol("key", SymbolOrigin::Loaded, INT32_MIN, INT32_MAX, 1, true);
  Interval R = D.range(D.bitAnd(Data, constant(255)));
  EXPECT_EQ(R.Lo, 0);
  EXPECT_EQ(R.Hi, 255);
}

TEST_F(Example, SwizzleOfAnAlignedRow) {
  LaneInt Row = D.scale(symbol("row", SymbolOrigin::Iteration, 0, 100), 32);
  // Bits below 32 are exact, those above untouched.
  EXPECT_EQ(D.bitXor(D.add(Row, Lane), constant(1)),
            D.add(Row, D.bitXor(Lane, constant(1))));
}

TEST_F(Example, BoundsCheckIsLikelyInside) {
  LaneInt N = symbol("n", SymbolOrigin::Argument, INT32_MIN, INT32_MAX);
  LaneInt I = D.add(D.scale(block(), 256), Lane);
  LaneInt Inside = D.isGE0(D.sub(D.sub(N, I), constant(1)));
  EXPECT_EQ(D.likely(Inside), 1);
  EXPECT_EQ(D.likely(D.notOf(Inside)), 0);
  EXPECT_EQ(D.knownTrue(Inside), 0u);
  // Data speaks for nothing.
  LaneInt Key =
      symbol("key", SymbolOrigin::Loaded, INT32_MIN, INT32_MAX, 1, true);
  EXPECT_EQ(D.likely(D.isGE0(Key)), -1);
}

TEST_F(Example, OppositeConditionsShareASymbol) {
  LaneInt N = symbol("n", SymbolOrigin::Argument, INT32_MIN, INT32_MAX);
  LaneInt A = D.sub(N, constant(5));
  LaneInt NotA = D.sub(constant(-1), A);
  EXPECT_EQ(D.add(D.isGE0(A), D.isGE0(NotA)), constant(1));
}

TEST_F(Example, ComparisonsDecidedByRangesAndDivisors) {
  LaneInt K = symbol("k", SymbolOrigin::Iteration, 0, 31);
  EXPECT_EQ(D.isGE0(D.sub(constant(31), K)), constant(1));
  LaneInt Even = symbol("even", SymbolOrigin::Argument, 0, 1000, 2);
  EXPECT_EQ(D.isEQ0(D.sub(Even, constant(7))), constant(0));
}

TEST_F(Example, NarrowingKeepsWhatFits) {
  LaneInt Small = symbol("small", SymbolOrigin::Loaded, 0, 100);
  EXPECT_EQ(D.truncate(Small, 8), Small);
  LaneInt Byte =
      D.zeroExtend(symbol("byte", SymbolOrigin::Loaded, -128, 127, 1, true), 8);
  EXPECT_EQ(D.range(Byte).Lo, 0);
  EXPECT_EQ(D.range(Byte).Hi, 255);
}

TEST_F(Example, ALongSumOfDataKeepsWhatItIsKnownFor) {
  LaneInt Base = symbol("&p", SymbolOrigin::Address, 1, INT64_MAX, 256);
  LaneInt Sum = D.add(Base, D.scale(Lane, 4));
  for (unsigned I = 0; I < 40; ++I)
    Sum = D.add(Sum, D.scale(symbol("data", SymbolOrigin::Loaded, 0, 10, 1,
                                    /*Varying=*/true),
                             8));
  LaneInt Short = D.shorten(Sum);
  ASSERT_EQ(Short.terms().size(), 2u);
  EXPECT_EQ(Short.constant(), Sum.constant());
  // 40 values of 0 to 80, multiples of 8.
  LaneInt Data = D.sub(Short, D.add(Base, D.scale(Lane, 4)));
  EXPECT_EQ(D.range(Data).Lo, 0);
  EXPECT_EQ(D.range(Data).Hi, 3200);
  EXPECT_EQ(D.symbolicDivisor(Data), 8);
  EXPECT_FALSE(D.isUniform(Data));
  EXPECT_EQ(D.str(D.shorten(Sum)), D.str(Short));
}

TEST_F(Example, ALongSumKeepsWhatTheLanesMultiply) {
  // Lanes 16 to 31 are in the next row; the pitch is a sum as long as the
  // start. Both are forgotten, and the rows stay one pitch apart.
  Lanes RowOf;
  for (unsigned L = 0; L < WarpLanes; ++L)
    RowOf[L] = L / 16;
  auto LongSum = [&](const char *Name) {
    LaneInt Sum;
    for (unsigned I = 0; I < 20; ++I)
      Sum = D.add(Sum, D.scale(symbol(Name, SymbolOrigin::Argument, 0, 10, 1,
                                      /*Varying=*/false),
                               8));
    return Sum;
  };
  LaneInt Pitch = LongSum("n"), Start = LongSum("start");
  LaneInt Row = D.add(Start, D.mul(Pitch, LaneInt(RowOf)));
  LaneInt Next = D.add(Row, D.mul(Pitch, constant(1)));
  LaneInt Short = D.shorten(Row);
  ASSERT_EQ(Short.terms().size(), 2u);
  for (unsigned L = 0; L < WarpLanes; ++L) {
    EXPECT_EQ(Short.terms()[0].K[L] + Short.terms()[1].K[L], L < 16 ? 1 : 2);
    EXPECT_EQ(Short.terms()[0].K[L] * Short.terms()[1].K[L], L < 16 ? 0 : 1);
  }
  EXPECT_EQ(D.symbolicDivisor(Short), 8);
  // Another row of the same array has the same symbol for the pitch.
  LaneInt Other = D.shorten(Next);
  auto PitchOf = [](const LaneInt &A) {
    return A.terms()[A.terms()[0].K[0] == 0 ? 0 : 1].M;
  };
  EXPECT_TRUE(PitchOf(Short) == PitchOf(Other));
}

TEST_F(Example, AShortValueStaysAsItIs) {
  LaneInt A = D.add(symbol("n", SymbolOrigin::Argument, 1, 100), Lane);
  EXPECT_EQ(D.shorten(A), A);
}

TEST_F(Example, GeometricAfterManyIterations) {
  // What 3^i and -5 / 2^i are after a million iterations: by squaring, and -1.
  LaneInt I = symbol("i", SymbolOrigin::Iteration, 0, INT64_MAX);
  auto After = [&](int64_t Start, int64_t Ratio, int64_t Iterations) {
    LaneInt G = LaneInt::symbol(
        D.derived(LaneOp::Geometric, {constant(Start), constant(Ratio), I}));
    LaneDomain::Valuation V;
    V[*I.singleSymbol()] = Lanes::splat(Iterations);
    return D.evaluate(G, V)[0];
  };
  EXPECT_EQ(After(1, 3, 4), 81);
  EXPECT_EQ(After(5, 2, 0), 5);
  EXPECT_EQ(After(-5, -2, 1000000000000), -1);
  EXPECT_EQ(After(1000, -10, 2), 10);
  uint64_t Power = 1;
  for (unsigned K = 0; K < 1000; ++K)
    Power *= 3;
  EXPECT_EQ(After(1, 3, 1000), int64_t(Power));
}

} // namespace
