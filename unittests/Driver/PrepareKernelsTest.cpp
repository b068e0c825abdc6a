//===- PrepareKernelsTest.cpp ---------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is left of a kernel's memory instructions. The widths are those of the
/// SASS that nvcc 13.0 makes of the same source for sm_90.
///
//===----------------------------------------------------------------------===//

#include "DeviceUnit.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

class PrepareKernels : public DeviceUnit {
protected:
  /// Lowers and prepares \p Source, which has one kernel.
  llvm::Function *prepare(llvm::StringRef Source) {
    parse(Source, [&](clang::ASTContext &Ctx, clang::Preprocessor &PP) {
      llvm::Expected<DeviceModule> Lowered = lowerKernels(Ctx, PP);
      ASSERT_TRUE(bool(Lowered)) << toString(Lowered.takeError());
      M = std::move(*Lowered);
      llvm::Error E = prepareKernels(*M.Module, "sm_90");
      ASSERT_FALSE(bool(E)) << toString(std::move(E));
    });
    EXPECT_EQ(Errors, Words{});
    EXPECT_EQ(M.Kernels.size(), 1u);
    return M.Kernels.empty() ? nullptr : M.Kernels[0].Function;
  }

  /// The accesses of \p Source's kernel to memory other lanes can see, as
  /// "LINE load shared 16".
  Words accesses(llvm::StringRef Source) {
    Words Result;
    llvm::Function *F = prepare(Source);
    if (!F)
      return Result;
    const llvm::DataLayout &DL = F->getDataLayout();
    for (const llvm::Instruction &I : llvm::instructions(*F)) {
      if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(I))
        continue;
      static constexpr const char *Spaces[] = {"generic", "global",   "2",
                                               "shared",  "constant", "local"};
      const llvm::Type *Pointer =
          llvm::getLoadStorePointerOperand(&I)->getType();
      Result.push_back(
          std::to_string(I.getDebugLoc().getLine()) +
          (llvm::isa<llvm::LoadInst>(I) ? " load " : " store ") +
          Spaces[Pointer->getPointerAddressSpace()] + " " +
          std::to_string(
              DL.getTypeStoreSize(llvm::getLoadStoreType(&I)).getFixedValue()));
    }
    return Result;
  }

  unsigned count(unsigned Opcode) {
    unsigned N = 0;
    for (const llvm::Instruction &I :
         llvm::instructions(*M.Kernels[0].Function))
      N += I.getOpcode() == Opcode;
    return N;
  }

  DeviceModule M;
};

TEST_F(PrepareKernels, NeighboursInASharedArrayBecomeOneLoad) {
  EXPECT_EQ(accesses("__global__ void k(float *o) {\n"
                     "  __shared__ float s[1024];\n"
                     "  s[TID] = o[TID];\n"
                     "  __syncthreads();\n"
                     "  float r = 0;\n"
                     "  for (int k = 0; k < 8; ++k)\n"
                     "    r += s[8 * TID + k];\n"
                     "  o[TID] = r;\n"
                     "}\n"),
            (Words{"3 load global 4", "3 store shared 4", "7 load shared 16",
                   "7 load shared 16", "8 store global 4"}));
}

TEST_F(PrepareKernels, NeighboursOfUnknownAlignmentStayApart) {
  EXPECT_EQ(accesses("__global__ void k(const float *p, float *o) {\n"
                     "  o[TID] = p[2 * TID] + p[2 * TID + 1];\n"
                     "}\n"),
            (Words{"2 load global 4", "2 load global 4", "2 store global 4"}));
}

TEST_F(PrepareKernels, BytesAreNotJoinedInSharedMemory) {
  EXPECT_EQ(accesses("__global__ void k(int *o) {\n"
                     "  __shared__ signed char s[1024];\n"
                     "  s[TID] = 1;\n"
                     "  __syncthreads();\n"
                     "  o[TID] = s[2 * TID] + s[2 * TID + 1];\n"
                     "}\n"),
            (Words{"3 store shared 1", "5 load shared 1", "5 load shared 1",
                   "5 store global 4"}));
}

