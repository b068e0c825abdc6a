// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Squared length of vectors with 16 components, a thread a vector: each request
// spreads over 32 sectors, and the next seven find them in the cache.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 21, Dimensions = 16;

template <int VectorStep, int ComponentStep>
__global__ void squared(float *__restrict__ out, const float *__restrict__ v) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
#pragma unroll 1
  for (int d = 0; d < Dimensions; ++d) {
    // expect(<16): global load at 64*tid + 4*d for d in range(16): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<1,): global load at 4*tid + 4*(1 << 21)*d for d in range(16): 4 sectors, ideal 4; coalesced
    const float c = v[i * VectorStep + d * ComponentStep];
    sum += c * c;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

void slow(float *out, const float *v) {
  squared<Dimensions, 1><<<N / 256, 256>>>(out, v);
}
void fast(float *out, const float *v) {
  squared<1, N><<<N / 256, 256>>>(out, v);
}
void reference(float *out, const float *v) {
  for (int i = 0; i < N; ++i) {
    out[i] = 0;
    for (int d = 0; d < Dimensions; ++d)
      out[i] += v[i * Dimensions + d] * v[i * Dimensions + d];
  }
}
void by_component(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    for (int d = 0; d < Dimensions; ++d)
      to[d * N + i] = from[i * Dimensions + d];
}

corpus::Enlisted pair =
    corpus::pair("walks/distances", slow, fast, reference)
        .output(N)
        .input<0>(N * Dimensions)
        .layout<corpus::Fast, 0>(N * Dimensions, by_component);

} // namespace
