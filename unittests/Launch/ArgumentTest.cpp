//===- ArgumentTest.cpp - Facts about kernel arguments --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

// The arguments of `k(PARAMETERS)` launched as `Launch` at the end of `Body`
// in a function f(int n, float *q).
static std::string facts(const std::string &Parameters, const std::string &Body,
                         const std::string &Before) {
  Unit U(Before + "\n__global__ void k(" + Parameters +
         ") {}\nvoid f(int n, float *q) {" + Body + "}\n");
  return arguments(U.config("k"));
}

static std::string pointer(const std::string &Body) {
  return facts("float *p", Body, "");
}

static std::string integer(const std::string &Body) {
  return facts("int n", Body, "");
}

TEST(Argument, Integers) {
  EXPECT_EQ(integer("k<<<1, 32>>>(1 << 10);"), "1024");
  EXPECT_EQ(integer("const int w = 7; k<<<1, 32>>>(w - 9);"), "-2");
  EXPECT_EQ(integer("k<<<1, 32>>>(n);"), "?");
}

TEST(Argument, Divisors) {
  EXPECT_EQ(integer("k<<<1, 32>>>(n * 32);"), "? (32)");
  EXPECT_EQ(integer("int m = 4 * n; k<<<1, 32>>>(m * 6);"), "? (24)");
  EXPECT_EQ(integer("k<<<1, 32>>>((n + 63) / 64 * 64);"), "? (64)");
  EXPECT_EQ(integer("k<<<1, 32>>>((n + 31) & ~31);"), "? (32)");
  EXPECT_EQ(integer("k<<<1, 32>>>(n << 3);"), "? (8)");
  EXPECT_EQ(integer("k<<<1, 32>>>(n * 32 + 48);"), "? (16)");
  EXPECT_EQ(integer("k<<<1, 32>>>(n * 32 / 8);"), "? (4)");
  // 32, 32 + 24, 32 + 48, ...
  EXPECT_EQ(integer("int m = 32; while (n--) m += 24; k<<<1, 32>>>(m);"),
            "? (8)");
  // 32, 64, 128, ...
  EXPECT_EQ(integer("int m = 32; while (n--) m *= 2; k<<<1, 32>>>(m);"),
            "? (32)");
}

TEST(Argument, Pointers) {
  EXPECT_EQ(pointer("k<<<1, 32>>>(q);"), "q+0");
  EXPECT_EQ(pointer("k<<<1, 32>>>(q + 1);"), "q+4");
  EXPECT_EQ(pointer("k<<<1, 32>>>(&q[4]);"), "q+16");
  EXPECT_EQ(pointer("k<<<1, 32>>>(q - 2);"), "q-8");
  EXPECT_EQ(pointer("k<<<1, 32>>>((float *)((char *)q + 6));"), "q+6");
  EXPECT_EQ(pointer("k<<<1, 32>>>(reinterpret_cast<float *>((double *)q + 3)"
                    " + 1);"),
            "q+28");
  EXPECT_EQ(pointer("float *r = q + 8; k<<<1, 32>>>(r + 1);"), "q+36");
  EXPECT_EQ(pointer("k<<<1, 32>>>(nullptr);"), "?");
}

TEST(Argument, AllocationsAreAligned) {
  EXPECT_EQ(pointer("float *d; cudaMalloc(&d, 64); k<<<1, 32>>>(d + 2);"),
            "d+8 (256)");
  EXPECT_EQ(pointer("float *d; cudaMalloc((void **)&d, 64);"
                    " k<<<1, 32>>>(d);"),
            "d+0 (256)");
  EXPECT_EQ(pointer("float *d = 0; if (n) cudaMalloc(&d, 64);"
                    " k<<<1, 32>>>(d);"),
            "d+0 (256)");
}

