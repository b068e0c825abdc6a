// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 64 bins of a block in shared memory, each at the start of 128 bytes so that
// all share a bank, or packed. The bins are data.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24, Bins = 64, Each = 64;

// block: 256
template <int Pitch>
__global__ void count(unsigned *__restrict__ bins,
                      const unsigned char *__restrict__ in) {
  __shared__ unsigned counts[Bins * Pitch];
  const int t = threadIdx.x, first = blockIdx.x * blockDim.x * Each + t;
  if (t < Bins) {
    // expect(<32>): shared store at 128*tid if tid < 64: 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<1>): shared store at 4*tid if tid < 64: 1 wavefront, ideal 1; conflict-free
    counts[t * Pitch] = 0;
  }
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < Each; ++k) {
    // expect: global load 1-byte at tid + 256*k for k in range(64): 1 sector, ideal 1; coalesced
    const unsigned bin = in[first + k * blockDim.x] % Bins;
    // expect: shared atomic: 1..32 wavefronts, ideal 1; because data-dependent-address
    atomicAdd(&counts[bin * Pitch], 1u);
  }
  __syncthreads();
  if (t < Bins) {
    // expect(<32>): shared load at 128*tid if tid < 64: 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<1>): shared load at 4*tid if tid < 64: 1 wavefront, ideal 1; conflict-free
    // expect: global atomic at 4*tid if tid < 64: 4 sectors, ideal 4; coalesced
    atomicAdd(&bins[t], counts[t * Pitch]);
  }
}

void slow(unsigned *bins, const unsigned char *in) {
  count<32><<<N / 256 / Each, 256>>>(bins, in);
}
void fast(unsigned *bins, const unsigned char *in) {
  count<1><<<N / 256 / Each, 256>>>(bins, in);
}
void reference(unsigned *bins, const unsigned char *in) {
  for (int i = 0; i < N; ++i)
    ++bins[in[i] % Bins];
}

corpus::Enlisted pair =
    corpus::pair("histogram/wide_bins", slow, fast, reference)
        .output(Bins)
        .input<0>(N)
        .zeroed();

} // namespace
