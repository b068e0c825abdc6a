//===- ShapeTest.cpp - Block, grid and shared bytes of one launch ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

// `BODY` in a function after a kernel `k`.
static LaunchConfig launch(const std::string &Body,
                           const std::string &Before = "") {
  return Unit("__global__ void k() {}\n" + Before + "\nvoid f() {" + Body +
              "}\n")
      .config("k");
}

static std::string block(const std::string &Body,
                         const std::string &Before = "") {
  LaunchConfig C = launch(Body, Before);
  return text(C.Block) + (C.BlockAssumed ? "?" : "");
}

TEST(Shape, Literals) {
  LaunchConfig C = launch("k<<<10, 128, 2 * 512>>>();");
  EXPECT_EQ(C.From, LaunchConfig::FromLaunch);
  EXPECT_EQ(text(C.Block), "128x1x1");
  ASSERT_TRUE(C.Grid.has_value());
  EXPECT_EQ(text(*C.Grid), "10x1x1");
  EXPECT_EQ(C.DynamicSharedBytes, 1024u);
  EXPECT_FALSE(C.BlockAssumed);
  EXPECT_TRUE(C.Assumptions.empty());
}

TEST(Shape, NoThirdArgumentIsNoSharedMemory) {
  EXPECT_EQ(launch("k<<<1, 32>>>();").DynamicSharedBytes, 0u);
}

TEST(Shape, Constants) {
  EXPECT_EQ(block("k<<<1, N>>>();", "#define N (4 * 16)"), "64x1x1");
  EXPECT_EQ(block("k<<<1, N>>>();", "constexpr int N = 96;"), "96x1x1");
  EXPECT_EQ(block("k<<<1, N>>>();", "static const int N = 96;"), "96x1x1");
  EXPECT_EQ(block("k<<<1, N>>>();", "enum { N = 160 };"), "160x1x1");
  EXPECT_EQ(
      block("k<<<1, S::N>>>();", "struct S { static constexpr int N = 224; };"),
      "224x1x1");
  EXPECT_EQ(block("k<<<1, 8 * sizeof(double)>>>();"), "64x1x1");
}

TEST(Shape, Dim3) {
  EXPECT_EQ(block("dim3 b(16, 8); k<<<1, b>>>();"), "16x8x1");
  EXPECT_EQ(block("dim3 b{4, 2, 8}; k<<<1, b>>>();"), "4x2x8");
  EXPECT_EQ(block("dim3 b = {32, 2}; k<<<1, b>>>();"), "32x2x1");
  EXPECT_EQ(block("dim3 b = 48; k<<<1, b>>>();"), "48x1x1");
  EXPECT_EQ(block("dim3 a(16, 4), b = a; k<<<1, b>>>();"), "16x4x1");
  EXPECT_EQ(block("dim3 b; b = dim3(8, 8); k<<<1, b>>>();"), "8x8x1");
  EXPECT_EQ(block("dim3 b; b.x = 16; b.y = 2; k<<<1, b>>>();"), "16x2x1");
  EXPECT_EQ(block("dim3 b(7); b = make_uint3(64, 2, 1); k<<<1, b>>>();"),
            "64x2x1");
  EXPECT_EQ(block("k<<<1, b>>>();", "const dim3 b(128, 2, 1);"), "128x2x1");
}

TEST(Shape, Arithmetic) {
  EXPECT_EQ(block("int n = 1000; k<<<1, (n + 31) / 32>>>();"), "32x1x1");
  EXPECT_EQ(block("int n = 3; k<<<1, 1 << (n + 2)>>>();"), "32x1x1");
  EXPECT_EQ(block("int n = 70; k<<<1, n > 64 ? 64 : n>>>();"), "64x1x1");
  EXPECT_EQ(block("int n = 70; k<<<1, std::min(n, 128)>>>();"), "70x1x1");
  EXPECT_EQ(block("int n = 70; k<<<1, std::max(n, 128)>>>();"), "128x1x1");
  EXPECT_EQ(block("int n = 70; k<<<1, (int)ceil(n / 32.0) * 32>>>();"),
            "96x1x1");
  EXPECT_EQ(block("float t = 64.9f; k<<<1, (unsigned)t>>>();"), "64x1x1");
  // Unsigned arithmetic wraps: 0 - 4294967264 = 32 in 32 bits.
  EXPECT_EQ(block("unsigned z = 0; k<<<1, z - 4294967264u>>>();"), "32x1x1");
}

TEST(Shape, Helpers) {
  EXPECT_EQ(block("k<<<1, up(100, 32)>>>();",
                  "int up(int a, int b) { return (a + b - 1) / b * b; }"),
            "128x1x1");
  EXPECT_EQ(block("k<<<1, pick(4096)>>>();",
                  "int pick(int n) { if (n > 1024) return 256; return 64; }"),
            "256x1x1");
  EXPECT_EQ(block("k<<<1, pick(2)>>>();",
                  "int pick(int n) { switch (n) { case 1: return 32;"
                  " case 2: return 64; default: return 128; } }"),
            "64x1x1");
  EXPECT_EQ(block("k<<<1, shape(16)>>>();",
                  "dim3 shape(int n) { dim3 b(n, n); b.z = 2; return b; }"),
            "16x16x2");
  EXPECT_EQ(block("Cfg c(8); k<<<1, c.threads()>>>();",
                  "struct Cfg { int w; Cfg(int n) : w(n) {}"
                  " int threads() const { return w * 32; } };"),
            "256x1x1");
}

