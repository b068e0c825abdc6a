//===- WorkLedgerTest.cpp - Budgets of configurations, kernels, files -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Pipeline/WorkLedger.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

/// What \p Configurations that all take what they are given get in total.
uint64_t spendAll(WorkLedger &L, unsigned Configurations) {
  uint64_t Sum = 0;
  L.beginKernel();
  for (unsigned I = 0; I < Configurations; ++I) {
    uint64_t Given = L.allowance();
    Sum += Given;
    L.spend(Given);
  }
  return Sum;
}

TEST(WorkLedger, AConfigurationHasItsBudget) {
  WorkLedger L(1600);
  EXPECT_EQ(spendAll(L, 1), 1600u);
}

TEST(WorkLedger, ManyConfigurationsShareTwo) {
  WorkLedger L(1600);
  // 2 * 1600, then a sixteenth for each of the other 14.
  EXPECT_EQ(spendAll(L, 16), 2u * 1600 + 14 * 100);
}

TEST(WorkLedger, CheapConfigurationsLeaveTheOthersTheirs) {
  WorkLedger L(1600);
  L.beginKernel();
  for (unsigned I = 0; I < 16; ++I) {
    EXPECT_EQ(L.allowance(), 1600u);
    L.spend(100);
  }
  EXPECT_EQ(L.allowance(), 1600u);
}

TEST(WorkLedger, ManyKernelsShareEightAndNoneIsLeftOut) {
  WorkLedger L(1600);
  uint64_t Sum = 0;
  for (unsigned K = 0; K < 100; ++K)
    Sum += spendAll(L, 1);
  EXPECT_EQ(Sum, 8u * 1600 + 92 * 100);
}

} // namespace
