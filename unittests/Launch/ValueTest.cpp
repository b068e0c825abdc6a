//===- ValueTest.cpp - Laws of the host value domain ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch/HostValue.h"
#include "gtest/gtest.h"
#include <random>

using namespace warplint::launch;
using namespace clang;

TEST(Value, WrapsToItsType) {
  EXPECT_EQ(wrapTo(300, 8, false), 44);
  EXPECT_EQ(wrapTo(200, 8, true), -56);
  EXPECT_EQ(wrapTo(-1, 32, false), 4294967295);
  EXPECT_EQ(wrapTo(-1, 64, false), -1);
  EXPECT_EQ(wrapTo(2, 1, false), 0);
}

static bool divides(uint64_t Divisor, int64_t Value) {
  return Divisor == 0 ? Value == 0 : Value % int64_t(Divisor) == 0;
}

// For unknowns that are multiples of their divisors, the result is a multiple
// of the divisor that the domain gives.
TEST(Value, DivisorsHoldForEveryValue) {
  std::mt19937 Random(1);
  const BinaryOperatorKind Ops[] = {BO_Add, BO_Sub, BO_Mul, BO_Div, BO_Rem,
                                    BO_Shl, BO_Shr, BO_And, BO_Or,  BO_Xor};
  for (int Trial = 0; Trial < 20000; ++Trial) {
    BinaryOperatorKind Op = Ops[Random() % std::size(Ops)];
    bool Shift = Op == BO_Shl || Op == BO_Shr;
    auto Draw = [&](bool Known, int64_t &Value) {
      uint64_t Divisor = 1 + Random() % 48;
      Value = int64_t(Divisor) * int64_t(Random() % 50);
      if (Known)
        return HostValue::integer(Value);
      return HostValue::unknown("", Divisor);
    };
    int64_t A, B;
    HostValue L = Draw(Random() % 2, A);
    HostValue R;
    if (Shift) {
      B = Random() % 8;
      R = Random() % 2 ? HostValue::integer(B) : HostValue::unknown();
    } else {
      R = Draw(Random() % 2, B);
    }
    HostValue Exact =
        foldBinary(Op, HostValue::integer(A), HostValue::integer(B), 64, true);
    if (!Exact.isInteger())
      continue; // Division by zero.
    HostValue V = foldBinary(Op, L, R, 64, true);
    if (V.isInteger())
      EXPECT_EQ(V.Int, Exact.Int);
    else
      EXPECT_TRUE(divides(V.divisor(), Exact.Int))
          << A << " op " << int(Op) << " " << B << " by " << V.divisor();
  }
}

TEST(Value, JoinHoldsForBoth) {
  EXPECT_EQ(join(HostValue::integer(12), HostValue::integer(12)).Int, 12);
  EXPECT_EQ(join(HostValue::integer(12), HostValue::integer(32)).divisor(), 4u);
  EXPECT_EQ(join(HostValue::bottom(), HostValue::integer(5)).Int, 5);
  EXPECT_EQ(join(HostValue::integer(0), HostValue::unknown("", 8)).divisor(),
            8u);
  int Base = 0;
  HostValue P = join(HostValue::pointer(&Base, "p", 256, 16),
                     HostValue::pointer(&Base, "p", 256, 40));
  EXPECT_FALSE(P.OffsetKnown);
  EXPECT_EQ(P.Divisor, 8u);
}

TEST(Value, RecordsAreTheirLeaves) {
  HostValue R = HostValue::record();
  R.setLeaf(8, HostValue::integer(2));
  R.setLeaf(0, HostValue::integer(1));
  HostValue Inner = HostValue::record();
  Inner.setLeaf(4, HostValue::integer(9));
  R.setLeaf(4, Inner); // lands on byte 8
  ASSERT_NE(R.leaf(8), nullptr);
  EXPECT_EQ(R.leaf(8)->Int, 9);
  EXPECT_EQ(R.leaf(4), nullptr);
  EXPECT_EQ(R.slice(8, 4).leaf(0)->Int, 9);
  EXPECT_TRUE(R.isConstant());
}

TEST(Value, SteppedPointers) {
  int Base = 0;
  HostValue P = HostValue::pointer(&Base, "p", 256);
  EXPECT_EQ(offsetPointer(P, HostValue::integer(3), 8).Int, 24);
  EXPECT_EQ(offsetPointer(P, HostValue::integer(3), 8, true).Int, -24);
  HostValue Q = offsetPointer(offsetPointer(P, HostValue::integer(2), 4),
                              HostValue::unknown("", 6), 4);
  EXPECT_FALSE(Q.OffsetKnown);
  EXPECT_EQ(Q.Divisor, 8u); // gcd(8, 24)
}
