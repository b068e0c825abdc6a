// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Three taps in turn, by the lane's index modulo 3: three addresses a warp.
// From shared memory one wavefront.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23, Size = 96, Rounds = 24;

struct Taps {
  float values[Size];
};
__constant__ Taps taps;

__host__ __device__ constexpr int tap(int t, int k) { return t % 3 + 3 * k; }

__global__ void apply(float *__restrict__ out, const float *__restrict__ in) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    // expect: constant load at 4*(tid % 3 + 3*k) for k in range(24): 3 wavefronts, ideal 1; warns divergent-constant
    sum = 0.25f * sum + taps.values[tap(t, k)] * v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}
__global__ void apply_shared(float *__restrict__ out,
                             const float *__restrict__ in,
                             const float *__restrict__ from) {
  __shared__ float values[Size];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < Size) {
    // expect: global load at 4*tid if tid < 96: 4 sectors, ideal 4; coalesced
    // expect: shared store at 4*tid if tid < 96: 1 wavefront, ideal 1; conflict-free
    values[t] = from[t];
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    // expect: shared load at 4*(tid % 3 + 3*k) for k in range(24): 1 wavefront, ideal 1; conflict-free
    sum = 0.25f * sum + values[tap(t, k)] * v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

void slow(float *out, const float *in, const float *from) {
  cudaMemcpyToSymbolAsync(taps, from, sizeof(Taps), 0,
                          cudaMemcpyDeviceToDevice);
  apply<<<N / 256, 256>>>(out, in);
}
void fast(float *out, const float *in, const float *from) {
  apply_shared<<<N / 256, 256>>>(out, in, from);
}
void reference(float *out, const float *in, const float *from) {
  for (int i = 0; i < N; ++i) {
    float sum = 0.f;
    for (int k = 0; k < Rounds; ++k)
      sum = 0.25f * sum + from[tap(i % 256, k)] * in[i];
    out[i] = sum;
  }
}

corpus::Enlisted pair =
    corpus::pair("constant/remainder_taps", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(Size);

} // namespace
