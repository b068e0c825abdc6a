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
  EXPECT_EQ(run("int b = 32; if (sizeof(int) == 4) b = 64; k<<<1, b>>>();"),
            "64x1x1");
  EXPECT_EQ(run("int m = 3, b = 32; if (m > 4) b = 64; k<<<1, b>>>();"),
            "32x1x1");
  EXPECT_EQ(run("int b, g; shape(2, b); k<<<1, b>>>();",
                "void shape(int kind, int &b) { if (kind < 3) { b = 128;"
                " } else { b = 256; } if (b > 96) b = 96; }"),
            "96x1x1");
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

TEST(Flow, WhatMayFailDecidesNothing) {
  // Neither of the two that a check may return is taken for a fact.
  EXPECT_EQ(run("int b = 64; if (check(n)) return; k<<<1, b>>>();",
                "int check(int n) { if (n > 5) return -1; return 0; }"),
            "64x1x1");
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

TEST(Flow, LoopsThatCanBeRun) {
  EXPECT_EQ(run("int b = 1; while (b < 100) b *= 2; k<<<1, b>>>();"),
            "128x1x1");
  EXPECT_EQ(run("int b = 512; do b /= 2; while (b > 100); k<<<1, b>>>();"),
            "64x1x1");
  EXPECT_EQ(run("int b; for (b = 32; b < 200; b += 32) if (b == 96) break;"
                " k<<<1, b>>>();"),
            "96x1x1");
  EXPECT_EQ(run("int b = 0; for (int i = 0; i < 8; ++i)"
                " for (int j = 0; j < 4; ++j) { b++; } k<<<1, b>>>();"),
            "32x1x1");
  EXPECT_EQ(run("int b = 128; if (c) { b = 1; while (b < 64) b *= 2; }"
                " k<<<1, b>>>();"),
            "64x1x1 128x1x1");
  EXPECT_EQ(run("k<<<1, up(100)>>>();",
                "int up(int n) { int p = 1; while (p < n) p <<= 1;"
                " return p; }"),
            "128x1x1");
  EXPECT_EQ(run("k<<<1, 1 << bits(127)>>>();",
                "int bits(int n) { int r = 0; while (n >>= 1) ++r;"
                " return r; }"),
            "64x1x1");
  EXPECT_EQ(run("k<<<1, up(100)>>>();", "int up(int n) { for (int i = 0;; ++i)"
                                        " if ((1 << i) >= n) return 1 << i; }"),
            "128x1x1");
  EXPECT_EQ(run("k<<<1, gcd(192, 128)>>>();",
                "int gcd(int a, int b) { while (b) { int t = a % b; a = b;"
                " b = t; } return a; }"),
            "64x1x1");
  // The outer loop has changed b before: it starts from no one value.
  EXPECT_EQ(run("int b = 64; for (int i = 0; i < 3; ++i) {"
                " while (b > 40) b -= 32; b += n; } k<<<1, b>>>();"),
            "64x1x1");
  // One is no guess at a block.
  EXPECT_EQ(run("int b = 1; while (b < n) b *= 2; k<<<1, b>>>();"), "256x1x1?");
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

TEST(Flow, DefaultsAreAlwaysListed) {
  // By whatever way a default comes in.
  for (const char *Launch :
       {"k<<<1, 64>>>(n);", "S s; s.n = n; k<<<1, 64>>>(s.n);",
        "k<<<1, 64>>>(n > 50 ? 7 : 8);", "k<<<1, 64>>>(pick(n));",
        "int p = 1; while (p < n) p *= 2; k<<<1, 64>>>(p);",
        "k<<<1, 64>>>(std::min(n, 500));"}) {
    Unit U(std::string("struct S { int n; }; __global__ void k(S s) {}\n"
                       "__global__ void k(int n) {}\n"
                       "int pick(int n) { if (n > 50) return 7; return 8; }\n"
                       "int main(int argc, char **argv) {\n"
                       "  int n = 100; if (argc > 1) n = atoi(argv[1]);\n") +
           Launch + "}\n");
    LaunchConfig C = U.config("k");
    ASSERT_EQ(C.Assumptions.size(), 1u) << Launch;
    EXPECT_EQ(C.Assumptions[0],
              "'n' is 100 unless the command line changes it");
  }
  Unit U("struct S { int n; }; __global__ void k(S s) {}\n"
         "int main(int argc, char **argv) {\n"
         "  S s; s.n = 100; if (argc > 1) sscanf(argv[1], \"%d\", &s.n);\n"
         "  k<<<1, 64>>>(s); }\n");
  LaunchConfig C = U.config("k");
  EXPECT_EQ(arguments(C), "? {0: 100}");
  ASSERT_EQ(C.Assumptions.size(), 1u);
}

TEST(Flow, DefaultsRuleOutNoLaunch) {
  Unit U("__global__ void k() {}\nint main(int argc, char **argv) {\n"
         "  int m = 1; if (argc > 1) m = atoi(argv[1]);\n"
         "  if (m == 1) k<<<1, 64>>>(); else k<<<1, 128>>>(); }\n");
  EXPECT_EQ(blocks(U.configs("k")), "64x1x1 128x1x1");
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

/// The guess at the one argument of `k<<<1, 32>>>(x)` in a function with
/// \p Statements, called with an unknown n.
static std::optional<int64_t> guess(const std::string &Statements) {
  return Unit("__global__ void k(int x) {}\nint g(int);\n"
              "void f(int n) {\n" +
              Statements + " }\n")
      .config("k")
      .Arguments[0]
      .Guess;
}

// The values that the launches of k(int) in \p Body give it, where it takes
// more than are told apart.
static std::vector<int64_t> values(const std::string &Body) {
  Unit U("__global__ void k(int n) {} bool g(int);\n"
         "void f(int n) {" +
         Body + "}\n");
  std::vector<LaunchConfig> Configs = U.configs("k");
  return Configs.size() == 1 ? Configs[0].Arguments[0].Values
                             : std::vector<int64_t>{-1};
}

TEST(Flow, AllValuesOfALoopAreKnown) {
  using Values = std::vector<int64_t>;
  EXPECT_EQ(values("for (int s = 512; s > 8; s /= 2) k<<<1, 32>>>(s);"),
            Values({16, 32, 64, 128, 256, 512}));
  EXPECT_EQ(values("for (int s = 512; s > 8; s /= 2) k<<<1, 32>>>(3 * s - 1);"),
            Values({47, 95, 191, 383, 767, 1535}));
  // What starts where another loop is, without what a condition rules out.
  EXPECT_EQ(values("for (int s = 64; s <= 1024; s *= 2)"
                   " for (int t = s / 2; t > 0; t /= 2)"
                   "  if (t >= 32) k<<<1, 32>>>(t);"),
            Values({32, 64, 128, 256, 512}));
  // Several variables in one header.
  EXPECT_EQ(values("int s = 1 << 20, l = 20;"
                   " for (; l > 9; l -= 2, s >>= 2) k<<<1, 32>>>(s / 4);"),
            Values({256, 1024, 4096, 16384, 65536, 262144}));
  // The end is not known, or a value is left out.
  EXPECT_EQ(values("for (int s = 512; s > n; s /= 2) k<<<1, 32>>>(s);"),
            Values());
  EXPECT_EQ(values("for (int s = 512; s > 8; s /= 2) {"
                   " if (g(s)) s = n; k<<<1, 32>>>(s); }"),
            Values());
}

TEST(Flow, OneRunSaysNothingOfTheNext) {
  // With 32 the inner loop is not entered: what it left of the run with 128
  // once stood for both.
  Unit U(
      "__global__ void k(int n, int s, int t) {}\n"
      "void g(int n) { for (int s = 128; s <= n; s *= 2)"
      " for (int t = s / 2; t > 0; t /= 2) if (t >= 64) k<<<1, 32>>>(n, s, t);"
      " }\nvoid f() { for (int n = 32; n <= 128; n *= 4) g(n); }\n");
  EXPECT_EQ(arguments(U.config("k")), "128, 128, 64");
}

TEST(Flow, TheFirstLaunchIsTheGuess) {
  EXPECT_EQ(guess("int m = 1; while (n > 1) { k<<<1, 32>>>(m); m *= 512;"
                  " n /= 512; }"),
            1);
  EXPECT_EQ(guess("for (int i = 6; i < n; i += 3) k<<<1, 32>>>(2 * i + 1);"),
            13);
  // The outer loop's first round, in which the inner one starts at 8.
  EXPECT_EQ(guess("for (int s = 16; s < n; s *= 2)"
                  " for (int t = s / 2; t > g(t); t /= 2) k<<<1, 32>>>(t);"),
            8);
  // What a loop before has left is no first value.
  EXPECT_EQ(guess("int m = 1; while (g(m)) m *= 2; k<<<1, 32>>>(m);"),
            std::nullopt);
  EXPECT_EQ(guess("int m = 0; for (int i = 5; i < n; ++i) m = i;"
                  " k<<<1, 32>>>(m);"),
            std::nullopt);
  // What a helper's search finds is not what it tries first.
  EXPECT_EQ(guess("int m = 0; for (int i = 3; i < n; ++i) {"
                  " for (int j = 1; j < 90; ++j) if (j == n) { m = j; break; }"
                  " k<<<1, 32>>>(m); }"),
            std::nullopt);
  // Not what the first round passes by.
  EXPECT_EQ(guess("for (int i = 0; i < n; ++i) if (i > 2) k<<<1, 32>>>(i);"),
            std::nullopt);
  // Nothing is guessed where it is known.
  EXPECT_EQ(guess("for (int i = 0; i < 3; ++i) k<<<1, 32>>>(7);"),
            std::nullopt);
}