TEST(Shape, Templates) {
  Unit U("template <int B> __global__ void k() {}\n"
         "template <int B> void f() { k<B><<<1, B * 2>>>(); }\n"
         "void g() { f<32>(); f<64>(); }\n");
  EXPECT_EQ(blocks(U.configs("k<32>")), "64x1x1");
  EXPECT_EQ(blocks(U.configs("k<64>")), "128x1x1");
}

TEST(Shape, LambdaBody) {
  EXPECT_EQ(block("int n = 64; auto go = [&](int m) { k<<<1, n * m>>>(); };"
                  " go(2);"),
            "128x1x1");
}

TEST(Shape, PartOfTheGrid) {
  LaunchConfig C = Unit("__global__ void k() {}\n"
                        "void f(int n) { k<<<dim3(n, 7), 32>>>(); }\n")
                       .config("k");
  EXPECT_FALSE(C.Grid.has_value());
  EXPECT_FALSE(C.GridExtent[0].has_value());
  EXPECT_EQ(C.GridExtent[1], 7u);
  EXPECT_EQ(C.GridExtent[2], 1u);
}

TEST(Shape, LaunchApi) {
  LaunchConfig C =
      Unit("__global__ void k(float *p, int n) {}\n"
           "void f(float *p) { int n = 40; void *args[] = {&p, &n};\n"
           "  cudaLaunchKernel((void *)k, dim3(3), dim3(64, 2), args, 16, 0);"
           " }\n")
          .config("k");
  EXPECT_EQ(text(C.Block), "64x2x1");
  EXPECT_EQ(C.DynamicSharedBytes, 16u);
  EXPECT_EQ(arguments(C), "p+0, 40");
}

TEST(Shape, ArgumentsAreReadAtTheLaunch) {
  LaunchConfig C =
      Unit("__global__ void k(float *p, int n) {}\n"
           "void f(float *p) { int n = 40; void *args[2]; args[0] = &p;\n"
           "  args[1] = &n; n = 41; p += 2;\n"
           "  cudaLaunchCooperativeKernel((const void *)k, 3, 96, args, 0, 0);"
           " }\n")
          .config("k");
  EXPECT_EQ(text(C.Block), "96x1x1");
  EXPECT_EQ(arguments(C), "p+8, 41");
}

TEST(Shape, LaunchApiWithConfig) {
  LaunchConfig C =
      Unit("__global__ void k(int n) {}\n"
           "void f() { cudaLaunchConfig_t c = {}; c.gridDim = dim3(4);\n"
           "  c.blockDim = dim3(32, 4); c.dynamicSmemBytes = 2048;\n"
           "  cudaLaunchKernelEx(&c, k, 9); }\n")
          .config("k");
  EXPECT_EQ(text(C.Block), "32x4x1");
  EXPECT_EQ(text(C.Grid.value_or(Dim3())), "4x1x1");
  EXPECT_EQ(C.DynamicSharedBytes, 2048u);
  EXPECT_EQ(arguments(C), "9");
}

TEST(Shape, ConditionsAroundTheLaunch) {
  const std::string Before = "int unknown();";
  const std::string Either = "const int n = unknown(); int b;\n"
                             "if (n > 1) b = 128; else b = unknown() / 2;\n";
  LaunchConfig C = launch(Either + "if (n > 1) k<<<1, b>>>();", Before);
  EXPECT_EQ(text(C.Block), "128x1x1");
  EXPECT_TRUE(C.Assumptions.empty());
  C = launch(Either + "if (unknown() && n > 1) k<<<1, b>>>();", Before);
  EXPECT_TRUE(C.Assumptions.empty());
  // The other way 128 is not even a guess.
  EXPECT_EQ(block(Either + "if (n > 1) return; else k<<<1, b>>>();", Before),
            "256x1x1?");
  // Not the same n: one of two values.
  C = launch("int n = unknown(); int b;\n"
             "if (n > 1) b = 128; else b = unknown() / 2;\n"
             "n = unknown(); if (n > 1) k<<<1, b>>>();",
             Before);
  EXPECT_EQ(C.Assumptions.size(), 1u);
}

TEST(Shape, RecursionOfUnknownDepth) {
  // With 512 elements or fewer the block is of n threads; with more the call
  // before it had 256, which is no guess at it.
  const std::string Before = "int unknown();\n"
                             "void r(int n) {\n"
                             "  int b = unknown();\n"
                             "  if (n > 512) b = 256;\n"
                             "  k<<<1, b>>>();\n"
                             "  if (n > 512) r(n / 512); }";
  LaunchConfig C = launch("r(unknown());", Before);
  EXPECT_TRUE(C.BlockAssumed);
  EXPECT_EQ(text(C.Block), "1x1x1");
  ASSERT_TRUE(C.OtherBlock.has_value());
  EXPECT_EQ(text(*C.OtherBlock), "256x1x1");
}

TEST(Shape, FunctionPointer) {
  EXPECT_EQ(block("void (*p)() = k; p<<<1, 96>>>();"), "96x1x1");
}
