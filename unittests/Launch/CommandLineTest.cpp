//===- CommandLineTest.cpp - Sizes from a known command line --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

/// What `k<<<1, 64>>>(n, m)` at the end of main is given.
static std::string given(const char *Run, const std::string &Body,
                         const std::string &Before = "") {
  Unit U("__global__ void k(int n, int m) {}\n" + Before +
             "int main(int argc, char **argv) { int n = 3, m = 4;\n" + Body +
             "\n k<<<1, 64>>>(n, m); }\n",
         Run ? llvm::ArrayRef(Run) : llvm::ArrayRef<const char *>());
  std::string All;
  for (const LaunchConfig &C : U.configs("k"))
    All += (All.empty() ? "" : " | ") + arguments(C);
  return All;
}

TEST(CommandLine, NumbersInWords) {
  EXPECT_EQ(given("./a 8 -16", "n = atoi(argv[1]); m = atoi(argv[2]);"),
            "8, -16");
  EXPECT_EQ(given("./a 0x10 7x", "n = strtol(argv[1], 0, 0);"
                                 "m = strtol(argv[2], 0, 10);"),
            "16, 7");
  EXPECT_EQ(given("./a 12", "sscanf(argv[1], \"%d\", &n); m = argc;"), "12, 2");
  EXPECT_EQ(given("./a -n5", "n = atoi(argv[1] + 2); m = argv[1][1];"),
            "5, 110");
  EXPECT_EQ(given("./a 8", "char **p = argv; n = atoi(*(p + 1));"), "8, 4");
  // Without it nothing is known.
  EXPECT_EQ(given(nullptr, "n = atoi(argv[1]);"), "?, 4");
}

TEST(CommandLine, IsAnAssumption) {
  LaunchConfig C = Unit("__global__ void k(int n) {}\n"
                        "int main(int argc, char **argv) {\n"
                        "  k<<<1, 64>>>(atoi(argv[1])); }\n",
                        "./a 8")
                       .config("k");
  ASSERT_EQ(C.Assumptions.size(), 1u);
  EXPECT_EQ(C.Assumptions[0], "the program is run as './a 8'");
}

TEST(CommandLine, DecidesWhatIsWritten) {
  const char *Default = "if (argc > 2) n = atoi(argv[2]);";
  EXPECT_EQ(given("./a 8 9", Default), "9, 4");
  EXPECT_EQ(given("./a 8", Default), "3, 4");
  EXPECT_EQ(given("./a 8", "n = argc > 1 ? atoi(argv[1]) : 256;"), "8, 4");
  EXPECT_EQ(given("./a 8", "if ((n = atoi(argv[1])) <= 0 ||"
                           " (m = atoi(argv[1]) + 1) <= 0) exit(1);"),
            "8, 9");
  EXPECT_EQ(given("./a fast", "if (!strcmp(argv[1], \"fast\")) n = 1;"
                              "else n = 2;"),
            "1, 4");
  EXPECT_EQ(given("./a 8", "argc > 1 ? n = atoi(argv[1]) : m = 1;"), "8, 4");
  // 7, then 9, then 8.
  EXPECT_EQ(given("./a 9", "N = atoi(argv[1]); if (N > 8) N = 8; n = N;",
                  "static int N = 7;"),
            "8, 4");
  EXPECT_EQ(given("./a 9", "N = atoi(argv[1]); n = N;", "static int N;"),
            "9, 4");
}

TEST(CommandLine, LoopsOverOptions) {
  const char *Loop = "for (int i = 1; i < argc; i++) {"
                     "  if (!strcmp(argv[i], \"-n\")) n = atoi(argv[++i]);"
                     "  else if (strncmp(argv[i], \"--m=\", 4) == 0)"
                     "    m = atoi(strchr(argv[i], '=') + 1);"
                     "  else if (argv[i][0] == '-') exit(1); }";
  EXPECT_EQ(given("./a -n 8 --m=16", Loop), "8, 16");
  EXPECT_EQ(given("./a --m=1 x", Loop), "3, 1");
  EXPECT_EQ(given("./a", Loop), "3, 4");
}

