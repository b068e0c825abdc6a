//===- PolicyTest.cpp - What is worth a finding, and what is not ------- ===//
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

//===--- Global memory
//-----------------------------------------------------===//

TEST(Policy, CoalescedBroadcastAndVectorsAreFine) {
  Unit U;
  U.global("a[i]", 4, [](int64_t L) { return 4 * L; });
  U.global("b[0]", 4, [](int64_t) { return 64; });
  U.global("c[i]", 16, [](int64_t L) { return 16 * L; });
  U.global("d[i]", 1, [](int64_t L) { return L; });
  EXPECT_TRUE(U.findings().empty());
  EXPECT_EQ(U.Accesses[0].Pattern, AccessPattern::Coalesced);
  EXPECT_EQ(U.Accesses[1].Pattern, AccessPattern::Broadcast);
}

TEST(Policy, StridesAreFlaggedByWhatTheyWaste) {
  // Cycles a warp of memory, L2 and waiting: at the ideal 7, 4 and 22 (together
  // 22.3); at 8 bytes 14, 8 and 22 (24.4), at 16 bytes 29, 17 and 22 (34.1).
  struct {
    int64_t Stride;
    Severity Level;
  } Rows[] = {{8, Severity::Medium},
              {16, Severity::High},
              {32, Severity::High},
              {4096, Severity::High}};
  for (auto Row : Rows) {
    Unit U;
    U.global("a[k*i]", 4, [&](int64_t L) { return Row.Stride * L; });
    Finding F = U.only();
    EXPECT_EQ(F.Check, "warplint-strided-access");
    EXPECT_EQ(F.Level, Row.Level) << Row.Stride;
  }
}

TEST(Policy, SmallElementsMayWasteOneSector) {
  Unit U;
  // 64 bytes span: 2 sectors where 1 would do.
  U.global("a[2*i]", 1, [](int64_t L) { return 2 * L; });
  EXPECT_TRUE(U.findings().empty());
}

TEST(Policy, BytesInThreesAreFlaggedAlthoughTheCacheAbsorbsThem) {
  Unit U;
  for (int C = 0; C < 3; ++C)
    U.global("in[3*i+c]", 1, [&](int64_t L) {
       return 3 * L + C;
     }).A.Place.Line = 9;
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-strided-access");
  EXPECT_EQ(F.Level, Severity::Low);
  EXPECT_TRUE(F.Absorbed);
}

TEST(Policy, ThresholdIsTheUsers) {
  Unit U;
  U.global("a[2*i]", 4, [](int64_t L) { return 8 * L; });
  DiagnoseOptions Options;
  Options.ForAll.MinEfficiency = 0.5; // 4 of 8 sectors are used
  EXPECT_TRUE(U.findings(Options).empty());
  Options.ForAll.MinEfficiency = 0.51;
  EXPECT_EQ(U.findings(Options).size(), 1u);
}

TEST(Policy, FieldOfARecordIsAos) {
  Unit U;
  NamedAccess &N = U.global("p[i].x", 4, [](int64_t L) { return 12 * L; });
  N.Names.Record = "Particle";
  N.Names.RecordBytes = 12;
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-aos-field-access");
  EXPECT_EQ(F.Level, Severity::Medium);
  EXPECT_EQ(F.Message, "lanes read 'p[i].x' 12 bytes apart: 12 sectors a "
                       "request, 4 would do (33 %)");
}

TEST(Policy, AllFieldsReadIsLow) {
  Unit U;
  for (int Field = 0; Field < 3; ++Field) {
    NamedAccess &N =
        U.global("p[i].f", 4, [&](int64_t L) { return 12 * L + 4 * Field; });
    N.Names.RecordBytes = 12;
  }
  std::vector<Finding> Found = U.findings();
  ASSERT_EQ(Found.size(), 3u);
  for (const Finding &F : Found) {
    EXPECT_EQ(F.Level, Severity::Low);
    EXPECT_TRUE(F.Absorbed);
  }
}

TEST(Policy, WritesDoNotAbsorbReads) {
  Unit U;
  for (int Field = 0; Field < 3; ++Field) {
    NamedAccess &N =
        U.global("p[i].f", 4, [&](int64_t L) { return 12 * L + 4 * Field; });
    N.Names.RecordBytes = 12;
    N.A.Op = Field == 0 ? MemoryOp::Load : MemoryOp::Store;
  }
  for (const Finding &F : U.findings())
    EXPECT_FALSE(F.Absorbed);
}

TEST(Policy, WholeRecordIsNoField) {
  Unit U;
  NamedAccess &N = U.global("p[i]", 16, [](int64_t L) { return 16 * L; });
  N.Names.RecordBytes = 16;
  EXPECT_TRUE(U.findings().empty());
}

