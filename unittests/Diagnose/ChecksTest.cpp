//===- ChecksTest.cpp - One finding a place, in order of cost ---------- ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

TEST(Checks, ListsApplyInOrderToTheDefaultSet) {
  EXPECT_TRUE(isCheckEnabled("warplint-strided-access", ""));
  EXPECT_FALSE(isCheckEnabled("warplint-indirect-access", ""));
  EXPECT_TRUE(isCheckEnabled("warplint-indirect-access", "warplint-*"));
  EXPECT_FALSE(isCheckEnabled("warplint-strided-access", "-*"));
  EXPECT_TRUE(
      isCheckEnabled("warplint-strided-access", "-*, warplint-strided-access"));
  EXPECT_FALSE(isCheckEnabled("warplint-aos-field-access",
                              "warplint-*,-warplint-aos-*"));
}

TEST(Checks, AGlobThatMatchesNothingIsAMistake) {
  EXPECT_FALSE(llvm::errorToBool(validateChecks("-*,warplint-strided-*")));
  EXPECT_EQ(llvm::toString(validateChecks("-*,warplint-stride")),
            "no check is named 'warplint-stride'; --list-checks shows them");
}

TEST(Checks, DisabledChecksAreSilent) {
  Unit U;
  U.global("a[2*i]", 4, [](int64_t L) { return 8 * L; });
  DiagnoseOptions Options;
  Options.Checks = "-warplint-strided-access";
  EXPECT_TRUE(U.findings(Options).empty());
}

TEST(Grouping, OnePlaceIsOneFindingHoweverManyKernelsReachIt) {
  Unit U;
  U.Kernels[0].Name = "void g<true>(float*)";
  U.global("x[idx]", 4, [](int64_t L) { return 256 * L; }).A.Place.Line = 10;
  U.kernel("void g<false>(float*)", {64, 1, 1});
  U.global("x[idx]", 4, [](int64_t L) { return 4 * L; }).A.Place.Line = 10;
  Finding F = U.only();
  EXPECT_EQ(F.Message, "lanes read 'x[idx]' 256 bytes apart: 32 sectors a "
                       "request, 4 would do (13 %)");
  EXPECT_EQ(F.Kernel, U.Kernels[0].Mangled);
  EXPECT_NE(explanation(F).find("also 4 sectors a request in 'g<false>' with "
                                "block 64x1x1 (a.cu:100)"),
            std::string::npos)
      << explanation(F);
}

TEST(Grouping, ReadAndWriteOfOneExpressionAreOneFinding) {
  Unit U;
  for (int Store = 0; Store < 2; ++Store) {
    NamedAccess &N = U.global("A[q]", 4, [](int64_t L) { return 2048 * L; });
    N.A.Op = Store ? MemoryOp::Store : MemoryOp::Load;
    N.A.Place = {"/t/a.cu", 11, Store ? 20u : 5u};
    N.Names.Begin = {"/t/a.cu", 11, 5};
    N.Names.End = {"/t/a.cu", 11, 9};
  }
  Finding F = U.only();
  EXPECT_EQ(F.Message.substr(0, 28), "lanes read and write 'A[q]' ");
  EXPECT_EQ(F.ExcessShare, 1);
}

TEST(Grouping, IterationsOfOneUnrolledPlaceAreAveraged) {
  Unit U;
  for (int Ways : {2, 4, 8})
    U.shared("s[2*k*tid]", 4, [&](int64_t L) {
       return 4 * Ways * L;
     }).A.Place.Line = 7;
  Finding F = U.only();
  EXPECT_EQ(F.Message, "8 lanes meet in one bank at 's[2*k*tid]': 2 to 8 "
                       "wavefronts a request (4.7 on average), 1 would do");
}

