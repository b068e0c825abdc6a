// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Every element counts itself in one word of global memory; or a block counts
// in shared memory first, by ballots of its warps.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

struct Positive {
  __host__ __device__ bool operator()(float v) const { return v > 0.f; }
};

template <class Predicate>
__global__ void count_each(unsigned *__restrict__ count,
                           const float *__restrict__ in, Predicate counted) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  if (counted(v)) {
    // expect: global atomic at 0: 1 sector, ideal 1; broadcast
    atomicAdd(count, 1u);
  }
}

template <class Predicate>
__global__ void count_blocks(unsigned *__restrict__ count,
                             const float *__restrict__ in, Predicate counted) {
  __shared__ unsigned partial[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  const unsigned votes = __popc(__ballot_sync(0xffffffffu, counted(v)));
  if (lane == 0) {
    // expect: shared store at 4*warp if lane == 0: 1 wavefront, ideal 1; 1 lanes
    partial[warp] = votes;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
      // expect: shared load 16-byte at 16*k for k in (0, 1) if tid == 0: 1 wavefront, ideal 1; 1 lanes
      sum += partial[w];
    }
    // expect: global atomic at 0 if tid == 0: 1 sector, ideal 1; 1 lanes
    atomicAdd(count, sum);
  }
}

void slow(unsigned *count, const float *in) {
  count_each<<<N / 256, 256>>>(count, in, Positive{});
}
void fast(unsigned *count, const float *in) {
  count_blocks<<<N / 256, 256>>>(count, in, Positive{});
}
void reference(unsigned *count, const float *in) {
  for (int i = 0; i < N; ++i)
    count[0] += Positive()(in[i]);
}

corpus::Enlisted pair =
    corpus::pair("atomics/one_counter", slow, fast, reference)
        .output(1)
        .input<0>(N)
        .zeroed();

} // namespace
