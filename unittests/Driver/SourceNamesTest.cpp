//===- SourceNamesTest.cpp ------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accesses are looked up at the debug locations that the lowered kernel has,
/// so these tests hold both sides together.
///
//===----------------------------------------------------------------------===//

#include "warplint/Driver/SourceNames.h"
#include "DeviceUnit.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

class SourceNamesTest : public DeviceUnit {
protected:
  /// The names of each access of the only kernel, innermost frame, in order.
  std::vector<AccessNames> namesOf(llvm::StringRef Source) {
    std::vector<AccessNames> Result;
    parse(Source, [&](clang::ASTContext &Ctx, clang::Preprocessor &PP) {
      llvm::Expected<DeviceModule> M = lowerKernels(Ctx, PP);
      ASSERT_TRUE(bool(M)) << toString(M.takeError());
      llvm::Error E = prepareKernels(*M->Module, "sm_90");
      ASSERT_FALSE(bool(E)) << toString(std::move(E));
      ASSERT_EQ(M->Kernels.size(), 1u);
      SourceNames Names(Ctx);
      const llvm::DataLayout &DL = M->Module->getDataLayout();
      for (const llvm::Instruction &I :
           llvm::instructions(*M->Kernels[0].Function)) {
        MemoryOp Op;
        const llvm::Type *T;
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(I)) {
          Op = llvm::isa<llvm::LoadInst>(I) ? MemoryOp::Load : MemoryOp::Store;
          T = llvm::getLoadStoreType(&I);
        } else if (llvm::isa<llvm::AtomicRMWInst>(I)) {
          Op = MemoryOp::Atomic;
          T = I.getType();
        } else {
          continue;
        }
        // As for a header of the toolkit: the user's own frame.
        const llvm::DILocation *Loc = I.getDebugLoc();
        while (Loc->getInlinedAt() &&
               !llvm::StringRef(Loc->getFilename()).ends_with("a.cu"))
          Loc = Loc->getInlinedAt();
        SourceNames::Question Q;
        Q.Place = placeOf(*Loc);
        Q.Op = Op;
        Q.Bytes =
            DL.getTypeStoreSize(const_cast<llvm::Type *>(T)).getFixedValue();
        std::optional<AccessNames> N = Names.lookup(Q);
        ASSERT_TRUE(N.has_value()) << "line " << Loc->getLine();
        Result.push_back(*N);
      }
    });
    EXPECT_EQ(Errors, Words{});
    return Result;
  }

  Words expressions(llvm::StringRef Source) {
    Words Result;
    for (const AccessNames &N : namesOf(Source))
      Result.push_back(N.Expression);
    return Result;
  }
};

TEST_F(SourceNamesTest, LoadsAndStoresAsWritten) {
  EXPECT_EQ(expressions("__global__ void k(float *o, const float *p, int n) {\n"
                        "  o[TID] = p[2 *\n"
                        "             n] + *(p + TID) + (p)[n];\n"
                        "  o[n] += 1; ++o[n + TID];\n"
                        "}\n"),
            (Words{"p[2 * n]", "*(p + TID)", "(p)[n]", "o[TID]", "o[n]", "o[n]",
                   "o[n + TID]", "o[n + TID]"}));
}

TEST_F(SourceNamesTest, FieldsOfRecords) {
  std::vector<AccessNames> N =
      namesOf("struct Body { float3 pos; float mass[2]; };\n"
              "__global__ void k(Body *b, float3 *q, float *o) {\n"
              "  o[TID] = b[TID].pos.y;\n"
              "  o[TID + 32] = b[TID].mass[1];\n"
              "  o[TID + 64] = (b + TID)->mass[0];\n"
              "  q[TID].z = 0;\n"
              "}\n");
  ASSERT_EQ(N.size(), 7u);
  EXPECT_EQ(N[0].Expression, "b[TID].pos.y");
  EXPECT_EQ(N[0].Variable, "b");
  EXPECT_EQ(N[0].Record, "Body");
  EXPECT_EQ(N[0].Field, "pos.y");
  EXPECT_EQ(N[0].RecordBytes, 20u); // 3 + 2 floats
  EXPECT_EQ(N[0].ElementBytes, 20u);
  EXPECT_EQ(N[0].DeclarationText, "Body *b");
  EXPECT_EQ(N[0].Declaration, (SourcePlace{Files.path("a.cu"), 2, 25}));
  EXPECT_EQ(N[0].Begin, (SourcePlace{Files.path("a.cu"), 3, 12}));
  EXPECT_EQ(N[0].End, (SourcePlace{Files.path("a.cu"), 3, 24}));
  EXPECT_EQ(N[2].Field, "mass[1]");
  EXPECT_EQ(N[2].Record, "Body");
  EXPECT_EQ(N[4].Expression, "(b + TID)->mass[0]");
  EXPECT_EQ(N[4].Field, "mass[0]");
  EXPECT_EQ(N[4].Variable, "b");
  EXPECT_EQ(N[6].Record, "float3");
  EXPECT_EQ(N[6].Field, "z");
  EXPECT_EQ(N[6].RecordBytes, 12u);
}

