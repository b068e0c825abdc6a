//===- warplint_cuda_compat.h - What nvcc accepts and clang does not ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included after clang's CUDA wrapper and before the user's file, from inside
// the binary. It adds overloads and names that nvcc declares and the wrapper
// leaves out; nothing that compiles without it changes its meaning. Where the
// wrapper uses inline PTX for a memory access, it becomes an access that can be
// seen in LLVM IR.
//
//===----------------------------------------------------------------------===//

#pragma GCC system_header

#ifndef WARPLINT_CUDA_COMPAT_H
#define WARPLINT_CUDA_COMPAT_H

// nvcc's cuda_runtime.h includes these in full; what they bring into the global
// namespace (isnan, modf, ...) is used without an #include of one's own.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

// `#if __CUDACC__` is written as often as `#ifdef`; nvcc defines it as 1, the
// wrapper as nothing.
#undef __CUDACC__
#define __CUDACC__ 1

// Seen by the user's files only (see NvccMacros): CCCL and the toolkit's own
// headers must know clang for what it is.
#define __WARPLINT_NVCC 1
#define __WARPLINT_CUDACC_VER_MAJOR (CUDA_VERSION / 1000)
#define __WARPLINT_CUDACC_VER_MINOR (CUDA_VERSION % 1000 / 10)
#define __WARPLINT_CUDACC_VER_BUILD 0

// CUDA's header hides a managed variable behind an attribute that clang knows
// for HIP alone. To the device it is a variable in global memory.
#undef __managed__
#define __managed__ __device__

// Questions about nvcc's own lambda types: clang has none such.
#define __nv_is_extended_device_lambda_closure_type(T) false
#define __nv_is_extended_host_device_lambda_closure_type(T) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(T) false

//===--- min, max on the host ----------------------------------------------===//

// math_functions.hpp has these for both sides; the wrapper takes the device's.
// Operands of two types are converted to the type that C's arithmetic gives.
#define __WARPLINT_MINMAX(R, A, B)                                             \
  static inline __host__ R min(const A __a, const B __b) {                     \
    return (R)__a < (R)__b ? (R)__a : (R)__b;                                  \
  }                                                                            \
  static inline __host__ R max(const A __a, const B __b) {                     \
    return (R)__a > (R)__b ? (R)__a : (R)__b;                                  \
  }
#define __WARPLINT_MINMAX_INTEGERS(S, U)                                       \
  __WARPLINT_MINMAX(S, S, S)                                                   \
  __WARPLINT_MINMAX(U, U, U)                                                   \
  __WARPLINT_MINMAX(U, S, U)                                                   \
  __WARPLINT_MINMAX(U, U, S)
__WARPLINT_MINMAX_INTEGERS(int, unsigned int)
__WARPLINT_MINMAX_INTEGERS(long, unsigned long)
__WARPLINT_MINMAX_INTEGERS(long long, unsigned long long)
__WARPLINT_MINMAX(float, float, float)
__WARPLINT_MINMAX(double, double, double)
__WARPLINT_MINMAX(double, float, double)
__WARPLINT_MINMAX(double, double, float)
#undef __WARPLINT_MINMAX_INTEGERS
#undef __WARPLINT_MINMAX

static inline __host__ void sincos(float __a, float *__s, float *__c) {
  sincosf(__a, __s, __c);
}

//===--- Loads and stores with a cache operator ----------------------------===//

// Clang has some of these as inline PTX and lacks the others. They are accesses
// to global memory like any; volatile, because ptxas merges none with its
// neighbours, and through a type that may alias, because the operand's own type
// may be a record (float4).
namespace __warplint {
template <class __T> struct __same {
  typedef __T __type;
};
template <int __Bytes> struct __bits;
template <> struct __bits<1> {
  typedef unsigned char __attribute__((may_alias)) __type;
};
template <> struct __bits<2> {
  typedef unsigned short __attribute__((may_alias)) __type;
};
template <> struct __bits<4> {
  typedef unsigned int __attribute__((may_alias)) __type;
};
template <> struct __bits<8> {
  typedef unsigned long long __attribute__((may_alias)) __type;
};
template <> struct __bits<16> {
  typedef unsigned int __attribute__((ext_vector_type(4), may_alias)) __type;
};
template <> struct __bits<32> {
  typedef unsigned int __attribute__((ext_vector_type(8), may_alias)) __type;
};
template <class __T> inline __device__ __T __load(const __T *__p) {
  typedef typename __bits<sizeof(__T)>::__type __B;
  __B __b = *(const volatile __attribute__((address_space(1))) __B *)__p;
  return __builtin_bit_cast(__T, __b);
}
template <class __T> inline __device__ void __store(__T *__p, __T __v) {
  typedef typename __bits<sizeof(__T)>::__type __B;
  *(volatile __attribute__((address_space(1))) __B *)__p =
      __builtin_bit_cast(__B, __v);
}
} // namespace __warplint

// New names, as clang's own overloads of the old ones would be preferred.
// Headers that overload them further (cuda_fp16.hpp) follow the macro.
#define __WARPLINT_LOAD(N)                                                     \
  template <class __T> inline __device__ __T N(const __T *__p) {               \
    return __warplint::__load(__p);                                            \
  }
#define __WARPLINT_STORE(N)                                                    \
  template <class __T>                                                         \
  inline __device__ void N(__T *__p,                                           \
                           typename __warplint::__same<__T>::__type __v) {     \
    __warplint::__store(__p, __v);                                             \
  }
