//===- DeviceUnit.h - A CUDA source text as a parsed device pass ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_UNITTESTS_DRIVER_DEVICEUNIT_H
#define WARPLINT_UNITTESTS_DRIVER_DEVICEUNIT_H

#include "Scratch.h"
#include "warplint/Driver/DevicePass.h"
#include "gtest/gtest.h"

namespace warplint {

/// As much of CUDA as the tests need, without a toolkit.
inline constexpr const char *MiniCuda = R"cuda(
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define TID __nvvm_read_ptx_sreg_tid_x()
struct float3 { float x, y, z; };
struct __attribute__((aligned(16))) float4 { float x, y, z, w; };
struct __attribute__((aligned(8))) float2 { float x, y; };
template <class T> __device__ T atomicAdd(T *p, T v) {
  return __nvvm_atom_add_gen_i((int *)p, (int)v);
}
)cuda";

class DeviceUnit : public ::testing::Test {
protected:
  /// Parses \p Source (its first line is line 1 of a.cu) and runs \p Work on
  /// the AST, errors or not.
  void parse(
      llvm::StringRef Source,
      llvm::function_ref<void(clang::ASTContext &, clang::Preprocessor &)> Work,
      std::vector<std::string> Flags = {}) {
    Files.write("a.cu", Source);
    std::string Prelude = Files.write("mini.h", MiniCuda);
    Flags.insert(Flags.end(),
                 {"-nocudainc", "-nocudalib", "-include", Prelude});
    llvm::Expected<CompileJob> Job =
        translateCommand(Flags, "a.cu", Files.Root, {});
    ASSERT_TRUE(bool(Job)) << toString(Job.takeError());
    llvm::Expected<ParseOutcome> Outcome = runDevicePass(*Job, Work);
    ASSERT_TRUE(bool(Outcome)) << toString(Outcome.takeError());
    Errors = Outcome->Errors;
  }

  Scratch Files;
  std::vector<std::string> Errors; ///< of the last parse
};

} // namespace warplint

#endif // WARPLINT_UNITTESTS_DRIVER_DEVICEUNIT_H