TEST_F(SourceNamesTest, ArraysHaveExtentsAndADeclaration) {
  std::vector<AccessNames> N =
      namesOf("#define ROWS 32\n"
              "extern __shared__ float dynamic[];\n"
              "__global__ void k(float *o) {\n"
              "  __shared__ float other[2], tile[ROWS][ROWS + 1];\n"
              "  tile[TID][3] = dynamic[TID];\n"
              "}\n");
  ASSERT_EQ(N.size(), 2u);
  EXPECT_EQ(N[0].DeclarationText, "extern __shared__ float dynamic[]");
  EXPECT_EQ(N[0].Extents, std::vector<uint64_t>{0});
  EXPECT_EQ(N[1].Expression, "tile[TID][3]");
  EXPECT_EQ(N[1].DeclarationText, "__shared__ float tile[32][33]");
  EXPECT_EQ(N[1].Extents, (std::vector<uint64_t>{32, 33}));
  EXPECT_EQ(N[1].Record, "");
  EXPECT_EQ(N[1].ElementType, "float");
}

TEST_F(SourceNamesTest, RowsBehindAPointerAreNoRecords) {
  std::vector<AccessNames> N =
      namesOf("__global__ void k(float (*p)[3], float3 (*q)[2], float *o) {\n"
              "  o[TID] = p[TID][2];\n"
              "  o[TID + 32] = q[TID][1].y;\n"
              "}\n");
  ASSERT_EQ(N.size(), 4u);
  EXPECT_EQ(N[0].Expression, "p[TID][2]");
  EXPECT_EQ(N[0].Record, "");
  EXPECT_EQ(N[0].Field, "");
  EXPECT_EQ(N[0].ElementBytes, 12u);
  EXPECT_EQ(N[2].Record, "float3");
  EXPECT_EQ(N[2].RecordBytes, 12u);
}

TEST_F(SourceNamesTest, WholeRecords) {
  std::vector<AccessNames> N =
      namesOf("__global__ void k(const float4 *p, float4 *o) {\n"
              "  float4 v = p[TID];\n"
              "  v.x += 1;\n"
              "  o[TID] = v;\n"
              "  o[TID + 32] =\n"
              "      p[TID + 32];\n"
              "}\n");
  ASSERT_EQ(N.size(), 4u);
  EXPECT_EQ(N[0].Expression, "p[TID]");
  EXPECT_EQ(N[0].Record, "float4");
  EXPECT_EQ(N[0].Field, "");
  EXPECT_EQ(N[1].Expression, "o[TID]");
  EXPECT_EQ(N[2].Expression, "p[TID + 32]");
  EXPECT_EQ(N[3].Expression, "o[TID + 32]");
}

TEST_F(SourceNamesTest, CallsThatAreGivenAnAddress) {
  EXPECT_EQ(expressions("__global__ void k(int *count, int *p) {\n"
                        "  atomicAdd(&count[p[TID]], 1);\n"
                        "  atomicAdd(count + 3, 1);\n"
                        "}\n"),
            (Words{"p[TID]", "count[p[TID]]", "count + 3"}));
}

TEST_F(SourceNamesTest, ArmsOfAConditional) {
  EXPECT_EQ(expressions("template <bool T>\n"
                        "__device__ float get(const float *p, int n) {\n"
                        "  float v = T ? p[TID * n] : p[TID];\n"
                        "  return v;\n"
                        "}\n"
                        "__global__ void k(const float *p, float *o, int n) {\n"
                        "  o[TID] = get<true>(p, n) + get<false>(p, n);\n"
                        "}\n"),
            (Words{"p[TID * n]", "p[TID]", "o[TID]"}));
}