// A row of the table in lib/Driver/RecordLoads.cpp: the words that are read,
// and the loads that do it.
struct Partial {
  const char *Sum;
  Words Loads;
};
class RecordLoads : public PrepareKernels,
                    public ::testing::WithParamInterface<Partial> {};

TEST_P(RecordLoads, NarrowToTheWordsRead) {
  Words Expected;
  for (const std::string &Bytes : GetParam().Loads)
    Expected.push_back("2 load global " + Bytes);
  Expected.push_back("3 store global 4");
  EXPECT_EQ(accesses(std::string("__global__ void k(const float4 *p, float *o) "
                                 "{\n"
                                 "  float4 v = p[TID];\n"
                                 "  o[TID] = ") +
                     GetParam().Sum + ";\n}\n"),
            Expected);
}

INSTANTIATE_TEST_SUITE_P(
    Words, RecordLoads,
    ::testing::Values(Partial{"v.w", {"4"}}, Partial{"v.x + v.y", {"8"}},
                      Partial{"v.z + v.w", {"8"}},
                      Partial{"v.y + v.z", {"4", "4"}},
                      Partial{"v.x + v.w", {"4", "4"}},
                      Partial{"v.x + v.y + v.z", {"16"}},
                      Partial{"v.y + v.z + v.w", {"16"}},
                      Partial{"v.x * v.x + v.y + v.z + v.w", {"16"}}));

TEST_F(PrepareKernels, CopiesOfRecordsAreAsWideAsTheirAlignment) {
  EXPECT_EQ(
      accesses("struct alignas(8) Pair { int a, b, c, d; };\n"
               "__global__ void k(Pair *p, float3 *q, float4 *r) {\n"
               "  __shared__ float4 s[64];\n"
               "  p[TID] = p[TID + 64];\n"
               "  q[TID] = q[TID + 64];\n"
               "  s[TID] =\n"
               "      r[TID];\n"
               "}\n"),
      (Words{"4 load global 8", "4 load global 8", "4 store global 8",
             "4 store global 8", "5 load global 4", "5 load global 4",
             "5 load global 4", "5 store global 4", "5 store global 4",
             "5 store global 4", "7 load global 16", "6 store shared 16"}));
}

TEST_F(PrepareKernels, ACastVouchesForItsAlignment) {
  EXPECT_EQ(accesses("__global__ void k(const float4 *p, int n) {\n"
                     "  __shared__ float s[1024];\n"
                     "  *(float4 *)&s[n * TID] = p[TID];\n"
                     "}\n"),
            (Words{"3 load global 16", "3 store shared 16"}));
}

// ptxas puts the arrays one after the other: q begins at byte 12, or 16.
TEST_F(PrepareKernels, SharedArraysAreAlignedAsTheyLie) {
  auto source = [](const char *First) {
    return std::string("__global__ void k(float *o, int i) {\n"
                       "  __shared__ float s[") +
           First +
           "], q[512];\n"
           "  s[i] = 1;\n"
           "  q[TID] = s[i + 1];\n"
           "  __syncthreads();\n"
           "  o[TID] = q[2 * TID] + q[2 * TID + 1];\n"
           "}\n";
  };
  EXPECT_EQ(accesses(source("3")),
            (Words{"3 store shared 4", "4 load shared 4", "4 store shared 4",
                   "6 load shared 4", "6 load shared 4", "6 store global 4"}));
  EXPECT_EQ(accesses(source("4")),
            (Words{"3 store shared 4", "4 load shared 4", "4 store shared 4",
                   "6 load shared 8", "6 store global 4"}));
}