TEST(CommandLine, Getopt) {
  const char *Loop = "int c; while ((c = getopt(argc, argv, \"n:vm:\")) != -1)"
                     "  switch (c) {"
                     "  case 'n': n = atoi(optarg); break;"
                     "  case 'm': m = atoi(optarg); break;"
                     "  case 'v': break;"
                     "  default: exit(1); }";
  EXPECT_EQ(given("./a -n 8 -m16", Loop), "8, 16");
  // Letters in one word; the end of options; words behind them.
  EXPECT_EQ(given("./a -vn 8 -- -m 16", Loop), "8, 4");
  EXPECT_EQ(given("./a -n 8 in", Loop), "8, 4");
  // Words that are moved, and what the loop cannot tell, leave nothing known.
  EXPECT_EQ(given("./a in -n 8", Loop), "?, ?");
  EXPECT_EQ(given("./a -n", Loop), "?, ?");
  EXPECT_EQ(given("./a", Loop), "3, 4");
}

TEST(CommandLine, HelpersAreRun) {
  EXPECT_EQ(given("./a -size=128",
                  "n = value(argc, argv, \"size\");"
                  "m = value(argc, argv, \"width\");",
                  "int value(int c, char **v, const char *name) {\n"
                  "  int found = -1;\n"
                  "  for (int i = 1; i < c; ++i) {\n"
                  "    const char *word = v[i]; int skip = 0;\n"
                  "    while (word[skip] == '-') skip++;\n"
                  "    word += skip;\n"
                  "    int length = (int)strlen(name);\n"
                  "    if (strncmp(word, name, length)) continue;\n"
                  "    found = atoi(word + length + 1);\n"
                  "  }\n"
                  "  return found;\n"
                  "}\n"),
            "128, -1");
}

TEST(CommandLine, EachRunIsAConfiguration) {
  Unit U("__global__ void k(int n) {}\n"
         "int main(int argc, char **argv) { int n = atoi(argv[1]);\n"
         "  k<<<1, n>>>(n); }\n",
         {"./a 64", "./a 128"});
  EXPECT_EQ(blocks(U.configs("k")), "64x1x1 128x1x1");
}

TEST(CommandLine, ALaunchThatNoRunComesToStays) {
  Unit U("__global__ void k(int n) {}\n"
         "int main(int argc, char **argv) { int n = atoi(argv[1]);\n"
         "  if (n > 100) k<<<1, 64>>>(n); else k<<<1, 32>>>(n); }\n",
         "./a 8");
  std::vector<LaunchConfig> All = U.configs("k");
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(blocks(All), "64x1x1 32x1x1");
  EXPECT_EQ(arguments(All[0]), "?");
  EXPECT_EQ(arguments(All[1]), "8");
}

TEST(CommandLine, CallsThroughPointers) {
  EXPECT_EQ(given("./a 8", "void (*p)(int) = launch; p(atoi(argv[1]));",
                  "__global__ void other(int n) {}\n"
                  "static void launch(int n) { k<<<1, 32>>>(n, 1); }\n"),
            "8, 1 | 3, 4");
}

// What is run keeps the order of the language, and what it cannot follow is not
// taken for what it was before.

TEST(CommandLine, EffectsHaveAnOrder) {
  // i++ is over before the right side of && begins: 3 is compared, 4 is left.
  EXPECT_EQ(given("./a 1", "n = f(3); m = f(2);",
                  "int f(int i) { if (i++ == 3 && i == 4) return 5;"
                  "  return 6; }\n"),
            "5, 6");
  EXPECT_EQ(given("./a 1", "n = f(3);",
                  "int f(int i) { int j = i++; return 10 * i + j; }\n"),
            "43, 4");
  EXPECT_EQ(given("./a -n 64", "for (int i = 1; i < argc; i++)"
                               "  if (!strcmp(argv[i], \"-n\")) {"
                               "    if (++i < argc && argv[i][0] != '-')"
                               "      n = atoi(argv[i]);"
                               "    else n = 77; }"),
            "64, 4");
}

