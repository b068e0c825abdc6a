//===- CompatTest.cpp - What the compatibility header makes parse ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scratch.h"
#include "warplint/Driver/DevicePass.h"
#include "warplint/Driver/Toolkit.h"
#include "gtest/gtest.h"

using namespace warplint;
using Words = std::vector<std::string>;

namespace {

/// These need the headers of CUDA; without a toolkit they are skipped.
class Compat : public ::testing::Test {
protected:
  Scratch Files;
  void SetUp() override {
    llvm::Expected<std::string> Toolkit = findCudaToolkit("", "", "");
    if (!Toolkit)
      GTEST_SKIP() << toString(Toolkit.takeError());
  }

  Words errors(const std::string &Text, const Words &Command = {"nvcc"}) {
    Files.write("a.cu", Text);
    llvm::Expected<CompileJob> Job =
        translateCommand(Command, "a.cu", Files.Root, {});
    if (!Job)
      return {toString(Job.takeError())};
    llvm::Expected<ParseOutcome> R =
        runDevicePass(*Job, [](clang::ASTContext &, clang::Preprocessor &) {});
    return R ? R->Errors : Words{toString(R.takeError())};
  }
};

TEST_F(Compat, MinAndMaxOfTwoTypes) {
  EXPECT_EQ(
      errors("void host(int i, unsigned u, long l, unsigned long ul,\n"
             "          long long ll, float f, double d) {\n"
             "  static_assert(__is_same(decltype(min(i, i)), int));\n"
             "  static_assert(__is_same(decltype(min(i, u)), unsigned));\n"
             "  static_assert(__is_same(decltype(max(l, ul)),\n"
             "                          unsigned long));\n"
             "  static_assert(__is_same(decltype(max(ll, ll)),\n"
             "                          long long));\n"
             "  static_assert(__is_same(decltype(max(f, d)), double));\n"
             "  static_assert(__is_same(decltype(min(f, f)), float));\n"
             "}\n"
             "__global__ void k(int i, unsigned u, float f, double d) {\n"
             "  min(i, u); max(u, i); min(f, d); max(d, f);\n"
             "}\n"),
      Words{});
}

TEST_F(Compat, AtomicBuiltins) {
  EXPECT_EQ(
      errors("__global__ void k(int *p, unsigned long long *q, float *f) {\n"
             "  int v = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED);\n"
             "  __nv_atomic_store_n(p, v, __NV_ATOMIC_RELEASE,\n"
             "                      __NV_THREAD_SCOPE_BLOCK);\n"
             "  __nv_atomic_add(f, 1, __NV_ATOMIC_RELAXED,\n"
             "                  __NV_THREAD_SCOPE_DEVICE);\n"
             "  q[1] = __nv_atomic_fetch_max(q, 1, __NV_ATOMIC_SEQ_CST);\n"
             "  p[1] = __nv_atomic_exchange_n(p, 2, __NV_ATOMIC_ACQ_REL);\n"
             "  int e = 0;\n"
             "  __nv_atomic_compare_exchange_n(p, &e, 1, true,\n"
             "      __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED);\n"
             "  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);\n"
             "}\n"),
      Words{});
}

TEST_F(Compat, CacheOperators) {
  EXPECT_EQ(errors("#include <cuda_fp16.h>\n"
                   "__global__ void k(float *f, float4 *v, long *l, char2 *c,\n"
                   "                  __half *h, double2 *d) {\n"
                   "  __stcs(f, __ldcs(f + 1)); __stcg(f, 1); __stwb(v, *v);\n"
                   "  __stwt(v, __ldlu(v)); __stwt(l, __ldca(l) + __ldcv(l));\n"
                   "  __stcs(c, __ldcg(c)); __stcs(h, __ldcs(h));\n"
                   "  __stcg(d, __ldcg(d));\n"
                   "}\n"),
            Words{});
}

TEST_F(Compat, NvccsMacrosForNvccsFilesOnly) {
  std::string Text =
      "#if !defined(__NVCC__) || __CUDACC_VER_MAJOR__ < 9 || \\\n"
      "    !__CUDACC__\n#error no nvcc\n#endif\n"
      "#include <string>\n"
      "#if __CUDACC_VER_MINOR__ + 0 != CUDA_VERSION % 1000 / 10\n"
      "#error wrong\n#endif\n";
  EXPECT_EQ(errors(Text), Words{});
  EXPECT_EQ(errors(Text, {"clang++"}).size(), 1u);
  // A system header sees clang.
  Files.write("sys/s.h", "#ifdef __NVCC__\n#error nvcc\n#endif\n");
  EXPECT_EQ(errors("#include <s.h>\n" + Text, {"nvcc", "-isystem=sys"}),
            Words{});
}

// nvcc 13: warning #1097-D, unknown attribute "__ext_vector_type__".
TEST_F(Compat, ClangsVectorsAreScalarsToNvcc) {
  std::string Text =
      "using quad = __attribute__((__ext_vector_type__(4))) float;\n"
      "typedef float pair __attribute__((ext_vector_type(2)));\n"
      "static_assert(sizeof(quad) == 4 && sizeof(pair) == 4);\n";
  EXPECT_EQ(errors(Text), Words{});
  EXPECT_EQ(errors(Text, {"clang++"}).size(), 1u);
}

TEST_F(Compat, NamesOfTheGlobalNamespace) {
  EXPECT_EQ(errors("__managed__ int m;\n"
                   "__global__ void k() { m = 1; __prof_trigger(0); }\n"
                   "bool host(float f, double d) {\n"
                   "  float w; modf(f, &w);\n"
                   "  return isnan(f) || isfinite(d) || signbit(f) || m;\n"
                   "}\n"),
            Words{});
}

TEST_F(Compat, ExternSharedThatIsNoArray) {
  EXPECT_EQ(errors("extern __shared__ float4 s;\n"
                   "__global__ void k(float4 *p) { *p = s; }\n"),
            Words{});
}

TEST_F(Compat, NvccWarnsWhereClangRefuses) {
  EXPECT_EQ(errors("struct A { char c; };\n"
                   "__global__ void k(int i) { A a{i}; (void)a; }\n"),
            Words{});
}

} // namespace