// ptxas joins what it alone knows to be aligned, and moves no shared load over
// a shared store for it, nor a shared store over anything shared but its
// neighbours; over what is elsewhere it does. The widths are those of nvcc
// 13.0's code for sm_90.
TEST_F(PrepareKernels, SharedAccessesAreJoinedInTheirOrder) {
  auto shared = [&](const char *Declared, const char *Body) {
    Words Found;
    for (std::string &Access :
         accesses("__global__ void k(float *o, const float *p, int n) {\n"
                  "  " +
                  std::string(Declared) +
                  " a[1024], b[1024], c[1024];\n"
                  "  float v = p[TID], w = p[TID + 1], x = 0, y = 0;\n" +
                  Body + " o[TID] = x * y;\n}\n"))
      if (Access.find("shared") != std::string::npos)
        Found.push_back(Access.substr(Access.find(' ') + 1));
    return Found;
  };
  const char *Plain = "__shared__ float";
  const char *Aligned = "__shared__ __attribute__((aligned(16))) float";
  const std::string L4 = "load shared 4", S4 = "store shared 4",
                    L8 = "load shared 8", S8 = "store shared 8";

  const char *Body = "x = a[2 * TID]; o[n] = x; y = a[2 * TID + 1];";
  EXPECT_EQ(shared(Plain, Body), (Words{L8}));
  Body = "x = a[2 * TID]; x *= b[n]; y = a[2 * TID + 1];";
  EXPECT_EQ(shared(Plain, Body), (Words{L8, L4}));
  Body = "x = a[2 * TID]; b[TID] = v; y = a[2 * TID + 1];";
  EXPECT_EQ(shared(Plain, Body), (Words{L4, S4, L4}));
  EXPECT_EQ(shared(Aligned, Body), (Words{L8, S4}));
  Body =
      "a[2 * TID] = v; a[2 * TID + 1] = w; b[2 * TID] = w; b[2 * TID + 1] = v;";
  EXPECT_EQ(shared(Plain, Body), (Words{S8, S8}));
  Body =
      "a[2 * TID] = v; b[2 * TID] = w; a[2 * TID + 1] = w; b[2 * TID + 1] = v;";
  EXPECT_EQ(shared(Plain, Body), (Words{S4, S4, S4, S4}));
  EXPECT_EQ(shared(Aligned, Body), (Words{S8, S8}));
  Body = "a[2 * TID] = v; x = b[n]; a[2 * TID + 1] = w;";
  EXPECT_EQ(shared(Plain, Body), (Words{S4, L4, S4}));
  Body = "a[2 * TID] = v; a[2 * TID + 8] = x; a[2 * TID + 1] = w;";
  EXPECT_EQ(shared(Plain, Body), (Words{S4, S4, S4}));
  Body = "a[4 * TID] = v; a[4 * TID + 2] = w; a[4 * TID + 1] = w;"
         "a[4 * TID + 3] = v;";
  EXPECT_EQ(shared(Plain, Body), (Words{"store shared 16"}));
  // A copy, element by element.
  Body = "b[2 * TID] = a[2 * TID]; b[2 * TID + 1] = a[2 * TID + 1];";
  EXPECT_EQ(shared(Plain, Body), (Words{L4, S4, L4, S4}));
  EXPECT_EQ(shared(Aligned, Body), (Words{L8, S8}));
}

