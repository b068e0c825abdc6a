//===- FlowTest.cpp - Paths that part and meet again ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp/Flow.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

class Guards : public testing::Test {
protected:
  LaneDomain D;
  Conditions C{D};

  Literal condition(bool Varying = false, int Likely = -1) {
    return C.opaque(Varying, Likely);
  }
  static Literal notOf(Literal L) { return {L.Condition, !L.Holds}; }
  static Guard all(std::initializer_list<Literal> Ls) {
    Guard G(Ls);
    std::sort(G.begin(), G.end());
    return G;
  }
};

TEST_F(Guards, TheTwoSidesOfABranchMeet) {
  Literal A = condition(), B = condition();
  EXPECT_EQ(C.join({all({A}), all({notOf(A)})}), Guard());
  EXPECT_EQ(C.join({all({A, B}), all({notOf(A), B})}), all({B}));
}

TEST_F(Guards, NestedBranchesMeet) {
  Literal A = condition(), B = condition();
  EXPECT_EQ(C.join({all({A, B}), all({A, notOf(B)}), all({notOf(A)})}),
            Guard());
}

TEST_F(Guards, TheWeakerConditionStands) {
  Literal A = condition(), B = condition();
  EXPECT_EQ(C.join({all({A}), all({A, B})}), all({A}));
}

TEST_F(Guards, WhatCannotBeSimplifiedStaysACondition) {
  Literal A = condition(true), B = condition();
  Guard G = C.join({all({A}), all({B})});
  ASSERT_EQ(G.size(), 1u);
  EXPECT_TRUE(C.isVarying(G[0])); // lanes may differ in A
}

TEST_F(Guards, OppositeTruthValuesAreOneCondition) {
  Symbol S;
  S.Lo = 0;
  S.Hi = 1;
  LaneInt T = LaneInt::symbol(D.fresh(S));
  Literal Yes = C.literal(T), No = C.literal(D.notOf(T));
  EXPECT_EQ(No, notOf(Yes));
}

} // namespace
