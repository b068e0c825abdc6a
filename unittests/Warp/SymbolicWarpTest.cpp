//===- SymbolicWarpTest.cpp - Kernels in IR, their requests --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Small kernels written in LLVM IR, so that the engine is tested (also under
/// the sanitizers) without parsing CUDA. Every number is the count of sectors
/// or bank words of the 32 addresses named in the comment.
///
//===----------------------------------------------------------------------===//

#include "warplint/Warp/SymbolicWarp.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

namespace {

class Kernel : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  LaunchConfig Config;

  WarpResult run(StringRef Body, uint64_t Budget = DefaultWorkBudget) {
    std::string Text = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1024 x float] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
)" + Body.str() + "\n}\n";
    SMDiagnostic Err;
    M = parseAssemblyString(Text, Err, Context);
    if (!M) {
      ADD_FAILURE() << Err.getMessage().str();
      return {};
    }
    WarpOptions Options;
    Options.WorkBudget = Budget;
    return runKernel(*M->getFunction("k"), Config,
                     cantFail(MachineModel::forArch("sm_90")), Options);
  }
};

TEST_F(Kernel, StridedByTwo) {
  // a[2 * tid], 4 bytes: 8 * lane; 256 bytes, 8 sectors for 4.
  WarpResult R = run(R"(
  %i = shl i32 %tid, 1
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %v = load float, ptr addrspace(1) %p, align 4
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_TRUE(R.Accesses[0].Exact);
  EXPECT_EQ(R.Accesses[0].Predicted.Mean, 8);
  EXPECT_EQ(R.Accesses[0].Ideal, 4);
  EXPECT_EQ(R.Accesses[0].LaneStride, 8);
}

TEST_F(Kernel, AReductionTreeIsRunStepByStep) {
  // tile[2 * s * tid] for s = 1, 2, 4 and tid < 16 / s. 16 lanes 2 words apart,
  // 8 lanes 4 apart, 4 lanes 8 apart: each time words 0 to 31, one a bank.
  Config.Block = {32, 1, 1};
  WarpResult R = run(R"(
  br label %loop
loop:
  %s = phi i32 [ 1, %entry ], [ %s2, %next ]
  %live = icmp ult i32 %s, 8
  br i1 %live, label %body, label %done
body:
  %lanes = udiv i32 16, %s
  %in = icmp ult i32 %tid, %lanes
  br i1 %in, label %work, label %next
work:
  %two = shl i32 %s, 1
  %i = mul i32 %two, %tid
  %p = getelementptr [1024 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  %v = load float, ptr addrspace(3) %p, align 4
  br label %next
next:
  %s2 = shl i32 %s, 1
  br label %loop
done:
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  const Access &A = R.Accesses[0];
  EXPECT_EQ(A.Space, MemorySpace::Shared);
  EXPECT_EQ(A.Weight, 3);
  EXPECT_DOUBLE_EQ(A.ActiveLanes, (16 + 8 + 4) / 3.0);
  EXPECT_EQ(A.Predicted.Max, 1);
  EXPECT_TRUE(A.Exact);
}

TEST_F(Kernel, LanesMeetAgainAfterAnEarlyReturn) {
  // if (tid < 8) return; a[tid]: 24 lanes, 96 bytes from 32 on: 3 sectors.
  Config.Block = {32, 1, 1};
  WarpResult R = run(R"(
  %few = icmp ult i32 %tid, 8
  br i1 %few, label %out, label %rest
out:
  ret void
rest:
  %p = getelementptr float, ptr addrspace(1) %a, i32 %tid
  store float 0.0, ptr addrspace(1) %p, align 4
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_EQ(R.Accesses[0].Predicted.Mean, 3);
  EXPECT_EQ(R.Accesses[0].ActiveLanes, 24);
  EXPECT_TRUE(R.Accesses[0].Exact);
}

TEST_F(Kernel, BoundsChecksAreAssumptions) {
  WarpResult R = run(R"(
  %o = mul i32 %bid, 256
  %i = add i32 %o, %tid
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %out
body:
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  store float 0.0, ptr addrspace(1) %p, align 4
  br label %out
out:
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_EQ(R.Accesses[0].Predicted.Mean, 4);
  EXPECT_TRUE(R.Accesses[0].Exact);
  ASSERT_FALSE(R.Accesses[0].Assumptions.empty());
  EXPECT_EQ(R.Accesses[0].Assumptions[0],
            "32*warp.x + 256*blockIdx.x + lane < n in every lane");
}

TEST_F(Kernel, DataDecidesMaskAndAddress) {
  WarpResult R = run(R"(
  %q = getelementptr i32, ptr addrspace(1) %b, i32 %tid
  %index = load i32, ptr addrspace(1) %q, align 4
  %odd = icmp sgt i32 %index, 0
  br i1 %odd, label %body, label %out
body:
  %p = getelementptr float, ptr addrspace(1) %a, i32 %tid
  store float 0.0, ptr addrspace(1) %p, align 4
  %g = getelementptr float, ptr addrspace(1) %a, i32 %index
  store float 0.0, ptr addrspace(1) %g, align 4
  br label %out
out:
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 3u);
  EXPECT_TRUE(R.Accesses[0].Exact);
  EXPECT_FALSE(R.Accesses[1].Exact);
  EXPECT_EQ(R.Accesses[1].Reason, UnknownReason::DataDependentMask);
  EXPECT_EQ(R.Accesses[1].Predicted.Mean, 4);
  EXPECT_FALSE(R.Accesses[2].Exact);
  EXPECT_EQ(R.Accesses[2].Reason, UnknownReason::DataDependentAddress);
}

TEST_F(Kernel, LongLoopsAreSummarised) {
  // p = a + tid; 100000 times: *p, p += 256: 4 sectors each.
  WarpResult R = run(R"(
  %start = getelementptr float, ptr addrspace(1) %a, i32 %tid
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %v = load float, ptr addrspace(1) %p, align 4
  %next = getelementptr float, ptr addrspace(1) %p, i32 256
  %k1 = add nsw i32 %k, 1
  %more = icmp slt i32 %k1, 100000
  br i1 %more, label %loop, label %out
out:
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_TRUE(R.Accesses[0].Exact);
  EXPECT_EQ(R.Accesses[0].Predicted.Mean, 4);
  EXPECT_EQ(R.Accesses[0].Weight, 100000);
  EXPECT_EQ(R.Accesses[0].LoopStride, 1024);
}

TEST_F(Kernel, AMisalignedRowPitchIsAMeanOverTheRows) {
  // a[33 * bid + tid], 4 bytes: the first byte moves by 4 a row; of 8 starts in
  // a sector one fits 128 bytes into 4 sectors, the others take 5: 4.875.
  Config.Block = {32, 1, 1};
  Config.Grid = Dim3{1024, 1, 1};
  WarpResult R = run(R"(
  %row = mul i32 %bid, 33
  %i = add i32 %row, %tid
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %v = load float, ptr addrspace(1) %p, align 4
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_TRUE(R.Accesses[0].Exact);
  EXPECT_DOUBLE_EQ(R.Accesses[0].Predicted.Mean, 4.875);
  EXPECT_EQ(R.Accesses[0].Predicted.Min, 4);
  EXPECT_EQ(R.Accesses[0].Predicted.Max, 5);
}

TEST_F(Kernel, AnUnknownRowPitchIsARange) {
  // a[tid * n]: one sector at best (n = 0), 32 typically.
  WarpResult R = run(R"(
  %i = mul i32 %tid, %n
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  %v = load float, ptr addrspace(1) %p, align 4
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_FALSE(R.Accesses[0].Exact);
  EXPECT_EQ(R.Accesses[0].Reason, UnknownReason::SymbolicStride);
  EXPECT_EQ(R.Accesses[0].Predicted.Mean, 32);
  EXPECT_EQ(R.Accesses[0].SymbolicStride, "4*n");
}

TEST_F(Kernel, ASwizzleIsProvedForEveryRow) {
  // tile[32 * tid + (tid ^ bid % 32)]: bank = tid ^ r, a permutation.
  Config.Block = {32, 1, 1};
  WarpResult R = run(R"(
  %r = urem i32 %bid, 32
  %c = xor i32 %tid, %r
  %row = shl i32 %tid, 5
  %i = add i32 %row, %c
  %p = getelementptr [1024 x float], ptr addrspace(3) @tile, i32 0, i32 %i
  store float 0.0, ptr addrspace(3) %p, align 4
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_TRUE(R.Accesses[0].Exact);
  EXPECT_EQ(R.Accesses[0].Predicted.Max, 1);
}

TEST_F(Kernel, OutOfBudgetEveryAccessIsStillAccountedFor) {
  WarpResult R = run(R"(
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %p = getelementptr float, ptr addrspace(1) %a, i32 %k
  %v = load float, ptr addrspace(1) %p, align 4
  %k1 = add nsw i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %out
out:
  store float 0.0, ptr addrspace(1) %b, align 4
  ret void)",
                     60);
  EXPECT_FALSE(R.Incomplete.empty());
  ASSERT_EQ(R.Accesses.size(), 2u);
  for (const Access &A : R.Accesses)
    EXPECT_EQ(A.Reason, UnknownReason::BudgetExceeded);
}

// Row bid * bid of 4-byte elements begins at element bid * bid mod 8 of a
// sector: 0 1 4 1 0 1 4 1 for bid = 0, 1, ... 2 of 8 blocks need 4 sectors, the
// others 5.
TEST_F(Kernel, ASquareOfTheBlockIndexHasAPeriod) {
  WarpResult R = run(R"(
  %row = mul nsw i32 %bid, %bid
  %i = add nsw i32 %row, %tid
  %p = getelementptr float, ptr addrspace(1) %a, i32 %i
  store float 0.0, ptr addrspace(1) %p, align 4
  ret void)");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_TRUE(R.Accesses[0].Exact);
  EXPECT_DOUBLE_EQ(R.Accesses[0].Predicted.Mean, 4.75);
}

// Cut short in the loop that is run through: what came before it is as exact as
// ever, what is in it was seen in some of its executions only.
TEST_F(Kernel, OutOfBudgetInALoop) {
  StringRef Body = R"(
  %q = getelementptr float, ptr addrspace(1) %a, i32 %tid
  %u = load float, ptr addrspace(1) %q, align 4
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %row = mul nsw i32 %tid, %k
  %p = getelementptr float, ptr addrspace(1) %a, i32 %row
  %v = load float, ptr addrspace(1) %p, align 4
  %k1 = add nsw i32 %k, 1
  %more = icmp slt i32 %k1, 64
  br i1 %more, label %loop, label %out
out:
  store float 0.0, ptr addrspace(1) %b, align 4
  ret void)";
  WarpResult Whole = run(Body);
  ASSERT_EQ(Whole.Incomplete, "");
  ASSERT_EQ(Whole.Accesses.size(), 3u);
  EXPECT_TRUE(Whole.Accesses[1].Exact);
  WarpResult Half = run(Body, Whole.Work / 2);
  EXPECT_NE(Half.Incomplete, "");
  EXPECT_LE(Half.Work, Whole.Work / 2 + Whole.Work / 10);
  ASSERT_EQ(Half.Accesses.size(), 3u);
  EXPECT_TRUE(Half.Accesses[0].Exact);
  for (unsigned I : {1, 2}) {
    EXPECT_FALSE(Half.Accesses[I].Exact);
    EXPECT_EQ(Half.Accesses[I].Reason, UnknownReason::BudgetExceeded);
  }
}

// A hash of a loaded word as an index: its definition doubles with every round,
// the work does not.
TEST_F(Kernel, WorkOnAHashGrowsWithItsLength) {
  auto Rounds = [&](unsigned N) {
    std::string Body = R"(
  %q = getelementptr i32, ptr addrspace(1) %a, i32 %tid
  %h0 = load i32, ptr addrspace(1) %q, align 4
)";
    for (unsigned I = 0; I < N; ++I) {
      std::string H = "%h" + std::to_string(I), S = "%s" + std::to_string(I);
      Body += S + " = lshr i32 " + H + ", 5\n%h" + std::to_string(I + 1) +
              " = xor i32 " + H + ", " + S + "\n";
    }
    Body += "%p = getelementptr i32, ptr addrspace(1) %b, i32 %h" +
            std::to_string(N) + R"(
  store i32 0, ptr addrspace(1) %p, align 4
  ret void)";
    return run(Body);
  };
  WarpResult Long = Rounds(200), Short = Rounds(100);
  EXPECT_EQ(Long.Incomplete, "");
  EXPECT_LT(Long.Work, 3 * Short.Work);
  EXPECT_EQ(Long.Accesses[1].Reason, UnknownReason::DataDependentAddress);
}

} // namespace
