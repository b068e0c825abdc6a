//===- cuda-stub.h - CUDA C++ without a toolkit ---------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What plain kernels need of CUDA, on clang's own built-ins, so that tests run
/// where no toolkit is installed:
///   clang -x cuda -nocudainc -nocudalib --cuda-feature=+ptx80
///     -isystem test/Inputs -include cuda-stub.h
/// (without a toolkit clang assumes a PTX version that has no shuffles; a
/// system header, so that its accesses are placed at the call in the test).
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TEST_CUDA_STUB_H
#define WARPLINT_TEST_CUDA_STUB_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

typedef __SIZE_TYPE__ size_t;

// Vector types, aligned as CUDA aligns them; three-element ones are not.
#define WARPLINT_VECTOR(T, N)                                                  \
  struct __align__(2 * sizeof(T)) N##2 { T x, y; };                            \
  struct N##3 { T x, y, z; };                                                  \
  struct __align__(4 * sizeof(T) < 16 ? 4 * sizeof(T) : 16) N##4 {             \
    T x, y, z, w;                                                              \
  };                                                                           \
  static inline __host__ __device__ N##2 make_##N##2(T x, T y) {               \
    return {x, y};                                                             \
  }                                                                            \
  static inline __host__ __device__ N##3 make_##N##3(T x, T y, T z) {          \
    return {x, y, z};                                                          \
  }                                                                            \
  static inline __host__ __device__ N##4 make_##N##4(T x, T y, T z, T w) {     \
    return {x, y, z, w};                                                       \
  }
WARPLINT_VECTOR(signed char, char)
WARPLINT_VECTOR(unsigned char, uchar)
WARPLINT_VECTOR(short, short)
WARPLINT_VECTOR(unsigned short, ushort)
WARPLINT_VECTOR(int, int)
WARPLINT_VECTOR(unsigned, uint)
WARPLINT_VECTOR(long long, longlong)
WARPLINT_VECTOR(unsigned long long, ulonglong)
WARPLINT_VECTOR(float, float)
WARPLINT_VECTOR(double, double)
#undef WARPLINT_VECTOR

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
  constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __host__ __device__ operator uint3() const { return {x, y, z}; }
};

// threadIdx and its kin; the conversions to uint3 and dim3 are declared there.
#include <__clang_cuda_builtin_vars.h>
inline __device__ __cuda_builtin_threadIdx_t::operator uint3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_threadIdx_t::operator dim3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_blockIdx_t::operator uint3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_blockIdx_t::operator dim3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_blockDim_t::operator uint3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_blockDim_t::operator dim3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_gridDim_t::operator uint3() const {
  return {x, y, z};
}
inline __device__ __cuda_builtin_gridDim_t::operator dim3() const {
  return {x, y, z};
}

// The runtime calls that launches and their arguments need.
typedef struct CUstream_st *cudaStream_t;
typedef int cudaError_t;
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
extern "C" {
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0,
                              cudaStream_t stream = 0);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     void *stream = 0);
cudaError_t cudaLaunchKernel(const void *f, dim3 grid, dim3 block, void **args,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMalloc(void **p, size_t bytes);
}
template <class T> cudaError_t cudaMalloc(T **p, size_t bytes) {
  return cudaMalloc((void **)p, bytes);
}

// Device functions (clang knows __syncthreads by itself).
static inline __device__ void __syncwarp(unsigned mask = ~0u) {
  __nvvm_bar_warp_sync(mask);
}
template <class T> static inline __device__ T __ldg(const T *p) { return *p; }
template <class T> static inline __device__ T __ldcs(const T *p) { return *p; }
template <class T> static inline __host__ __device__ T min(T a, T b) {
  return b < a ? b : a;
}
template <class T> static inline __host__ __device__ T max(T a, T b) {
  return a < b ? b : a;
}
static inline __device__ int atomicAdd(int *p, int v) {
  return __nvvm_atom_add_gen_i(p, v);
}
static inline __device__ unsigned atomicAdd(unsigned *p, unsigned v) {
  return __nvvm_atom_add_gen_i((int *)p, v);
}
static inline __device__ float atomicAdd(float *p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
static inline __device__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
#define WARPLINT_SHUFFLE(NAME, BUILTIN, CLAMP)                                 \
  static inline __device__ int NAME(unsigned mask, int v, int by,              \
                                    int width = 32) {                          \
    return __nvvm_shfl_sync_##BUILTIN##_i32(mask, v, by,                       \
                                            ((32 - width) << 8) | CLAMP);      \
  }                                                                            \
  static inline __device__ float NAME(unsigned mask, float v, int by,          \
                                      int width = 32) {                        \
    return __nvvm_shfl_sync_##BUILTIN##_f32(mask, v, by,                       \
                                            ((32 - width) << 8) | CLAMP);      \
  }
WARPLINT_SHUFFLE(__shfl_sync, idx, 31)
WARPLINT_SHUFFLE(__shfl_up_sync, up, 0)
WARPLINT_SHUFFLE(__shfl_down_sync, down, 31)
WARPLINT_SHUFFLE(__shfl_xor_sync, bfly, 31)
#undef WARPLINT_SHUFFLE

#endif // WARPLINT_TEST_CUDA_STUB_H
