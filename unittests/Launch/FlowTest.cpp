//===- FlowTest.cpp - Values that reach a launch, and those that do not ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

// Blocks of `k` launched in a function `f(int n, bool c)`.
static std::string run(const std::string &Body,
                       const std::string &Before = "") {
  return blocks(Unit("__global__ void k() {}\n" + Before +
                     "\nvoid f(int n, bool c) {" + Body + "}\n")
                    .configs("k"));
}

TEST(Flow, LastAssignmentWins) {
  EXPECT_EQ(run("int b = 32; b = 64; k<<<1, b>>>();"), "64x1x1");
  EXPECT_EQ(run("int b = 32; k<<<1, b>>>(); b = 64;"), "32x1x1");
  EXPECT_EQ(run("int b = 32; b *= 4; b++; b -= 1; k<<<1, b>>>();"), "128x1x1");
}

TEST(Flow, BothBranches) {
  EXPECT_EQ(run("int b; if (c) b = 64; else b = 128; k<<<1, b>>>();"),
            "64x1x1 128x1x1");
  EXPECT_EQ(run("int b = 32; if (c) b = 512; k<<<1, b>>>();"),
            "32x1x1 512x1x1");
  EXPECT_EQ(run("int b = c ? 64 : 96; k<<<1, b>>>();"), "64x1x1 96x1x1");
  EXPECT_EQ(run("int b; switch (n) { case 1: b = 32; break; case 2: b = 64;"
                " break; default: b = 128; } k<<<1, b>>>();"),
            "32x1x1 64x1x1 128x1x1");
}

TEST(Flow, ValuesOfOneBranchBelongTogether) {
  EXPECT_EQ(run("int x, y; if (c) { x = 32; y = 8; } else { x = 16; y = 4; }"
                " k<<<1, dim3(x, y)>>>();"),
            "32x8x1 16x4x1");
  EXPECT_EQ(run("int x = 32, y = 8; if (c) { x = 16; y = 4; }"
                " k<<<1, dim3(x, y)>>>();"),
            "32x8x1 16x4x1");
}

TEST(Flow, ConditionsThatAreKnown) {
  EXPECT_EQ(run("const bool wide = true; int b = wide ? 256 : 32;"
                " k<<<1, b>>>();"),
            "256x1x1");
  EXPECT_EQ(run("for (int b = 32; b <= 128; b *= 2)"
                " if (b == 64) k<<<1, b>>>();"),
            "64x1x1");
  EXPECT_EQ(run("for (int b = 32; b <= 128; b *= 2) switch (b) {"
                " case 32: k<<<1, 32>>>(); break; case 7: k<<<2, 7>>>(); }"),
            "32x1x1");
}

TEST(Flow, LoopOverConfigurations) {
  EXPECT_EQ(run("for (int b = 32; b <= 256; b *= 2) k<<<1, b>>>();"),
            "32x1x1 64x1x1 128x1x1 256x1x1");
  EXPECT_EQ(run("for (int b = 128; b >= 32; b >>= 1) k<<<1, b>>>();"),
            "128x1x1 64x1x1 32x1x1");
  EXPECT_EQ(run("int s[] = {64, 96}; for (int b : s) k<<<1, b>>>();"),
            "64x1x1 96x1x1");
  EXPECT_EQ(run("for (int b : {64, 96}) k<<<1, b>>>();"), "64x1x1 96x1x1");
  EXPECT_EQ(run("int s[3] = {64, 96, 32}; for (int i = 0; i < 3; ++i)"
                " k<<<1, s[i]>>>();"),
            "64x1x1 96x1x1 32x1x1");
}

TEST(Flow, LoopsOfUnknownLength) {
  // Of what the loop goes through only the first value is known, and that it
  // is one of several is said.
  for (const char *Body :
       {"int b = 32; while (n--) { k<<<1, b>>>(); b += 32; }",
        "for (int b = 32; b < n; b *= 2) k<<<1, b>>>();"}) {
    LaunchConfig C =
        Unit(std::string("__global__ void k() {}\nvoid f(int n) {") + Body +
             "}\n")
            .config("k");
    EXPECT_EQ(text(C.Block), "32x1x1");
    ASSERT_EQ(C.Assumptions.size(), 1u);
    EXPECT_EQ(C.Assumptions[0], "'b' is 32, one of the values it may have");
  }
  // Here none is.
  EXPECT_EQ(run("for (int b = n; b < 512; b *= 2) k<<<1, b>>>();"), "256x1x1?");
}