TEST(Policy, LaneWalkingItsRowIsHigh) {
  Unit U;
  U.global("A[i*K+k]", 4, [](int64_t L) { return 4096 * L; }).A.LoopStride = 4;
  Finding F = U.only();
  EXPECT_EQ(F.Level, Severity::High);
  EXPECT_NE(explanation(F).find("row of its own"), std::string::npos);
}

TEST(Policy, MisalignedBaseIsLow) {
  Unit U;
  U.global("p[i]", 4, [](int64_t L) { return 4 * L + 4; });
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-misaligned-access");
  EXPECT_EQ(F.Level, Severity::Low);
  EXPECT_EQ(F.Message, "warps read 'p[i]' from 4 bytes past a 32-byte sector: "
                       "5 sectors a request, 4 would do (80 %)");
}

TEST(Policy, StencilNeighboursAreFine) {
  Unit U;
  for (int Shift = -1; Shift <= 1; ++Shift)
    U.global("a[i+s]", 4, [&](int64_t L) { return 128 + 4 * (L + Shift); });
  EXPECT_TRUE(U.findings().empty());
}

TEST(Policy, SteppingTapsAreFine) {
  Unit U;
  NamedAccess &N = U.global("x[c+k]", 4, [](int64_t L) { return 4 * L + 4; });
  N.A.Predicted = {4, 4.875, 5}; // one of eight steps is aligned
  N.A.Misalignment.reset();
  N.A.MisalignedBy = "4*k";
  N.A.LoopStride = 4;
  EXPECT_TRUE(U.findings().empty());
}

TEST(Policy, OddPitchIsLow) {
  Unit U;
  NamedAccess &N = U.global("x[r*p+c]", 4, [](int64_t L) { return 4 * L + 4; });
  N.A.Predicted = {4, 4.875, 5};
  N.A.Misalignment.reset();
  N.A.MisalignedBy = "4092*r";
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-misaligned-access");
  EXPECT_NE(F.Message.find("4 to 5 sectors a request (4.9 on average)"),
            std::string::npos);
}

//===--- Numbers that are not exact
//----------------------------------------===//

TEST(Policy, UnknownAlignmentIsNever) {
  Unit U;
  NamedAccess &N = U.global("a[off+i]", 4, [](int64_t L) { return 4 * L + 4; });
  Unit::guess(N, UnknownReason::UnknownAlignment, 4, 5);
  N.A.Misalignment.reset();
  EXPECT_TRUE(U.findings().empty());
}

TEST(Policy, GatherIsARemarkWhenAskedFor) {
  Unit U;
  NamedAccess &N = U.global("pos[k]", 4, [](int64_t L) { return 400 * L; });
  Unit::guess(N, UnknownReason::DataDependentAddress, 1, 32);
  EXPECT_TRUE(U.findings().empty());
  DiagnoseOptions Options;
  Options.Checks = "warplint-indirect-access";
  Finding F = U.only(Options);
  EXPECT_EQ(F.Check, "warplint-indirect-access");
  EXPECT_EQ(F.Level, Severity::Remark);
  EXPECT_EQ(F.Excess, 0);
}

TEST(Policy, SymbolicStrideReadsAsAGuess) {
  Unit U;
  NamedAccess &N = U.global("a[x*n]", 4, [](int64_t L) { return 4096 * L; });
  Unit::guess(N, UnknownReason::SymbolicStride, 1, 32);
  N.A.LaneStride.reset();
  N.A.SymbolicStride = "4*n";
  N.A.ReasonDetail = "stride = n elements, n is not known here";
  Finding F = U.only();
  EXPECT_EQ(F.Level, Severity::Medium);
  EXPECT_EQ(F.Message,
            "lanes read 'a[x*n]' 4*n bytes apart: about 32 sectors a request "
            "(1 to 32: stride = n elements, n is not known here), 4 would do");
}

TEST(Policy, AGuessedDistanceIsNotStated) {
  Unit U;
  NamedAccess &N = U.global("v[i]", 4, [](int64_t L) { return 512 * L; });
  Unit::guess(N, UnknownReason::SymbolicStride, 1, 32);
  N.A.LaneStride.reset();
  N.A.ReasonDetail = "depends on x, which is not known here";
  Finding F = U.only();
  EXPECT_EQ(F.Message,
            "lanes read 'v[i]' at a distance that is not known here: about 32 "
            "sectors a request (1 to 32: depends on x, which is not known "
            "here), 4 would do");
  EXPECT_EQ(explanation(F).substr(0, 21), "with a typical value:");
}

TEST(Policy, BadEvenAtBestIsFlaggedWhateverIsNotKnown) {
  Unit U;
  NamedAccess &N = U.global("p[o+i].x", 4, [](int64_t L) { return 12 * L; });
  Unit::guess(N, UnknownReason::UnknownAlignment, 12, 13);
  EXPECT_EQ(U.findings().size(), 1u);
}

