// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// A weight a lane, turned on by one each round: 32 addresses, 32 passes of the
// constant cache, and one wavefront of shared memory.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23, Size = 256, Rounds = 32;

struct Coefficients {
  float values[Size];
};
__constant__ Coefficients table;

// The index of lookup k of thread t.
__host__ __device__ constexpr int which(int t, int k) { return (t + k) % 256; }

__global__ void weigh(float *__restrict__ out, const float *__restrict__ in) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    // expect: constant load at 4*((tid + k) % 256) for k in range(32): 32 wavefronts, ideal 1; warns divergent-constant
    sum = 0.5f * sum + table.values[which(t, k)] * v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

__global__ void weigh_shared(float *__restrict__ out,
                             const float *__restrict__ in,
                             const float *__restrict__ weights) {
  __shared__ float values[Size];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < Size) {
    // expect: global load at 4*tid if tid < 256: 4 sectors, ideal 4; coalesced
    // expect: shared store at 4*tid if tid < 256: 1 wavefront, ideal 1; conflict-free
    values[t] = weights[t];
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    // expect: shared load at 4*((tid + k) % 256) for k in range(32): 1 wavefront, ideal 1; conflict-free
    sum = 0.5f * sum + values[which(t, k)] * v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

void slow(float *out, const float *in, const float *weights) {
  cudaMemcpyToSymbolAsync(table, weights, sizeof(Coefficients), 0,
                          cudaMemcpyDeviceToDevice);
  weigh<<<N / 256, 256>>>(out, in);
}
void fast(float *out, const float *in, const float *weights) {
  weigh_shared<<<N / 256, 256>>>(out, in, weights);
}
void reference(float *out, const float *in, const float *weights) {
  for (int i = 0; i < N; ++i) {
    float sum = 0.f;
    for (int k = 0; k < Rounds; ++k)
      sum = 0.5f * sum + weights[which(i % 256, k)] * in[i];
    out[i] = sum;
  }
}

corpus::Enlisted pair =
    corpus::pair("constant/lane_weights", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(Size);

} // namespace
