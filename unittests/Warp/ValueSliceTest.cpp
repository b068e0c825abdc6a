//===- ValueSliceTest.cpp - What is computed and what is not -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp/ValueSlice.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

namespace {

/// Names of the needed values of a function, in order.
std::string neededOf(StringRef Body) {
  LLVMContext Context;
  SMDiagnostic Err;
  std::string Text = R"(
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @opaque(i32)
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
)" + Body.str() + "\n}\n";
  std::unique_ptr<Module> M = parseAssemblyString(Text, Err, Context);
  if (!M) {
    ADD_FAILURE() << Err.getMessage().str();
    return "";
  }
  Function &F = *M->getFunction("k");
  ValueSlice Slice(F);
  std::string Names;
  for (const Instruction &I : instructions(F))
    if (I.hasName() && Slice.needs(I))
      Names += (Names.empty() ? "" : " ") + I.getName().str();
  return Names;
}

TEST(ValueSlice, WhatIsStoredIsNotFollowed) {
  EXPECT_EQ(neededOf(R"(
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %n
  %x = load i32, ptr addrspace(1) %p
  %y = mul i32 %x, %x
  %z = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %y, i32 1, i32 31)
  store i32 %z, ptr addrspace(1) %b
  ret void)"),
            "p");
}

TEST(ValueSlice, IndicesBranchesAndCallsAre) {
  EXPECT_EQ(neededOf(R"(
  %x = load i32, ptr addrspace(1) %a
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %x
  %y = load i32, ptr addrspace(1) %p
  %c = icmp eq i32 %y, 0
  br i1 %c, label %then, label %end
then:
  %w = add i32 %n, 1
  %r = call i32 @opaque(i32 %w)
  br label %end
end:
  ret void)"),
            "x p y c w");
}

TEST(ValueSlice, ThroughALocalArrayThatAnAddressIsReadFrom) {
  StringRef Body = R"(
  %s = alloca [4 x i32]
  %t = alloca [4 x i32]
  %x = add i32 %n, 1
  %y = add i32 %n, 2
  store i32 %x, ptr %s
  store i32 %y, ptr %t
  %i = load i32, ptr %s
  %j = load i32, ptr %t
  %p = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store i32 %j, ptr addrspace(1) %p
  ret void)";
  EXPECT_EQ(neededOf(Body), "s t x i p");
}

TEST(ValueSlice, AtomicsOperandDecidesHowLanesMerge) {
  EXPECT_EQ(neededOf(R"(
  %x = load i32, ptr addrspace(1) %a
  %old = atomicrmw add ptr addrspace(1) %b, i32 %x monotonic
  ret void)"),
            "x");
}

} // namespace
