// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// A block's sum by atomicAdd of every thread on one int of shared memory, or by
// shuffles first. The compiler sees the first to the same end: neither is
// flagged.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24, Threads = 256;

__global__ void sums_by_atomics(int *__restrict__ out,
                                const int *__restrict__ in) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    // expect: shared store at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    sum = 0;
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int v = in[blockIdx.x * Threads + threadIdx.x] >> 8;
  // nvcc adds up the warp (REDUX), and one lane asks for the sum.
  // expect: shared atomic at 0 if lane == 0: 1 wavefront, ideal 1; 1 lanes; clean
  atomicAdd(&sum, v);
  __syncthreads();
  if (threadIdx.x == 0) {
    // expect: shared load at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    // expect: global store at 4*b for b in range(4) if tid == 0: 1 sector, ideal 1; 1 lanes
    out[blockIdx.x] = sum;
  }
}

__global__ void sums_by_shuffles(int *__restrict__ out,
                                 const int *__restrict__ in) {
  __shared__ int sum;
  if (threadIdx.x == 0) {
    // expect: shared store at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    sum = 0;
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  int v = in[blockIdx.x * Threads + threadIdx.x] >> 8;
  for (int o = 16; o > 0; o >>= 1)
    v += __shfl_down_sync(0xffffffffu, v, o);
  if (threadIdx.x % 32 == 0) {
    // expect: shared atomic at 0 if lane == 0: 1 wavefront, ideal 1; 1 lanes
    atomicAdd(&sum, v);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    // expect: shared load at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    // expect: global store at 4*b for b in range(4) if tid == 0: 1 sector, ideal 1; 1 lanes
    out[blockIdx.x] = sum;
  }
}

void slow(int *out, const int *in) {
  sums_by_atomics<<<N / Threads, Threads>>>(out, in);
}
void fast(int *out, const int *in) {
  sums_by_shuffles<<<N / Threads, Threads>>>(out, in);
}
void reference(int *out, const int *in) {
  for (int i = 0; i < N; ++i)
    out[i / Threads] += in[i] >> 8;
}

corpus::Enlisted pair =
    corpus::pair("atomics/sum_in_shared", slow, fast, reference)
        .output(N / Threads)
        .input<0>(N);

} // namespace
