// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A vector with an increment, as BLAS has them. The increment is an argument
// that only the caller knows: the stride has a name and no number.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

template <class T>
__global__ void scal(int n, T alpha, const T *__restrict__ x, int incx,
                     T *__restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load at 64*tid: 32 guessed sectors, ideal 4; strided; because symbolic-stride; warns strided-access
    const T v = x[i * incx];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    y[i] = alpha * v;
  }
}

template <class T>
__global__ void scal_contiguous(int n, T alpha, const T *__restrict__ x,
                                T *__restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    const T v = x[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    y[i] = alpha * v;
  }
}

void slow(float *out, const float *x) {
  scal<<<N / 256, 256>>>(N, 2.f, x, corpus::atRunTime(16), out);
}
void fast(float *out, const float *x) {
  scal_contiguous<<<N / 256, 256>>>(N, 2.f, x, out);
}
void reference(float *out, const float *x) {
  for (int i = 0; i < N; ++i)
    out[i] = 2.f * x[16 * i];
}
void packed(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[16 * i];
}

corpus::Enlisted pair =
    corpus::pair("stride/leading_dimension", slow, fast, reference)
        .output(N)
        .input<0>(16 * N)
        .layout<corpus::Fast, 0>(N, packed);

} // namespace