TEST(CommandLine, PartsOfRecordsAreWritten) {
  EXPECT_EQ(given("./a 1", "n = f(64);",
                  "struct T { int x, y; };\n"
                  "int f(int n) { T t{1, 1}; t.x = n; return t.x; }\n"),
            "64, 4");
  EXPECT_EQ(given("./a 5 6", "for (int i = 1; i < argc; i++) {"
                             "  dim3 b(4); b.x = atoi(argv[i]); n = b.x; }"),
            "6, 4");
  EXPECT_EQ(given("./a 1", "n = f(64);",
                  "int f(int n) { int v = 1; auto g = [&] { v = n; }; g();"
                  "  return v; }\n"),
            "64, 4");
}

TEST(CommandLine, LoopsThatAreOverLeaveOneValue) {
  // The last.
  EXPECT_EQ(given("./a 5 6",
                  "for (int i = 1; i < argc; i++) o.x = atoi(argv[i]);"
                  "n = o.x;",
                  "struct O { int x, y; } o;\n"),
            "6, 4");
}

TEST(CommandLine, WhatARunNeverComesTo) {
  const char *Kernels = "__global__ void k(int n) {}\n"
                        "__global__ void never(int n) {}\n";
  auto Of = [&](const char *Kernel, const std::string &Code, const char *Run) {
    return arguments(Unit(Kernels + Code, Run).config(Kernel));
  };
  const char *Returns = "int main(int argc, char **argv) {\n"
                        "  if (atoi(argv[1]) == 8) {\n"
                        "    k<<<1, 32>>>(atoi(argv[1])); return 0; }\n"
                        "  never<<<1, 32>>>(atoi(argv[1])); }\n";
  EXPECT_EQ(Of("k", Returns, "./a 8"), "8");
  EXPECT_EQ(Of("never", Returns, "./a 8"), "?");
  EXPECT_EQ(Of("never", Returns, "./a 9"), "9");
  const char *Calls = "void other(int n) { never<<<1, 32>>>(n); }\n"
                      "void usage() { printf(\"\"); exit(1); }\n"
                      "int main(int argc, char **argv) {\n"
                      "  if (argc > 2) other(atoi(argv[1]));\n"
                      "  if (argc > 3) usage();\n"
                      "  k<<<1, 32>>>(atoi(argv[1])); }\n";
  EXPECT_EQ(Of("never", Calls, "./a 8"), "?");
  EXPECT_EQ(Of("never", Calls, "./a 8 x"), "8");
  EXPECT_EQ(Of("k", Calls, "./a 8"), "8");
  EXPECT_EQ(Of("k", Calls, "./a 8 x y"), "?");
}

TEST(CommandLine, NoDefaultForWhatTheRunMayChange) {
  const char *Hidden = "n = hidden(argc, argv) ? atoi(optarg) : 7;";
  const char *Before = "int hidden(int, char **);\n";
  EXPECT_EQ(given("./a -n 8", Hidden, Before), "?, 4");
  EXPECT_EQ(given("./a", Hidden, Before), "7, 4");
}

TEST(CommandLine, WordsThatAreChanged) {
  for (const char *Change :
       {"for (int i = 1; i + 1 < argc; i++) argv[i] = argv[i + 1];",
        "argv[1][0] = '9';", "char **p = argv; *p = p[1];"})
    EXPECT_EQ(given("./a 5 6", std::string(Change) + " n = atoi(argv[1]);"),
              "?, 4")
        << Change;
  // Texts of its own do not matter.
  EXPECT_EQ(given("./a 5", "char b[4]; b[0] = 'x'; n = atoi(argv[1]);"),
            "5, 4");
}

TEST(CommandLine, NumbersThatAreNone) {
  EXPECT_EQ(given("./a x", "n = atoi(argv[1]);"), "0, 4");
  EXPECT_EQ(given("./a 3000000000", "n = atoi(argv[1]);"), "?, 4");
  EXPECT_EQ(given("./a x", "sscanf(argv[1], \"%d\", &n);"), "?, 4");
}
