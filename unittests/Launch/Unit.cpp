//===- Unit.cpp - A CUDA file in memory and its launch sites --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Tooling/Tooling.h"
#include "gtest/gtest.h"

using namespace clang;

namespace warplint {

// What of the toolkit and of the C library the tests use.
static const char Toolkit[] = R"(
#pragma clang system_header
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
typedef __SIZE_TYPE__ size_t;
struct uint3 { unsigned x, y, z; };
__host__ __device__ inline uint3 make_uint3(unsigned x, unsigned y,
                                            unsigned z) {
  uint3 t; t.x = x; t.y = y; t.z = z; return t;
}
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
typedef struct CUstream_st *cudaStream_t;
typedef int cudaError_t;
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t bytes = 0,
                                 cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                size_t bytes = 0,
                                                cudaStream_t stream = 0);
extern "C" cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block,
                                        void **args, size_t bytes,
                                        cudaStream_t stream);
extern "C" cudaError_t cudaLaunchCooperativeKernel(const void *f, dim3 grid,
                                                   dim3 block, void **args,
                                                   size_t bytes,
                                                   cudaStream_t stream);
struct cudaDeviceProp { int warpSize, maxThreadsPerBlock, clockRate; };
extern "C" cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device);
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaExtent { size_t width, height, depth; };
extern "C" cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent e);
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim; size_t dynamicSmemBytes; cudaStream_t stream;
};
template <class... P, class... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*k)(P...),
                               A &&...a) { return 0; }
extern "C" cudaError_t cudaMalloc(void **p, size_t n);
template <class T> cudaError_t cudaMalloc(T **p, size_t n) { return 0; }
extern "C" cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t w,
                                       size_t h);
extern "C" cudaError_t cudaMemcpy(void *d, const void *s, size_t n, int kind);
extern "C" int atoi(const char *);
extern "C" char *optarg;
extern "C" int getopt(int, char *const *, const char *);
extern "C" long strtol(const char *, char **, int);
extern "C" int strcmp(const char *, const char *);
extern "C" int strncmp(const char *, const char *, size_t);
extern "C" size_t strlen(const char *);
extern "C" const char *strchr(const char *, int);
extern "C" int sscanf(const char *, const char *, ...);
extern "C" void exit(int) __attribute__((noreturn));
extern "C" int scanf(const char *, ...);
extern "C" int printf(const char *, ...);
extern "C" double ceil(double);
namespace std {
template <class T> constexpr const T &min(const T &a, const T &b) {
  return b < a ? b : a;
}
template <class T> constexpr const T &max(const T &a, const T &b) {
  return a < b ? b : a;
}
template <class T> void swap(T &a, T &b) { T t = a; a = b; b = t; }
template <class T> class initializer_list {
  const T *P; size_t N;
public:
  const T *begin() const { return P; }
  const T *end() const { return P + N; }
};
template <class T> constexpr T max(initializer_list<T>);
template <class T, size_t N> struct array {
  T Elements[N];
  T &operator[](size_t I) { return Elements[I]; }
  const T &operator[](size_t I) const { return Elements[I]; }
};
} // namespace std
namespace thrust {
template <class T> struct device_ptr {
  T *P;
  T *get() const { return P; }
  device_ptr operator+(long) const;
};
template <class T> struct device_reference { device_ptr<T> operator&() const; };
template <class T> struct device_vector {
  device_vector(size_t);
  device_ptr<T> data();
  device_reference<T> operator[](size_t);
};
template <class T> T *raw_pointer_cast(device_ptr<T> P) { return P.get(); }
} // namespace thrust
)";