TEST(Ranking, GlobalFirstThenByExcessThenWhatTheCacheAbsorbs) {
  Unit U;
  U.shared("s[32*tid]", 4, [](int64_t L) { return 128 * L; }).A.Weight = 1000;
  U.global("a[2*i]", 4, [](int64_t L) { return 8 * L; });
  U.global("b[2*i]", 4, [](int64_t L) { return 8 * L; }).A.Weight = 10;
  for (int Half = 0; Half < 2; ++Half)
    U.global("c[2*i+h]", 4, [&](int64_t L) {
       return 8 * L + 4 * Half;
     }).A.Weight = 100;
  std::vector<Finding> Found = U.findings();
  ASSERT_EQ(Found.size(), 5u);
  EXPECT_NE(Found[0].Message.find("b[2*i]"), std::string::npos);
  EXPECT_NE(Found[1].Message.find("a[2*i]"), std::string::npos);
  EXPECT_EQ(Found[2].Space, MemorySpace::Shared);
  for (unsigned I : {3, 4}) {
    EXPECT_TRUE(Found[I].Absorbed);
    EXPECT_FALSE(Found[I].Shown);
  }
  // Excess: 4 sectors x 10 for b, x 1 for a, x 100 for each half of c.
  EXPECT_DOUBLE_EQ(Found[0].ExcessShare, 40.0 / 844);
  EXPECT_DOUBLE_EQ(Found[2].ExcessShare, 1);
}

TEST(Notes, SayWhereItComesFrom) {
  Unit U;
  U.Kernels[0].Configs[0].Block = {32, 8, 1};
  NamedAccess &N = U.global("p[i].x", 4, [](int64_t L) { return 12 * L; });
  N.Names.Record = "P";
  N.Names.RecordBytes = 12;
  N.Names.Declaration = {"/t/a.cu", 3, 5};
  N.Names.DeclarationText = "const P *p";
  N.A.InlinedAt = {{"/t/a.cu", 40, 7}};
  N.A.Assumptions = {"n is at least 32"};
  Finding F = U.only();
  auto At = [&](unsigned Line) -> std::string {
    for (const Note &Each : F.Notes)
      if (Each.Place.Line == Line)
        return Each.Message;
    return "";
  };
  EXPECT_EQ(At(3), "declared here: const P *p");
  EXPECT_EQ(At(40), "reached through this call");
  EXPECT_EQ(At(100), "kernel 'f' launched with block 32x8x1 here");
  EXPECT_EQ(explanation(F),
            "lane stride 12 bytes: 32 lanes x 12 = 384 bytes; 12 sectors of 32 "
            "bytes are 384 bytes moved, 128 of them asked for\n"
            "fix: keep each field of 'P' in an array of its own (structure of "
            "arrays): 4 sectors a request\n"
            "assumed: n is at least 32\n");
}

TEST(Notes, ALaunchThatOffsetsThePointerIsNamed) {
  Unit U;
  ArgumentFact Fact;
  Fact.K = ArgumentFact::Pointer;
  Fact.Value = 4;
  U.Kernels[0].Configs[0].Arguments = {Fact};
  U.global("p[i]", 4, [](int64_t L) { return 4 * L + 4; }).A.ObjectParameter =
      0;
  EXPECT_NE(explanation(U.only()).find(
                "the launch passes a pointer 4 bytes past the start"),
            std::string::npos);
}

TEST(Notes, ABlockThatIsAssumedIsSaid) {
  Unit U;
  U.Kernels[0].Configs[0] = LaunchConfig();
  U.global("a[2*i]", 4, [](int64_t L) { return 8 * L; });
  Finding F = U.only();
  bool Said = false;
  for (const Note &N : F.Notes)
    Said |= N.Message.find("block 256x1x1 assumed") != std::string::npos;
  EXPECT_TRUE(Said);
}

TEST(Robustness, NothingActiveAndNoNames) {
  Unit U;
  NamedAccess &N = U.global(
      "", 4, [](int64_t L) { return 64 * L; }, 0);
  N.A.Object.clear();
  N.A.Predicted = {0, 0, 0};
  EXPECT_TRUE(U.findings().empty());
  NamedAccess &M = U.global("", 4, [](int64_t L) { return 64 * L; });
  M.A.Object.clear();
  EXPECT_EQ(U.only().Message.substr(0, 18), "lanes read memory ");
}

} // namespace
