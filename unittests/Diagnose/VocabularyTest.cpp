//===- VocabularyTest.cpp - Words and numbers of the reports ------------- ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Diagnose/Vocabulary.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

TEST(Vocabulary, CountsHaveAtMostOneDecimal) {
  EXPECT_EQ(formatCount(4), "4");
  EXPECT_EQ(formatCount(4.875), "4.9");
  EXPECT_EQ(formatCount(4.96), "5");
  EXPECT_EQ(formatCount(0.5), "0.5");
}

TEST(Vocabulary, SectorsAndWavefrontsAreNeverMixed) {
  EXPECT_EQ(unitName(MemorySpace::Global, 4), "sectors");
  EXPECT_EQ(unitName(MemorySpace::Global, 1), "sector");
  EXPECT_EQ(unitName(MemorySpace::Shared, 32), "wavefronts");
  EXPECT_EQ(unitName(MemorySpace::Constant, 2), "passes");
}

TEST(Vocabulary, KernelNamesLoseReturnTypeAndParameters) {
  EXPECT_EQ(shortKernelName("f(float*)"), "f");
  EXPECT_EQ(shortKernelName("void f<4, (bool)1>(float const*, int)"),
            "f<4, (bool)1>");
  EXPECT_EQ(shortKernelName("void ns::pfor<Fill>(int, Fill)"),
            "ns::pfor<Fill>");
  EXPECT_EQ(shortKernelName("(anonymous namespace)::k(int*)"),
            "(anonymous namespace)::k");
  EXPECT_EQ(shortKernelName("void (anonymous namespace)::k<int>(int*)"),
            "(anonymous namespace)::k<int>");
  EXPECT_EQ(shortKernelName("k"), "k");
}

TEST(Vocabulary, ReasonsAreKebabCase) {
  EXPECT_EQ(reasonName(UnknownReason::DataDependentAddress),
            "data-dependent-address");
  EXPECT_EQ(reasonName(UnknownReason::None), "");
}

} // namespace
