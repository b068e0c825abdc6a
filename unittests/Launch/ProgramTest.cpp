//===- ProgramTest.cpp - Programs that are run from main() on -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is expected is what the program does when it is compiled and run with
/// the launches printed.
///
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

namespace warplint {

static const char Kernels[] = "__global__ void k(int n, int m) {}\n"
                              "__global__ void q(int n) {}\n"
                              "__global__ void p(float *a, float *b) {}\n"
                              "extern \"C\" int unknown();\n"
                              "extern \"C\" void *malloc(size_t);\n";

/// "block: arguments" of each configuration of \p Kernel, in order.
static std::string made(const std::string &Code, const char *Run = nullptr,
                        const char *Kernel = "k") {
  Unit U(Kernels + Code,
         Run ? llvm::ArrayRef(Run) : llvm::ArrayRef<const char *>());
  std::string All;
  std::vector<LaunchConfig> Configs = U.configs(Kernel);
  for (const LaunchConfig &C : Configs)
    All += (All.empty() ? "" : " | ") + blocks({C}) + ": " + arguments(C);
  return All;
}

TEST(Program, RecursionThatLaunches) {
  // 300 elements are two blocks of 256, whose 2 sums are one block of 1.
  const std::string Scan =
      "void scan(int n, int level) {\n"
      "  int blocks = (n + 255) / 256;\n"
      "  int threads = blocks > 1 ? 256 : n / 2;\n"
      "  if (blocks > 1) { k<<<blocks, threads>>>(n, level);\n"
      "    scan(blocks, level + 1); }\n"
      "  else k<<<1, threads>>>(n, level); }\n";
  EXPECT_EQ(made(Scan + "int main() { scan(300, 0); }"),
            "256x1x1: 300, 0 | 1x1x1: 2, 1");
  EXPECT_EQ(made(Scan + "int main(int argc, char **argv) {\n"
                        "  scan(atoi(argv[1]), 0); }",
                 "./a 300"),
            "256x1x1: 300, 0 | 1x1x1: 2, 1");
  // A local that a deeper call is handed a pointer to is the caller's.
  EXPECT_EQ(
      made("int f(int *up, int d) { int own = d;\n"
           "  if (d == 0) { *up = 64; return own; }\n"
           "  int below = f(&own, d - 1); *up = own + d; return below; }\n"
           "int main() { int x = 0, y = f(&x, 2);\n"
           "  k<<<1, 32>>>(x, y); }"),
      "32x1x1: 67, 0");
}

TEST(Program, LoopsThatChangeTheBlock) {
  EXPECT_EQ(made("int main() { int b = 64;\n"
                 "  while (b != 0) { k<<<1, b>>>(b, 1); b /= 4; } }"),
            "64x1x1: 64, 1 | 16x1x1: 16, 1 | 4x1x1: 4, 1 | 1x1x1: 1, 1");
}

TEST(Program, WhereAnAllocationMayFail) {
  // Null is no place that a kernel reads from: what is known of the other
  // holds. They are two allocations.
  EXPECT_EQ(made("float *make(int pad) { float *q;\n"
                 "  if (cudaMalloc((void **)&q, 4096) != cudaSuccess)\n"
                 "    return NULL;\n"
                 "  return q + pad; }\n"
                 "int main() { float *a = make(1), *b = make(8);\n"
                 "  p<<<1, 32>>>(a, b); }",
                 nullptr, "p"),
            "32x1x1: q+4, q#2+32");
}

TEST(Program, WhatIsRepeatedIsRunOnce) {
  // 9 lengths, 250 times each, with 20 rounds of the helper: more than is
  // run step by step.
  const std::string Work = "int work(int n) { int s = 0;\n"
                           "  for (int i = 0; i < 20; i++) s += n;\n"
                           "  return s; }\n";
  EXPECT_EQ(made(Work + "int main() {\n"
                        "  for (int n = 32; n <= 64; n += 4)\n"
                        "    for (int r = 0; r < 250; r++)\n"
                        "      k<<<1, n>>>(work(n), 1); }"),
            "32x1x1: 640, 1 | 36x1x1: 720, 1 | 40x1x1: 800, 1 | "
            "44x1x1: 880, 1 | 48x1x1: 960, 1 | 52x1x1: 1040, 1 | "
            "56x1x1: 1120, 1 | 60x1x1: 1200, 1 | 64x1x1: 1280, 1");
  // Both orders of two buffers, and what comes after.
  EXPECT_EQ(made("void swap(int &a, int &b) { int t = a; a = b; b = t; }\n"
                 "int main() { int a = 32, b = 64, n = 0;\n"
                 "  for (int r = 0; r < 101; r++) {\n"
                 "    k<<<1, a>>>(a, b); swap(a, b); }\n"
                 "  k<<<1, 96>>>(n, 2); }"),
            "32x1x1: 32, 64 | 64x1x1: 64, 32 | 96x1x1: 0, 2");
  // What is counted besides is not repeated.
  EXPECT_EQ(made("int main() { int n = 0;\n"
                 "  for (int r = 0; r < 40; r++) n += 2;\n"
                 "  k<<<1, n>>>(n, 2); }"),
            "80x1x1: 80, 2");
  EXPECT_EQ(made("int main() { int n = 0, r;\n"
                 "  for (r = 0; r < 40; r++) n = 2;\n"
                 "  k<<<1, r>>>(r, n); }"),
            "40x1x1: 40, 2");
  EXPECT_EQ(made("int main() { int n = 1;\n"
                 "  for (int r = 0; r < 3; r++) { auto f = [&] { n = r; };\n"
                 "    f(); }\n"
                 "  k<<<1, 32>>>(n, 1); }"),
            "32x1x1: 2, 1");
}

TEST(Program, OptionsSetGlobalsAndFields) {
  const std::string Options =
      "int size = 7; struct Config { int n, m; } config = {1, 2};\n"
      "static void parse(int argc, char **argv, Config *c) {\n"
      "  for (int i = 1; i < argc; i++)\n"
      "    if (argv[i][0] == '-')\n"
      "      switch (argv[i][1]) {\n"
      "      case 's': size = atoi(argv[++i]); break;\n"
      "      case 'm': c->m = atoi(argv[++i]); break;\n"
      "      default: exit(1); } }\n"
      "int main(int argc, char **argv) {\n"
      "  Config local = config; parse(argc, argv, &local);\n"
      "  k<<<1, 32>>>(size, local.n + local.m); }\n";
  EXPECT_EQ(made(Options, "./a -s 16 -m 4"), "32x1x1: 16, 5");
  EXPECT_EQ(made(Options, "./a -m 9"), "32x1x1: 7, 10");
  EXPECT_EQ(made("int n; int main(int argc, char **argv) { int c;\n"
                 "  while ((c = getopt(argc, argv, \"n:\")) != -1)\n"
                 "    if (c == 'n') n = atoi(optarg);\n"
                 "  k<<<1, 32>>>(n, 1); }",
                 "./a -n 8"),
            "32x1x1: 8, 1");
}

TEST(Program, PointersOfTheHost) {
  // Pieces of one allocation; a table of functions on the heap.
  EXPECT_EQ(made("int main() { float *d; cudaMalloc(&d, 4096);\n"
                 "  float **at = (float **)malloc(2 * sizeof(float *));\n"
                 "  for (int i = 0; i < 2; i++) at[i] = d + 6 * i;\n"
                 "  p<<<1, 32>>>(at[0], at[1]); }",
                 nullptr, "p"),
            "32x1x1: d+0 (256), d+24 (256)");
  EXPECT_EQ(made("void f(int n) { q<<<1, 64>>>(n); }\n"
                 "void g(int n) { k<<<1, 96>>>(n, 1); }\n"
                 "int main() { typedef void (*F)(int);\n"
                 "  F *table = (F *)malloc(2 * sizeof(F));\n"
                 "  table[0] = f; table[1] = g; table[1](5); }"),
            "96x1x1: 5, 1");
  EXPECT_EQ(made("struct Net { int hidden; float *w; };\n"
                 "Net *create(int n) { Net *net = (Net *)malloc(sizeof(Net));\n"
                 "  net->hidden = n; return net; }\n"
                 "int main() { Net *a = create(16), *b = create(4);\n"
                 "  k<<<1, 32>>>(a->hidden, b->hidden); }"),
            "32x1x1: 16, 4");
  // Which of the two it is written to is not known.
  EXPECT_EQ(made("int main() { int x = 1, y = 2, *q = unknown() ? &x : &y;\n"
                 "  *q = 8; k<<<1, 32>>>(x, y); }"),
            "32x1x1: ?, ?");
}

TEST(Program, ConditionsThatAreNotKnown) {
  EXPECT_EQ(made("int main() { int n = 8;\n"
                 "  if (unknown()) n = 24; k<<<1, 32>>>(n, n & 7); }"),
            "32x1x1: ? (8), 0");
  // The way that ends the program does not come back.
  EXPECT_EQ(made("int main() { int n = 8; if (unknown()) { n = 3; exit(1); }\n"
                 "  k<<<1, 32>>>(n, 1); }"),
            "32x1x1: 8, 1");
  EXPECT_EQ(made("int f() { if (unknown()) return 4; return 6; }\n"
                 "int main() { k<<<1, 32>>>(f(), 1); }"),
            "32x1x1: ? (2), 1");
  EXPECT_EQ(made("int main() { int n = 1, m = 5;\n"
                 "  while (unknown()) { k<<<1, 32>>>(n, m); n *= 4; } }"),
            "32x1x1: ?, 5");
  // One value more than is tried: what divides it stays.
  EXPECT_EQ(made("int main() { for (int i = 0; i < 100000; i += 4)\n"
                 "  if (i >= 99996) k<<<1, 32>>>(i, 1); }"),
            "32x1x1: ? (4), 1");
}

TEST(Program, WhatCallsOutOfSightMayChange) {
  EXPECT_EQ(made("extern \"C\" void set(int *), see(const int *);\n"
                 "int main() { int x = 1, y = 2; set(&x); see(&y);\n"
                 "  k<<<1, 32>>>(x, y); }"),
            "32x1x1: ?, 2");
  // Through a pointer that it is handed, too, and what a callback changes.
  EXPECT_EQ(made("struct S { int *at; }; extern \"C\" void set(S *);\n"
                 "int main() { int x = 1; S s; s.at = &x; set(&s);\n"
                 "  k<<<1, 32>>>(x, 2); }"),
            "32x1x1: ?, 2");
  EXPECT_EQ(made("int n = 4; void back() { n = 5; }\n"
                 "extern \"C\" void each(void (*)());\n"
                 "int main() { each(back); k<<<1, 32>>>(n, 2); }"),
            "32x1x1: ?, 2");
}

TEST(Program, Methods) {
  EXPECT_EQ(made("struct Base { virtual int size() { return 1; } };\n"
                 "struct More : Base { int n; More(int n) : n(n * 2) {}\n"
                 "  int size() override { return n; } };\n"
                 "int main() { Base *b = new More(24); More m(3);\n"
                 "  k<<<1, 32>>>(b->size(), m.size()); }"),
            "32x1x1: 48, 6");
}

TEST(Program, AHelperThatHandsOutAWord) {
  // `*out` is no word of the command line.
  EXPECT_EQ(
      made("bool find(int argc, char **argv, char **out) {\n"
           "  if (argc < 2) return false; *out = argv[1]; return true; }\n"
           "int main(int argc, char **argv) { char *s = 0;\n"
           "  int n = 3; if (find(argc, argv, &s)) n = atoi(s);\n"
           "  k<<<1, 32>>>(n, 1); }",
           "./a 12"),
      "32x1x1: 12, 1");
}

TEST(Program, ZerosOfTypesWithoutNumbers) {
  EXPECT_EQ(made("struct S { int n; int S::*m; _Complex float c;\n"
                 "  float v __attribute__((vector_size(16))); } s;\n"
                 "int main() { S t = {}; s = S();\n"
                 "  k<<<1, 32>>>(s.n, t.n); }"),
            "32x1x1: 0, 0");
}

TEST(Program, OrdersThatTheLanguageLeavesOpen) {
  // 3 + 1 or 5 + 1, as the compiler likes.
  EXPECT_EQ(made("int set(int *p) { *p = 5; return 1; }\n"
                 "int main() { int x = 3, y = x + set(&x);\n"
                 "  k<<<1, 32>>>(y, x); }"),
            "32x1x1: ?, 5");
}

TEST(Program, WhatIsWrittenSomewhereIsOfItsKind) {
  const std::string Code =
      "extern \"C\" TYPE *where();\n"
      "struct N { int n; float f; };\n"
      "int main() { N *net = (N *)malloc(sizeof(N)); net->n = 7;\n"
      "  *where() = 1; k<<<1, 32>>>(net->n, 1); }";
  auto Writes = [&](const char *Type) {
    return made("#define TYPE " + std::string(Type) + "\n" + Code);
  };
  EXPECT_EQ(Writes("float"), "32x1x1: 7, 1");
  EXPECT_EQ(Writes("int"), "32x1x1: ?, 1");
  EXPECT_EQ(Writes("char"), "32x1x1: ?, 1");
}

TEST(Program, NestsOfLoops) {
  const std::string Heap = "struct N { int n; };\n"
                           "N *make() { N *net = (N *)malloc(sizeof(N)); "
                           "net->n = 7; return net; }\n";
  // From scratch in every go, ten loops of three goes are 3^10 of the
  // innermost.
  std::string Nest;
  for (int Loop = 0; Loop < 10; ++Loop)
    Nest += "for (int i = 0, n = unknown(); i < n; i += 4)\n";
  EXPECT_EQ(made(Heap + "int main() { N *net = make(); int x = 6;\n" + Nest +
                 "  x += 3; k<<<1, 32>>>(net->n, x); }"),
            "32x1x1: 7, ? (3)");
  // What the outer loop makes before the inner one is not what it made the
  // round before.
  EXPECT_EQ(made(Heap + "int main() { int x = 6; while (unknown()) {\n"
                        "  N *net = make(); while (unknown()) x += 3;\n"
                        "  k<<<1, 32>>>(net->n, x); } }"),
            "32x1x1: 7, ? (3)");
  // Rounds that are gone one by one differ.
  EXPECT_EQ(made(Heap + "int main() { N *net = make();\n"
                        "  while (unknown()) for (int r = 1; r < 3; ++r) {\n"
                        "    net->n = 16 * r; while (unknown()) unknown();\n"
                        "    k<<<1, 32>>>(net->n, r); } }"),
            "32x1x1: 16, 1 | 32x1x1: 32, 2");
}

} // namespace warplint