TEST(Argument, PointersOfUnknownOffset) {
  // 4-byte elements, so the address is a multiple of 4.
  EXPECT_EQ(pointer("k<<<1, 32>>>(q + n);"), "q? (4)");
  EXPECT_EQ(pointer("k<<<1, 32>>>(q + 16 * n);"), "q? (64)");
  EXPECT_EQ(pointer("k<<<1, 32>>>(q + 256 * n);"), "q? (256)");
  EXPECT_EQ(pointer("k<<<1, 32>>>(q + 16 * n + 2);"), "q? (8)");
  EXPECT_EQ(pointer("float *r = q; while (n--) r += 8; k<<<1, 32>>>(r);"),
            "q? (32)");
}

TEST(Argument, EqualNamesAreOneAllocation) {
  EXPECT_EQ(facts("float *a, float *b, float *c",
                  "float *d; cudaMalloc(&d, 9);"
                  " { float *q = d; k<<<1, 32>>>(q, d + 4, ::g); }",
                  "float *g;"),
            "d+0 (256), d+16 (256), g+0");
  // Two variables of one name stay two.
  EXPECT_EQ(facts("float *a, float *b",
                  "float *r = q; { float *q; cudaMalloc(&q, 9);"
                  " k<<<1, 32>>>(r, q); }",
                  ""),
            "q+0, q#2+0 (256)");
}

TEST(Argument, SwappedBuffersKeepTheirAlignment) {
  EXPECT_EQ(facts("float *a, float *b",
                  "float *x, *y; cudaMalloc(&x, 9); cudaMalloc(&y, 9);"
                  " for (int i = 0; i < n; ++i) { k<<<1, 32>>>(x, y);"
                  " std::swap(x, y); }",
                  ""),
            "x+0 (256), y+0 (256)");
}

TEST(Argument, AllocatedByAHelper) {
  EXPECT_EQ(facts("float *a, float *b",
                  "float *x = make(9), *y = make(9); k<<<1, 32>>>(x, y + 1);",
                  "float *make(int n) { float *p; cudaMalloc(&p, n);"
                  " return p; }"),
            "x+0 (256), y+4 (256)");
}

TEST(Argument, Pitch) {
  EXPECT_EQ(facts("float *a, size_t p",
                  "float *d; size_t w; cudaMallocPitch((void **)&d, &w, 9, 9);"
                  " k<<<1, 32>>>(d, w / sizeof(float));",
                  ""),
            "d+0 (256), ? (128)");
}

TEST(Argument, StructsByValue) {
  const std::string S = "struct In { int w, h; };\n"
                        "struct P { float *p; int n; In in; };";
  EXPECT_EQ(facts("P p", "k<<<1, 32>>>(P{q + 1, 5, {6, 7}});", S),
            "? {0: q+4, 8: 5, 12: 6, 16: 7}");
  EXPECT_EQ(facts("P p", "P s = {q, n, {6}}; k<<<1, 32>>>(s);", S),
            "? {0: q+0, 12: 6, 16: 0}");
  EXPECT_EQ(facts("P p", "k<<<1, 32>>>(P{.p = q, .in = {.h = 3}});", S),
            "? {0: q+0, 8: 0, 12: 0, 16: 3}");
  EXPECT_EQ(facts("P p",
                  "P s; s.p = q; s.n = 4; s.in.h = 2;"
                  " k<<<1, 32>>>(s);",
                  S),
            "? {0: q+0, 8: 4, 16: 2}");
  EXPECT_EQ(facts("P p", "k<<<1, 32>>>(P(q, 3));",
                  "struct P { float *p; int n; P(float *a, int b)"
                  " : p(a + 2), n(b * 2) {} };"),
            "? {0: q+8, 8: 6}");
}

TEST(Argument, LambdaCaptures) {
  Unit U("template <class F> __global__ void k(F f) {}\n"
         "void f(float *q) { int n = 12;\n"
         "  auto g = [=] __device__ { q[n] = 0; };\n"
         "  k<<<1, 32>>>(g); }\n");
  // The closure's type has no name to ask for, so look at any kernel.
  std::vector<LaunchConfig> All = U.configs("k<(lambda at launch.cu:3:12)>");
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(arguments(All[0]), "? {0: q+0, 8: 12}");
}