TEST(Flow, WrittenOutOfSight) {
  EXPECT_EQ(run("int b = 32; scanf(\"%d\", &b); k<<<1, b>>>();"), "256x1x1?");
  EXPECT_EQ(run("int b = 32; int *p = &b; *p = 64; k<<<1, b>>>();"),
            "256x1x1?");
  EXPECT_EQ(run("int b = 32; int &r = b; r = 64; k<<<1, b>>>();"), "256x1x1?");
  EXPECT_EQ(run("int b = 32; set(b); k<<<1, b>>>();", "void set(int &);"),
            "256x1x1?");
  // A reference to const, and a copy, change nothing.
  EXPECT_EQ(run("int b = 32; see(b); cudaMemcpy(0, &b, 4, 0); k<<<1, b>>>();",
                "void see(const int &);"),
            "32x1x1");
}

TEST(Flow, Globals) {
  EXPECT_EQ(run("k<<<1, g>>>();", "static int g = 96;"), "96x1x1");
  EXPECT_EQ(run("g = 64; k<<<1, g>>>();", "static int g;"), "64x1x1");
  EXPECT_EQ(run("k<<<1, g>>>();", "extern int g;"), "256x1x1?");
}

TEST(Flow, Callers) {
  EXPECT_EQ(run("h(128);", "void h(int b) { k<<<1, b>>>(); }"), "128x1x1");
  EXPECT_EQ(run("h(128); h(64);", "void h(int b) { k<<<1, b>>>(); }"),
            "128x1x1 64x1x1");
  EXPECT_EQ(run("h();", "void h(int b = 96) { k<<<1, b>>>(); }"), "96x1x1");
  EXPECT_EQ(run("h(32, 8); h(16, 4);",
                "void h(int x, int y) { k<<<1, dim3(x, y)>>>(); }"),
            "32x8x1 16x4x1");
  // Whoever has the address may call it with anything: the shape is guessed
  // from the calls that show, the arguments are not.
  LaunchConfig C = Unit("__global__ void k(int n) {}\n"
                        "static void h(int b) { k<<<1, b>>>(b); }\n"
                        "void (*p)(int);\nvoid f() { h(128); p = h; }\n")
                       .config("k");
  EXPECT_EQ(text(C.Block), "128x1x1");
  EXPECT_EQ(arguments(C), "?");
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_EQ(C.Assumptions[0],
            "calls of 'h' through a pointer pass what the others pass");
}

TEST(Flow, ExternalLinkageIsAnAssumption) {
  LaunchConfig C = Unit("__global__ void k() {}\n"
                        "void h(int b) { k<<<1, b>>>(); }\n"
                        "static void s(int b) { k<<<2, b>>>(); }\n"
                        "void f() { h(128); s(128); }\n")
                       .config("k");
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_EQ(C.Assumptions[0], "'h' is called from this file only");
}

TEST(Flow, CommandLine) {
  Unit U("__global__ void k() {}\n"
         "int main(int argc, char **argv) {\n"
         "  int b = argc > 1 ? atoi(argv[1]) : 192; k<<<1, b>>>(); }\n");
  LaunchConfig C = U.config("k");
  EXPECT_EQ(text(C.Block), "192x1x1");
  EXPECT_FALSE(C.BlockAssumed);
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_NE(C.Assumptions[0].find("unless the command line changes it"),
            std::string::npos);
  EXPECT_EQ(run("int b = atoi(0); k<<<1, b>>>();"), "256x1x1?");
}

TEST(Flow, OptionsReadOverTheirDefaults) {
  Unit U("__global__ void k() {}\nstruct P { int threads;\n"
         "  P(int c, char **v) { threads = 96;\n"
         "    for (int i = 1; i < c; ++i) if (v[i][0] == 't')\n"
         "      threads = atoi(v[i] + 1); } };\n"
         "int main(int c, char **v) { P p(c, v); k<<<1, p.threads>>>(); }\n");
  LaunchConfig C = U.config("k");
  EXPECT_EQ(text(C.Block), "96x1x1");
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_EQ(C.Assumptions[0],
            "'threads' is 96 unless the command line changes it");
}

TEST(Flow, GuessesThatCannotBeLaunched) {
  // 0 is the answer for no input, 1 << 20 what the loop starts from.
  EXPECT_EQ(run("k<<<1, pick(n)>>>();",
                "int g(int); int pick(int n) { if (n == 0) return 0;"
                " return g(n); }"),
            "256x1x1?");
  LaunchConfig C = Unit("__global__ void k() {}\nvoid f(int n) {\n"
                        "  int b = 1 << 20; while (n--) b /= 2;\n"
                        "  k<<<1, b>>>(); }\n")
                       .config("k");
  EXPECT_TRUE(C.BlockAssumed);
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_NE(C.Assumptions[0].find("takes it from 'b'"), std::string::npos);
}

TEST(Flow, Members) {
  EXPECT_EQ(run("S s; s.go();",
                "struct S { int b = 96; void go() { k<<<1, b>>>(); } };"),
            "96x1x1");
  EXPECT_EQ(run("S s(2); s.go();", "struct S { int b; S(int n) : b(n * 32) {}"
                                   " void go() { k<<<1, b>>>(); } };"),
            "64x1x1");
}
