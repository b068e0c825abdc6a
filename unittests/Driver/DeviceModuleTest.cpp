//===- DeviceModuleTest.cpp -----------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/DeviceModule.h"
#include "DeviceUnit.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Tooling/Tooling.h"

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

class LowerKernels : public DeviceUnit {
protected:
  DeviceModule lower(llvm::StringRef Source, Words Flags = {}) {
    DeviceModule Result;
    parse(
        Source,
        [&](clang::ASTContext &Ctx, clang::Preprocessor &PP) {
          llvm::Expected<DeviceModule> M = lowerKernels(Ctx, PP);
          ASSERT_TRUE(bool(M)) << toString(M.takeError());
          Result = std::move(*M);
          for (KernelInfo &K : Result.Kernels)
            K.Decl = nullptr; // the AST ends here
        },
        Flags);
    return Result;
  }

  /// Name, and after a colon why it was refused.
  static Words listed(const DeviceModule &M) {
    Words Result;
    for (const KernelInfo &K : M.Kernels) {
      EXPECT_EQ(K.Refused.empty(), K.Function != nullptr);
      Result.push_back(K.Refused.empty() ? K.Name : K.Name + ": " + K.Refused);
    }
    return Result;
  }

  static bool defines(const DeviceModule &M, llvm::StringRef Part) {
    for (const llvm::Function &F : *M.Module)
      if (!F.isDeclaration() && F.getName().contains(Part))
        return true;
    return false;
  }
};

TEST_F(LowerKernels, SourceOrderWithInstantiationsAndNamespaces) {
  DeviceModule M = lower("namespace n { __global__ void first() {} }\n"
                         "template <int N> __global__ void second(float *p) {\n"
                         "  p[N] = N;\n"
                         "}\n"
                         "__global__ void declared();\n"
                         "struct S { static __global__ void third() {} };\n"
                         "extern \"C\" __global__ void fourth() {}\n"
                         "template __global__ void second<4>(float *);\n"
                         "template __global__ void second<8>(float *);\n");
  EXPECT_EQ(Errors, Words{});
  EXPECT_EQ(listed(M),
            (Words{"n::first()", "void second<4>(float*)",
                   "void second<8>(float*)", "S::third()", "fourth"}));
  EXPECT_EQ(M.Kernels[0].Place, (SourcePlace{Files.path("a.cu"), 1, 31}));
  EXPECT_EQ(M.Kernels[0].Mangled, "_ZN1n5firstEv");
  EXPECT_EQ(M.Kernels[0].Function->getName(), "_ZN1n5firstEv");
}

TEST_F(LowerKernels, EmitsWhatIsReachedAndNoMore) {
  DeviceModule M = lower(
      "__device__ int unreached(int i) { return i; }\n"
      "__device__ int reached(int i) { return i + 1; }\n"
      "__device__ int fallback() { return reached(1); }\n"
      "__device__ int table[4], other[4];\n"
      "struct Base { __device__ ~Base() { table[0] = 1; } };\n"
      "struct Derived : Base { int n; __device__ Derived() : n(fallback()) {} "
      "};\n"
      "template <class F> __device__ int call(F f, int i = fallback()) {\n"
      "  return f(i);\n"
      "}\n"
      "__global__ void k(int *p) {\n"
      "  Derived d;\n"
      "  p[0] = call([=](int i) { return d.n + i; });\n"
      "}\n");
  EXPECT_EQ(Errors, Words{});
  EXPECT_EQ(listed(M), Words{"k(int*)"});
  for (const char *Name :
       {"reached", "fallback", "BaseD", "DerivedC", "call", "_clEi"})
    EXPECT_TRUE(defines(M, Name)) << Name;
  EXPECT_FALSE(defines(M, "unreached"));
  EXPECT_TRUE(M.Module->getNamedGlobal("table"));
  EXPECT_FALSE(M.Module->getNamedGlobal("other"));
}

TEST_F(LowerKernels, ErrorsCostOnlyTheKernelsThatReachThem) {
  DeviceModule M =
      lower("struct Broken { Nothing n; int i; };\n"
            "__device__ int helper(int i) { return i + nothing; }\n"
            "__device__ int between(int i) { return helper(i); }\n"
            "__global__ void itself(int *p) { p[0] = undeclared(p); }\n"
            "__global__ void through(int *p) { p[0] = between(1); }\n"
            "__global__ void record(Broken *p) { p->i = 1; }\n"
            "__global__ void fine(int *p) { p[0] = 1; }\n");
  EXPECT_EQ(Errors.size(), 3u);
  EXPECT_EQ(listed(M),
            (Words{"itself(int*): has errors",
                   "through(int*): uses 'helper', which has errors",
                   "record(Broken*): uses 'Broken', which has errors",
                   "fine(int*)"}));
}

TEST_F(LowerKernels, WhatTheCodeGeneratorRefusesCostsOneKernel) {
  // redux.sync came with sm_80; clang finds that out while generating code.
  DeviceModule M = lower("__global__ void newer(int *p) {\n"
                         "  p[0] = __nvvm_redux_sync_add(p[1], -1);\n"
                         "}\n"
                         "__global__ void older(int *p) { p[0] = 1; }\n",
                         {"-arch=sm_70"});
  ASSERT_EQ(M.Kernels.size(), 2u);
  EXPECT_TRUE(llvm::StringRef(M.Kernels[0].Refused).contains("target feature"))
      << M.Kernels[0].Refused;
  EXPECT_EQ(M.Kernels[1].Refused, "");
  EXPECT_TRUE(M.Kernels[1].Function);
}

TEST_F(LowerKernels, CallsWithoutABodyStayCalls) {
  DeviceModule M =
      lower("__device__ float elsewhere(float);\n"
            "__global__ void k(float *p) { *p = elsewhere(*p); }\n");
  EXPECT_EQ(listed(M), Words{"k(float*)"});
  EXPECT_TRUE(M.Module->getFunction("_Z9elsewheref"));
}

TEST_F(LowerKernels, KernelsOfTheToolkitAndSystemHeadersAreNotTheUsers) {
  Files.write("cuda/include/cuda_runtime_api.h", "");
  Files.write("cuda/include/lib/sort.h", "__global__ void sorting() {}\n");
  Files.write("sys/scan.h", "__global__ void scanning() {}\n");
  Files.write("own/mine.h", "__global__ void mine() {}\n");
  DeviceModule M = lower("#include <lib/sort.h>\n"
                         "#include <scan.h>\n"
                         "#include <mine.h>\n",
                         {"-I", Files.path("cuda/include"), "-isystem",
                          Files.path("sys"), "-I", Files.path("own")});
  EXPECT_EQ(listed(M), Words{"mine()"});
  EXPECT_EQ(M.Kernels[0].Place.File, Files.path("own/mine.h"));
}

TEST_F(LowerKernels, OtherPassesAreOneClearError) {
  std::unique_ptr<clang::ASTUnit> Cpp =
      clang::tooling::buildASTFromCodeWithArgs("int x;", {"-x", "c++"});
  llvm::Expected<DeviceModule> M =
      lowerKernels(Cpp->getASTContext(), Cpp->getPreprocessor());
  ASSERT_FALSE(bool(M));
  EXPECT_EQ(toString(M.takeError()),
            "not a CUDA translation unit: compile it with '-x cuda'");
}

} // namespace