// A difference in another block than the remainder that it takes away is no
// multiple of anything to nvcc. The widths are those of nvcc 13.0's code for
// sm_90.
TEST_F(PrepareKernels, MultiplesThatNvccKnowsForSuch) {
  auto width = [&](const char *Before, const char *Shift, const char *After) {
    std::string Width = "none";
    for (const std::string &Access :
         accesses("__global__ void k(long *o, const long *in,\n"
                  "                  const unsigned *bm, int k, int n) {\n"
                  "  __shared__ long s[1024]; long r = 0;\n"
                  "  if (TID >= n) return;\n" +
                  std::string(Before) +
                  "\n  for (int i = 0; i < k; i++) {\n"
                  "    s[TID] = in[TID + i * n];\n"
                  "    __syncthreads();\n"
                  "    for (int j = 0; j < 6; j++)\n"
                  "      r ^= long((bm[j + i] & (1u << " +
                  Shift + ")) >> " + Shift + ") * -1l & s[g + j];\n" +
                  "    __syncthreads();\n"
                  "  }\n" +
                  After + "  o[TID] = r;\n}\n"))
      if (size_t At = Access.find("load shared "); At != std::string::npos)
        Width = Access.substr(At + 12);
    return Width;
  };
  const char *Two = "int g = TID / 6 * 6, t = TID % 6;";
  // The remainder is needed in the loop, the difference in front of it.
  EXPECT_EQ(width(Two, "t", ""), "8");
  EXPECT_EQ(width("int t = TID % 6, g = TID - t;", "t", ""), "8");
  EXPECT_EQ(width("int x = TID, g = x / 6 * 6, t = x % 6;", "t", ""), "8");
  // ... before both.
  EXPECT_EQ(width("int g = TID / 6 * 6, t = TID % 6; o[t + n] = 3;", "1", ""),
            "8");
  // No remainder; both in one place; a quotient that is needed too.
  EXPECT_EQ(width("int g = TID / 6 * 6;", "1", ""), "16");
  EXPECT_EQ(width(Two, "t", "o[g + n] = 1;\n"), "16");
  EXPECT_EQ(width("k = 1000; int g = TID / 6 * 6, t = TID % 6;", "t", ""),
            "16");
  EXPECT_EQ(
      width("int q = TID / 6, g = q * 6, t = TID % 6;", "t", "o[q + n] = 1;\n"),
      "16");
  // A power of two is masked out.
  EXPECT_EQ(width("int g = TID / 8 * 8, t = TID % 8;", "t", ""), "16");
}

TEST_F(PrepareKernels, ThreeOfFourSharedWordsAreOneLoad) {
  EXPECT_EQ(
      accesses("__global__ void k(float *o) {\n"
               "  __shared__ float s[1024];\n"
               "  s[TID] = 1;\n"
               "  __syncthreads();\n"
               "  o[TID] = s[4 * TID + 1] + s[4 * TID + 2] +\n"
               "           s[4 * TID + 3];\n"
               "}\n"),
      (Words{"3 store shared 4", "5 load shared 16", "5 store global 4"}));
}

TEST_F(PrepareKernels, InlinesWhateverHasABodyButRecursion) {
  llvm::Function *F =
      prepare("__attribute__((noinline)) __device__ int twice(int i) {\n"
              "  return 2 * i;\n"
              "}\n"
              "__device__ int down(int n) { return n ? down(n - 1) + n : 0; }\n"
              "__global__ void k(int *o, int n) { o[TID] = twice(n) + down(n); "
              "}\n");
  ASSERT_TRUE(F);
  Words Calls;
  for (const llvm::Instruction &I : llvm::instructions(*F))
    if (const auto *Call = llvm::dyn_cast<llvm::CallInst>(&I))
      // Marks around what nvcc calls are no calls.
      if (!llvm::isa<llvm::IntrinsicInst>(Call) && !Call->isInlineAsm())
        Calls.push_back(Call->getCalledFunction()->getName().str());
  EXPECT_EQ(Calls, Words{"_Z4downi"});
}

TEST_F(PrepareKernels, LocalArraysOfUnrolledLoopsVanish) {
  accesses("__global__ void k(const float *p, float *o, int n) {\n"
           "  float r[4], s = 0;\n"
           "  for (int i = 0; i < 4; ++i) r[i] = p[n * i];\n"
           "  for (float v : r) s += v;\n"
           "  o[TID] = s;\n"
           "}\n");
  EXPECT_EQ(count(llvm::Instruction::Alloca), 0u);
  EXPECT_EQ(count(llvm::Instruction::Load), 4u);
  EXPECT_EQ(count(llvm::Instruction::Br), 0u);
}