__WARPLINT_LOAD(__warplint_ldca)
__WARPLINT_LOAD(__warplint_ldcg)
__WARPLINT_LOAD(__warplint_ldcs)
__WARPLINT_LOAD(__warplint_ldcv)
__WARPLINT_LOAD(__warplint_ldlu)
__WARPLINT_STORE(__warplint_stcg)
__WARPLINT_STORE(__warplint_stcs)
__WARPLINT_STORE(__warplint_stwb)
__WARPLINT_STORE(__warplint_stwt)
#undef __WARPLINT_LOAD
#undef __WARPLINT_STORE
#define __ldca __warplint_ldca
#define __ldcg __warplint_ldcg
#define __ldcs __warplint_ldcs
#define __ldcv __warplint_ldcv
#define __ldlu __warplint_ldlu
#define __stcg __warplint_stcg
#define __stcs __warplint_stcs
#define __stwb __warplint_stwb
#define __stwt __warplint_stwt

//===--- nvcc's atomic built-ins -------------------------------------------===//

// In crt/device_functions.h, in a part that the wrapper skips.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

// The order and the scope decide nothing about which bytes are accessed, and as
// run-time values they would make clang emit one access for each order.
#define __WARPLINT_FETCH(N, B)                                                 \
  template <class __T>                                                         \
  inline __device__ __T __nv_atomic_fetch_##N(                                 \
      __T *__p, typename __warplint::__same<__T>::__type __v, int,             \
      int = __NV_THREAD_SCOPE_SYSTEM) {                                        \
    return B(__p, __v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);               \
  }                                                                            \
  template <class __T>                                                         \
  inline __device__ void __nv_atomic_##N(                                      \
      __T *__p, typename __warplint::__same<__T>::__type __v, int,             \
      int = __NV_THREAD_SCOPE_SYSTEM) {                                        \
    (void)B(__p, __v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);                \
  }
__WARPLINT_FETCH(add, __scoped_atomic_fetch_add)
__WARPLINT_FETCH(sub, __scoped_atomic_fetch_sub)
__WARPLINT_FETCH(and, __scoped_atomic_fetch_and)
__WARPLINT_FETCH(or, __scoped_atomic_fetch_or)
__WARPLINT_FETCH(xor, __scoped_atomic_fetch_xor)
__WARPLINT_FETCH(min, __scoped_atomic_fetch_min)
__WARPLINT_FETCH(max, __scoped_atomic_fetch_max)
#undef __WARPLINT_FETCH

template <class __T>
inline __device__ void __nv_atomic_load(const __T *__p, __T *__r, int,
                                        int = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_load((__T *)__p, __r, __ATOMIC_RELAXED,
                       __MEMORY_SCOPE_DEVICE);
}
template <class __T>
inline __device__ __T __nv_atomic_load_n(const __T *__p, int,
                                         int = __NV_THREAD_SCOPE_SYSTEM) {
  __T __r;
  __nv_atomic_load(__p, &__r, __NV_ATOMIC_RELAXED);
  return __r;
}
template <class __T>
inline __device__ void __nv_atomic_store(__T *__p, __T *__v, int,
                                         int = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_store(__p, __v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
template <class __T>
inline __device__ void
__nv_atomic_store_n(__T *__p, typename __warplint::__same<__T>::__type __v, int,
                    int = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store(__p, &__v, __NV_ATOMIC_RELAXED);
}
template <class __T>
inline __device__ void __nv_atomic_exchange(__T *__p, __T *__v, __T *__r, int,
                                            int = __NV_THREAD_SCOPE_SYSTEM) {
  __scoped_atomic_exchange(__p, __v, __r, __ATOMIC_RELAXED,
                           __MEMORY_SCOPE_DEVICE);
}
template <class __T>
inline __device__ __T __nv_atomic_exchange_n(
    __T *__p, typename __warplint::__same<__T>::__type __v, int,
    int = __NV_THREAD_SCOPE_SYSTEM) {
  __T __r;
  __nv_atomic_exchange(__p, &__v, &__r, __NV_ATOMIC_RELAXED);
  return __r;
}
template <class __T>
inline __device__ bool
__nv_atomic_compare_exchange(__T *__p, __T *__expected, __T *__desired, bool,
                             int, int, int = __NV_THREAD_SCOPE_SYSTEM) {
  return __scoped_atomic_compare_exchange(__p, __expected, __desired, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                          __MEMORY_SCOPE_DEVICE);
}
template <class __T>
inline __device__ bool __nv_atomic_compare_exchange_n(
    __T *__p, __T *__expected,
    typename __warplint::__same<__T>::__type __desired, bool, int, int,
    int = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange(__p, __expected, &__desired, false,
                                      __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
}
inline __device__ void __nv_atomic_thread_fence(int,
                                                int = __NV_THREAD_SCOPE_SYSTEM) {
  __threadfence_system();
}

//===--- Others that the wrapper leaves out --------------------------------===//

// An event counter for profilers.
#define __prof_trigger(N) ((void)0)

// What `__shared__` becomes before an object with a constructor, which clang
// would refuse and nvcc does not run (lib/Driver/NvccText.h).
#define _WL_OBJECT extern __attribute__((shared))

// An attribute that nvcc does not know (lib/Driver/NvccMacros.cpp).
#define __WARPLINT_NO_ATTRIBUTE(Arguments)

#endif // WARPLINT_CUDA_COMPAT_H