TEST_F(SourceNamesTest, InitialisersAndRangeLoops) {
  EXPECT_EQ(expressions("__global__ void k(const float *p, float *o) {\n"
                        "  const float v[2] = {p[0], p[TID]};\n"
                        "  float s = 0;\n"
                        "  for (float f : v) s += f;\n"
                        "  o[TID] = s;\n"
                        "}\n"),
            (Words{"p[0]", "p[TID]", "o[TID]"}));
}

TEST_F(SourceNamesTest, RecordsPassedByValueAreLoadedAtTheCall) {
  EXPECT_EQ(expressions("__device__ float first(float3 v) {\n"
                        "  return v.x;\n"
                        "}\n"
                        "__global__ void k(const float3 *p, float *o) {\n"
                        "  o[TID] = first(\n"
                        "      p[TID]);\n"
                        "}\n"),
            (Words{"p[TID]", "o[TID]"}));
}

TEST_F(SourceNamesTest, OperatorsAndMembers) {
  std::vector<AccessNames> N =
      namesOf("struct View {\n"
              "  float *data;\n"
              "  int w;\n"
              "  __device__ float &operator()(int i, int j) const {\n"
              "    return data[i * w + j];\n"
              "  }\n"
              "  __device__ float get(int i) const { return data[i]; }\n"
              "};\n"
              "__global__ void k(View v, float *o) {\n"
              "  v(TID, 1) = o[TID];\n"
              "  o[TID] = v.get(TID);\n"
              "}\n");
  std::vector<std::pair<std::string, std::string>> Seen;
  for (const AccessNames &A : N)
    Seen.push_back({A.Expression, A.Variable});
  EXPECT_NE(
      llvm::find(Seen, std::pair<std::string, std::string>("v(TID, 1)", "v")),
      Seen.end());
  EXPECT_NE(
      llvm::find(Seen, std::pair<std::string, std::string>("data[i]", "data")),
      Seen.end());
}

TEST_F(SourceNamesTest, MacrosAreSpeltAtTheirUse) {
  EXPECT_EQ(expressions("#define AT(a, i) a[(i) * 2]\n"
                        "#define ID(x) x\n"
                        "#define TWICE(a, i) (2 * a[i])\n"
                        "__global__ void k(float *o, const float *p) {\n"
                        "  AT(o, TID) = ID(p[TID]);\n"
                        "  o[1] = TWICE(p, 7);\n"
                        "}\n"),
            (Words{"p[TID]", "AT(o, TID)", "a[i]", "o[1]"}));
}

TEST_F(SourceNamesTest, TemplatesAreSeenAsInstantiated) {
  std::vector<AccessNames> N =
      namesOf("template <class T, int N> struct Vec { T v[N]; };\n"
              "template <class T> __global__ void k(Vec<T, 4> *p, T *o) {\n"
              "  o[TID] = p[TID].v[1];\n"
              "}\n"
              "template __global__ void k(Vec<double, 4> *, double *);\n");
  ASSERT_EQ(N.size(), 2u);
  EXPECT_EQ(N[0].Record, "Vec<double, 4>");
  EXPECT_EQ(N[0].Field, "v[1]");
  EXPECT_EQ(N[0].RecordBytes, 32u);
  EXPECT_EQ(N[1].ElementType, "double");
}

TEST_F(SourceNamesTest, NothingWhereNothingStands) {
  parse("__global__ void k(float *o) {\n  o[0] = 1;\n}\n", [&](clang::ASTContext
                                                                   &Ctx,
                                                               clang::
                                                                   Preprocessor
                                                                       &) {
    SourceNames Names(Ctx);
    std::string File = Files.path("a.cu");
    EXPECT_FALSE(Names.lookup({{File, 1, 1}, MemoryOp::Load, 4, "", 0}));
    EXPECT_FALSE(Names.lookup({{"/no.cu", 2, 3}, MemoryOp::Store, 4, "", 0}));
    EXPECT_TRUE(Names.lookup({{File, 2, 0}, MemoryOp::Store, 4, "", 0}));
  });
}

} // namespace