TEST_F(PrepareKernels, PragmaUnrollIsObeyed) {
  auto loads = [&](const char *Pragma, const char *Trips) {
    prepare(std::string("__global__ void k(const float *p, float *o, int n) {\n"
                        "  float s = 0;\n") +
            Pragma + "\n  for (int i = 0; i < " + Trips +
            "; ++i) s += p[n * i];\n"
            "  o[TID] = s;\n"
            "}\n");
    return count(llvm::Instruction::Load);
  };
  EXPECT_EQ(loads("", "32"), 32u);
  EXPECT_EQ(loads("#pragma unroll 1", "32"), 1u);
  EXPECT_EQ(loads("#pragma unroll 32", "32"), 32u);
  EXPECT_EQ(loads("", "1000"), 1u);
  EXPECT_EQ(loads("#pragma unroll", "300"), 300u);
  EXPECT_EQ(loads("#pragma unroll", "n"), 1u);
}

// The widths of nvcc 13.0's LDS for these loops (sm_90).
TEST_F(PrepareKernels, LongLoopsJoinConsecutiveSharedWords) {
  auto width = [&](const char *Type, const char *Trips, const char *Body,
                   const char *Pragma = "") {
    Words Seen =
        accesses(std::string("__global__ void k(") + Type +
                 " *o, int n) {\n"
                 "  __shared__ " +
                 Type + " s[8192];\n  s[TID] = o[TID];\n  " + Type +
                 " r = 0;\n" + Pragma + "  for (int i = 0; i < " + Trips +
                 "; ++i)\n    r += " + Body + ";\n  o[TID] = r;\n}\n");
    for (const std::string &Access : Seen)
      if (Access.find("load shared") != std::string::npos)
        return Access;
    return std::string();
  };
  EXPECT_EQ(width("float", "1024", "s[128 * TID + i]"), "6 load shared 16");
  EXPECT_EQ(width("double", "1024", "s[128 * TID + i]"), "6 load shared 16");
  // 1028 iterations go by four, and 64-bit loads; 1026 by two.
  EXPECT_EQ(width("float", "1028", "s[128 * TID + i]"), "6 load shared 8");
  EXPECT_EQ(width("float", "1026", "s[128 * TID + i]"), "6 load shared 8");
  EXPECT_EQ(width("float", "1024", "s[128 * TID + i]", "#pragma unroll 4\n"),
            "7 load shared 8");
  EXPECT_EQ(width("float", "1024", "s[128 * TID + i]", "#pragma unroll 1\n"),
            "7 load shared 4");
  // Neighbours in memory that are no neighbours in time, an unknown length and
  // an unknown beginning.
  EXPECT_EQ(width("float", "1024", "s[TID + 32 * i]"), "6 load shared 4");
  EXPECT_EQ(width("float", "1024", "s[128 * TID + i + n]"), "6 load shared 4");
}

// The widths of nvcc 13.0's LDS for these kernels (sm_90).
TEST_F(PrepareKernels, RegistersDoNotPartSharedWords) {
  auto loads = [&](const char *Between) {
    Words Shared = accesses(std::string("__global__ void k(int *o) {\n"
                                        "  __shared__ int s[4096];\n"
                                        "  s[TID] = TID;\n"
                                        "  __syncthreads();\n"
                                        "  int r = s[4 * TID] + s[4 * TID + 1],"
                                        " q = r;\n  ") +
                            Between +
                            ";\n"
                            "  o[TID] = q + s[4 * TID + 2]\n"
                            "             + s[4 * TID + 3];\n"
                            "}\n");
    llvm::erase_if(Shared, [](const std::string &Access) {
      return Access.find("load shared") == std::string::npos;
    });
    return Shared;
  };
  const Words Joined = {"5 load shared 16"};
  const Words Apart = {"5 load shared 8", "7 load shared 8"};
  EXPECT_EQ(loads("asm(\"mul.lo.s32 %0, %1, 3;\" : \"=r\"(q) : \"r\"(r))"),
            Joined);
  EXPECT_EQ(loads("asm volatile(\"{ .reg .b32 t; mul.lo.s32 t, %1, 3;\\n\\t"
                  "mov.b32 %0, t; }\" : \"=r\"(q) : \"r\"(r) : \"memory\")"),
            Joined);
  EXPECT_EQ(loads("q = __nvvm_shfl_sync_idx_i32(~0u, r, 3, 31)"), Joined);
  EXPECT_EQ(loads("q = __nvvm_vote_ballot_sync(~0u, r > 3)"), Joined);
  EXPECT_EQ(loads("asm volatile(\"st.shared.b32 [%1], %0;\" :: \"r\"(q), "
                  "\"r\"(r) : \"memory\")"),
            Apart);
  EXPECT_EQ(loads("__nvvm_bar_warp_sync(~0u)"), Apart);
}

