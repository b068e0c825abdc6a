//===- ConfigTest.cpp - Merging launches, and kernels without one ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

TEST(Config, WithoutALaunch) {
  Unit U("__global__ void k() {}\n"
         "__global__ void __launch_bounds__(128) b() {}\n"
         "template <int N> __global__ void __launch_bounds__(N * 32) t() {}\n"
         "template __global__ void t<3>();\n");
  LaunchConfig K = U.config("k");
  EXPECT_EQ(K.From, LaunchConfig::FromDefault);
  EXPECT_EQ(text(K.Block), "256x1x1");
  EXPECT_EQ(K.source(), "default");
  ASSERT_EQ(K.Assumptions.size(), 1u);
  EXPECT_EQ(K.Assumptions[0], "block 256x1x1 assumed: no launch of 'k' in "
                              "this file; --block sets it");
  LaunchConfig B = U.config("b");
  EXPECT_EQ(B.source(), "launch_bounds");
  EXPECT_EQ(text(B.Block), "128x1x1");
  EXPECT_EQ(text(U.config("t<3>").Block), "96x1x1");

  LaunchDefaults Given;
  Given.BlockOption = Dim3{64, 4, 1};
  std::vector<LaunchConfig> O = U.configs("k", Given);
  ASSERT_EQ(O.size(), 1u);
  EXPECT_EQ(O[0].source(), "option");
  EXPECT_EQ(text(O[0].Block), "64x4x1");
  EXPECT_EQ(blocks(U.configs("b", Given)), "128x1x1");
}

TEST(Config, UnknownBlockSaysSo) {
  LaunchConfig C = Unit("__global__ void k() {}\n"
                        "void f(int threads) {\n"
                        "  k<<<1, threads>>>(); }\n")
                       .config("k");
  EXPECT_TRUE(C.BlockAssumed);
  EXPECT_EQ(C.From, LaunchConfig::FromLaunch);
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_EQ(C.Assumptions[0],
            "block 256x1x1 assumed: the launch at launch.cu:3 takes it from "
            "'threads', whose value is not known here; --block sets it");
  ASSERT_EQ(C.Launches.size(), 1u);
  EXPECT_EQ(C.Launches[0].Line, 3u);
  EXPECT_EQ(C.Launches[0].Column, 3u);
}

TEST(Config, UnknownExtentsAreFilledIn) {
  Unit U("__global__ void a() {}\n__global__ void s() {}\n"
         "__global__ void __launch_bounds__(128) b() {}\n"
         "void f(int n) { a<<<1, dim3(32, n)>>>();\n"
         "  s<<<1, dim3(n, n)>>>(); b<<<1, dim3(n, 4)>>>(); }\n");
  EXPECT_EQ(blocks(U.configs("a")), "32x8x1?");  // 256 threads
  EXPECT_EQ(blocks(U.configs("s")), "16x16x1?"); // a square of 256
  EXPECT_EQ(blocks(U.configs("b")), "32x4x1?");  // 128 of the bounds
}

TEST(Config, BlockThatCannotBeLaunched) {
  LaunchConfig C = Unit("__global__ void k() {}\n"
                        "void f() { k<<<1, 2048>>>(); }\n")
                       .config("k");
  EXPECT_TRUE(C.BlockAssumed);
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_NE(C.Assumptions[0].find("asks for 2048x1x1"), std::string::npos);
}

TEST(Config, AlikeLaunchesShareOne) {
  LaunchConfig C = Unit("__global__ void k(float *p, int n) {}\n"
                        "void f(float *a, float *b) {\n"
                        "  k<<<1, 64>>>(a, 5);\n"
                        "  k<<<1, 64>>>(b, 5);\n"
                        "  k<<<2, 64>>>(a, 5);\n"
                        "}\n")
                       .config("k");
  ASSERT_EQ(C.Launches.size(), 3u);
  EXPECT_EQ(C.Launches[0].Line, 3u);
  EXPECT_EQ(C.Launches[2].Line, 5u);
  EXPECT_EQ(arguments(C), "a+0, 5");
  // The grids differ, so none holds for all.
  EXPECT_FALSE(C.Grid.has_value());
  EXPECT_NE(C.source().find("launch.cu:3"), std::string::npos);
}

TEST(Config, DifferentLaunchesStayApart) {
  Unit U("__global__ void k(int n) {}\n"
         "void f() { k<<<1, 64>>>(5); k<<<1, 64>>>(6); k<<<1, 32>>>(5);\n"
         "  k<<<1, 64, 8>>>(5); }\n");
  std::vector<LaunchConfig> All = U.configs("k");
  EXPECT_EQ(blocks(All), "64x1x1 64x1x1 32x1x1 64x1x1");
}

TEST(Config, ManyArgumentsAreJoined) {
  LaunchConfig C =
      Unit("__global__ void k(float *p, int n, int m) {}\n"
           "void f(float *a) { k<<<1, 64>>>(a, 8, 1);\n"
           "  k<<<1, 64>>>(a, 12, 1); k<<<1, 64>>>(a + 4, 16, 1);\n"
           "  k<<<1, 64>>>(a, 20, 1); k<<<1, 64>>>(a, 24, 1); }\n")
          .config("k");
  EXPECT_EQ(C.Launches.size(), 5u);
  EXPECT_EQ(arguments(C), "a? (16), ? (4), 1");
}

TEST(Config, SixteenAtMost) {
  std::string Code = "__global__ void k() {}\nvoid f() {\n";
  for (int B = 1; B <= 40; ++B)
    Code += "k<<<1, " + std::to_string(32 + B) + ">>>();\n";
  std::vector<LaunchConfig> All = Unit(Code + "}\n").configs("k");
  EXPECT_EQ(All.size(), 16u);
  size_t Places = 0;
  for (const LaunchConfig &C : All)
    Places += C.Launches.size();
  EXPECT_EQ(Places, 40u); // joined, not dropped
}

TEST(Config, ErrorsInTheFile) {
  Unit U("__global__ void k() {}\n"
         "void f() { int b = oops(3); k<<<missing, 64>>>();\n"
         "  k<<<1, b>>>(); undeclared<<<1, 2>>>(); }\n"
         "template <int N> void g() { k<<<N, N>>>(); nope(N); }\n");
  EXPECT_NE(blocks(U.configs("k")), "");
  Unit("__global__ void k( {}\nvoid f() { k<<<1, 2>>>(); }");
  Unit("void f() { <<<1, 2>>>; }");
  Unit("");
}