TEST(Policy, OtherUnknownsAreSilent) {
  for (UnknownReason Reason :
       {UnknownReason::UnknownPointer, UnknownReason::InlineAssembly,
        UnknownReason::OpaqueCall, UnknownReason::FloatIndex,
        UnknownReason::LoopCarried, UnknownReason::Arithmetic,
        UnknownReason::BudgetExceeded, UnknownReason::DataDependentMask,
        UnknownReason::UnknownShape}) {
    Unit U;
    NamedAccess &N = U.global("a[x]", 4, [](int64_t L) { return 4096 * L; });
    Unit::guess(N, Reason, 1, 32);
    EXPECT_TRUE(U.findings().empty()) << static_cast<int>(Reason);
  }
}

//===--- Shared and constant memory
//----------------------------------------===//

TEST(Policy, ConflictsByHowMuchTheyCost) {
  struct {
    unsigned Bytes;
    int64_t Stride;
    Severity Level;
  } Rows[] = {
      // A warp takes 12 cycles to begin and end, whatever it does.
      {4, 8, Severity::Low},     // 2 of 1
      {4, 16, Severity::Low},    // 4 of 1
      {4, 128, Severity::High},  // 32 of 1
      {8, 256, Severity::High},  // 32 of 2
      {16, 32, Severity::Medium} // 8 of 4
  };
  for (auto Row : Rows) {
    Unit U;
    U.shared("s[k*tid]", Row.Bytes, [&](int64_t L) { return Row.Stride * L; });
    Finding F = U.only();
    EXPECT_EQ(F.Check, "warplint-shared-bank-conflict");
    EXPECT_EQ(F.Level, Row.Level) << Row.Stride;
  }
}

TEST(Policy, FreeSharedAccesses) {
  Unit U;
  U.shared("s[tid]", 4, [](int64_t L) { return 4 * L; });
  U.shared("s[0]", 4, [](int64_t) { return 0; });
  U.shared("s[33*tid]", 4, [](int64_t L) { return 132 * L; });
  U.shared("d[tid]", 8, [](int64_t L) { return 8 * L; });
  U.shared("b[tid]", 1, [](int64_t L) { return L; });
  EXPECT_TRUE(U.findings().empty());
}

TEST(Policy, AtomicsOnOneWordAreNoMatterOfBanks) {
  Unit U;
  NamedAccess &N = U.shared("sum", 4, [](int64_t) { return 0; });
  N.A.Op = MemoryOp::Atomic;
  N.A.Typical = U.Machine.sharedRequest(N.A.Offsets, AllLanes, 4,
                                        SharedOp::CompareAndSwap);
  double Units = N.A.Typical.Units;
  N.A.Predicted = {Units, Units, Units};
  N.A.Ideal = N.A.Typical.Ideal;
  ASSERT_GT(Units, N.A.Ideal);
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-shared-bank-conflict");
  EXPECT_EQ(F.Message.substr(0, 37), "lanes update words of 'sum' in turn: ");
}

TEST(Policy, RoundsOfAnUpdateAreNoExcessAndStillSlow) {
  Unit U;
  NamedAccess &N = U.shared("sum", 4, [](int64_t) { return 0; });
  N.A.Op = MemoryOp::Atomic;
  N.A.Shared = SharedOp::SpinRound;
  N.A.Typical = {2, 2};
  N.A.Predicted = {2, 2, 2};
  N.A.Ideal = 2;
  N.A.Weight = N.A.Rounds = 32;
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-shared-bank-conflict");
  EXPECT_EQ(F.Message, "lanes update words of 'sum' in turn: 32 rounds of a "
                       "compare-and-swap loop, 1 would do");
  EXPECT_EQ(F.Excess, 62); // 32 rounds of 2 wavefronts where 1 would do
  N.A.FewerRounds = true;
  EXPECT_NE(U.only().Message.find("up to 32 rounds"), std::string::npos);
}

TEST(Policy, DivergentConstantIndex) {
  Unit U;
  U.constant("taps[k]", 4, [](int64_t) { return 8; });
  EXPECT_TRUE(U.findings().empty());
  U.constant("taps[tid]", 4, [](int64_t L) { return 4 * L; });
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-divergent-constant");
  EXPECT_NE(F.Message.find("32 passes a request, 1 would do"),
            std::string::npos);
}

TEST(Policy, LoadedConstantIndexIsCertainWithoutANumber) {
  Unit U;
  NamedAccess &N = U.constant("t[v]", 1, [](int64_t L) { return 3 * L; });
  Unit::guess(N, UnknownReason::DataDependentAddress, 1, 32);
  Finding F = U.only();
  EXPECT_EQ(F.Check, "warplint-divergent-constant");
  EXPECT_NE(F.Message.find("up to 32 passes"), std::string::npos);
}

} // namespace