// The widths of nvcc 13.0's LDG for these expressions (sm_90).
TEST_F(PrepareKernels, HalvesOfLongIntegersAreLoaded) {
  auto width = [&](const char *Type, const char *Read) {
    return accesses(std::string("__global__ void k(const ") + Type +
                    " *a, int *o, const float *w) {\n  " + Type +
                    " v = a[TID];\n  o[TID] = " + Read + ";\n}\n")
        .front();
  };
  EXPECT_EQ(width("long long", "(int)v"), "2 load global 4");
  EXPECT_EQ(width("long long", "(int)(v >> 32)"), "2 load global 4");
  EXPECT_EQ(width("long long", "(int)(v * 3 + 1)"), "2 load global 4");
  EXPECT_EQ(width("long long", "(int)w[(int)v]"), "2 load global 4");
  EXPECT_EQ(width("long long", "(int)v + (int)(v >> 32)"), "2 load global 8");
  EXPECT_EQ(width("long long", "v > 5"), "2 load global 8");
  EXPECT_EQ(width("long long", "(int)w[v]"), "2 load global 8");
}

TEST_F(PrepareKernels, ConstantsLieWhereNvccPutsThem) {
  EXPECT_EQ(
      accesses("__device__ const float table[64] = {1, 2, 3};\n"
               "__constant__ float filter[64];\n"
               "__global__ void k(float *o) {\n"
               "  o[TID] = table[TID] +\n"
               "           filter[TID];\n"
               "}\n"),
      (Words{"4 load global 4", "5 load constant 4", "4 store global 4"}));
}

TEST_F(PrepareKernels, PointersInAParameterPointToGlobalMemory) {
  EXPECT_EQ(accesses("struct View { float *data; int n; };\n"
                     "__device__ float &at(const View &v, int i) {\n"
                     "  return v.data[i];\n"
                     "}\n"
                     "__global__ void k(View v) {\n"
                     "  at(v, TID) = 1;\n"
                     "}\n"),
            (Words{"3 load generic 8", "6 store global 4"}));
}

// The load is safe to execute ahead of the branch, and keeps its line.
TEST_F(PrepareKernels, WhatIsExecutedAheadKeepsItsPlace) {
  EXPECT_EQ(accesses("__global__ void k(float *o, int n) {\n"
                     "  __shared__ float s;\n"
                     "  s = n;\n"
                     "  __syncthreads();\n"
                     "  float v = 0;\n"
                     "  if (n > 3)\n"
                     "    v = s;\n"
                     "  o[TID] = v;\n"
                     "}\n"),
            (Words{"3 store shared 4", "7 load shared 4", "8 store global 4"}));
}

TEST_F(PrepareKernels, LoopsAreSimplifiedAndClosed) {
  llvm::Function *F =
      prepare("__global__ void k(const float *p, float *o, int n) {\n"
              "  float s = 0;\n"
              "  for (int i = TID; i < n; i += 32) {\n"
              "    if (p[i] < 0) return;\n"
              "    s += p[i];\n"
              "  }\n"
              "  o[TID] = s;\n"
              "}\n");
  ASSERT_TRUE(F);
  EXPECT_EQ(count(llvm::Instruction::Ret), 1u);
  // p[i] is loaded once: the second is the same.
  EXPECT_EQ(count(llvm::Instruction::Load), 1u);
}

} // namespace
