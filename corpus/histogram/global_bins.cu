// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A histogram of 256 bins: every element adds to the bins in global memory, or
// to a copy in the block's shared memory, which is added up at the end.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24, Bins = 256, Each = 64;

// block: 256
__global__ void histogram_global(unsigned *__restrict__ bins,
                                 const unsigned char *__restrict__ in) {
  const int first = blockIdx.x * blockDim.x * Each + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < Each; ++k) {
    // expect: global load 1-byte at tid + 256*k for k in range(64): 1 sector, ideal 1; coalesced
    const unsigned bin = in[first + k * blockDim.x];
    // expect: global atomic: 1..32 sectors, ideal 4; indirect; because data-dependent-address
    atomicAdd(&bins[bin], 1u);
  }
}

__global__ void histogram_shared(unsigned *__restrict__ bins,
                                 const unsigned char *__restrict__ in) {
  __shared__ unsigned counts[Bins];
  const int t = threadIdx.x, first = blockIdx.x * blockDim.x * Each + t;
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  counts[t] = 0;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < Each; ++k) {
    // expect: global load 1-byte at tid + 256*k for k in range(64): 1 sector, ideal 1; coalesced
    const unsigned bin = in[first + k * blockDim.x];
    // expect: shared atomic: 1..32 wavefronts, ideal 1; because data-dependent-address
    atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global atomic at 4*tid: 4 sectors, ideal 4; coalesced
  atomicAdd(&bins[t], counts[t]);
}

void slow(unsigned *bins, const unsigned char *in) {
  histogram_global<<<N / 256 / Each, 256>>>(bins, in);
}
void fast(unsigned *bins, const unsigned char *in) {
  histogram_shared<<<N / 256 / Each, 256>>>(bins, in);
}
void reference(unsigned *bins, const unsigned char *in) {
  for (int i = 0; i < N; ++i)
    ++bins[in[i]];
}

corpus::Enlisted pair =
    corpus::pair("histogram/global_bins", slow, fast, reference)
        .output(Bins)
        .input<0>(N)
        .zeroed();

} // namespace