Unit::Unit(llvm::StringRef Code, llvm::ArrayRef<const char *> Runs) {
  std::vector<std::string> Arguments = {"-x",
                                        "cuda",
                                        "--cuda-device-only",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "--cuda-gpu-arch=sm_90",
                                        "-std=c++20",
                                        "-Wno-unknown-cuda-version",
                                        "-include",
                                        "/warplint-test/toolkit.h"};
  IgnoringDiagConsumer Silent;
  AST = tooling::buildASTFromCodeWithArgs(
      Code, Arguments, "launch.cu", "warplint-test",
      std::make_shared<PCHContainerOperations>(),
      tooling::getClangStripDependencyFileAdjuster(),
      {{"/warplint-test/toolkit.h", Toolkit}}, &Silent);
  auto FindRuns = [&](ASTContext &) {
    std::vector<RunCommand> Commands;
    for (llvm::StringRef Run : Runs)
      llvm::append_range(Commands, commandsIn(Run, /*Place=*/""));
    return Commands;
  };
  if (AST)
    Sites = LaunchSites::collect(AST->getASTContext(), /*Imports=*/nullptr,
                                 /*Export=*/false, FindRuns);
}

namespace {
struct FindKernel : ConstDynamicRecursiveASTVisitor {
  std::string Name;
  const FunctionDecl *Found = nullptr;

  explicit FindKernel(llvm::StringRef Name) : Name(Name) {
    ShouldVisitTemplateInstantiations = true;
  }
  bool VisitFunctionDecl(const FunctionDecl *F) override {
    if (!F->hasAttr<CUDAGlobalAttr>() || F->isDependentContext())
      return true;
    std::string Printed;
    llvm::raw_string_ostream OS(Printed);
    F->getNameForDiagnostic(OS, F->getASTContext().getPrintingPolicy(), true);
    if (Printed == Name && (!Found || F->isThisDeclarationADefinition()))
      Found = F;
    return true;
  }
};
} // namespace

std::vector<LaunchConfig> Unit::configs(llvm::StringRef Name,
                                        const LaunchDefaults &Defaults) const {
  if (!AST) {
    ADD_FAILURE() << "the code did not give an AST";
    return {};
  }
  FindKernel Find(Name);
  Find.TraverseDecl(AST->getASTContext().getTranslationUnitDecl());
  if (!Find.Found) {
    ADD_FAILURE() << "no kernel " << Name.str();
    return {};
  }
  return Sites.configsFor(Find.Found, Defaults);
}

LaunchConfig Unit::config(llvm::StringRef Name) const {
  std::vector<LaunchConfig> All = configs(Name);
  EXPECT_EQ(All.size(), 1u);
  return All.empty() ? LaunchConfig() : All.front();
}

std::string text(const Dim3 &D) {
  return std::to_string(D[0]) + "x" + std::to_string(D[1]) + "x" +
         std::to_string(D[2]);
}

std::string blocks(const std::vector<LaunchConfig> &Configs) {
  std::string Text;
  for (const LaunchConfig &C : Configs)
    Text +=
        (Text.empty() ? "" : " ") + text(C.Block) + (C.BlockAssumed ? "?" : "");
  return Text;
}

std::string text(const ArgumentFact &F) {
  std::string Text;
  switch (F.K) {
  case ArgumentFact::Integer:
    Text = std::to_string(F.Value);
    break;
  case ArgumentFact::Pointer:
    Text = F.Base + (F.Value < 0 ? "" : "+") + std::to_string(F.Value);
    break;
  case ArgumentFact::Unknown:
    Text = F.Base + "?";
    break;
  }
  if (F.Align)
    Text += " (" + std::to_string(F.Align) + ")";
  if (!F.Fields.empty()) {
    Text += " {";
    for (const auto &[At, Field] : F.Fields)
      Text += (Text.back() == '{' ? "" : ", ") + std::to_string(At) + ": " +
              text(Field);
    Text += "}";
  }
  return Text;
}

std::string arguments(const LaunchConfig &Config) {
  std::string Text;
  for (const ArgumentFact &F : Config.Arguments)
    Text += (Text.empty() ? "" : ", ") + text(F);
  return Text;
}

} // namespace warplint
