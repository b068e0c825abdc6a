// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 32 bins for each thread of a warp, no atomics. [thread][bin]: all lanes' bins
// lie 32 words apart, so that lanes meet in a bank when their data agrees;
// [bin][thread]: a bank a lane, whatever the data.

#include "../harness.cuh"

namespace {

constexpr int Blocks = 1 << 13, Each = 64, Bins = 32;

template <bool BankALane> struct Private {
  unsigned counts[Bins * 32];
  __device__ unsigned &of(unsigned bin, unsigned lane) {
    return counts[BankALane ? bin * 32 + lane : lane * Bins + bin];
  }
};

// block: 32
template <bool BankALane>
__global__ void distribution(unsigned *__restrict__ out,
                             const unsigned *__restrict__ in) {
  __shared__ Private<BankALane> bins;
  const unsigned lane = threadIdx.x;
#pragma unroll 1
  for (int b = 0; b < Bins; ++b) {
    // expect(<true>): shared store at 128*b + 4*lane for b in range(32): 1 wavefront, ideal 1; conflict-free
    // expect(<false>): shared store at 128*lane + 4*b for b in range(32): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    bins.of(b, lane) = 0;
  }
#pragma unroll 1
  for (int k = 0; k < Each; ++k) {
    // expect: global load at 128*k + 4*lane for k in range(64): 4 sectors, ideal 4; coalesced
    const unsigned bin = in[(blockIdx.x * Each + k) * 32 + lane] % Bins;
    // expect(<true>): shared load: 1 wavefront, ideal 1; conflict-free
    // expect(<false>): shared load: 1..32 wavefronts, ideal 1; indirect; because data-dependent-address
    const unsigned count = bins.of(bin, lane);
    // expect(<true>): shared store: 1 wavefront, ideal 1; conflict-free
    // expect(<false>): shared store: 1..32 wavefronts, ideal 1; indirect; because data-dependent-address
    bins.of(bin, lane) = count + 1;
  }
  __syncwarp();
  unsigned sum = 0;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) {
    const unsigned from = (k + lane) % 32;
    // expect(<true>): shared load at 128*lane + 4*((k + lane) % 32) for k in range(32): 1 wavefront, ideal 1; conflict-free
    // expect(<false>): shared load at 128*((k + lane) % 32) + 4*lane for k in range(32): 1 wavefront, ideal 1; conflict-free
    sum += bins.of(lane, from);
  }
  // expect: global store at 4*lane: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * Bins + lane] = sum;
}

void slow(unsigned *out, const unsigned *in) {
  distribution<false><<<Blocks, 32>>>(out, in);
}
void fast(unsigned *out, const unsigned *in) {
  distribution<true><<<Blocks, 32>>>(out, in);
}
void reference(unsigned *out, const unsigned *in) {
  for (int b = 0; b < Blocks; ++b)
    for (int i = 0; i < Each * 32; ++i)
      ++out[b * Bins + in[b * Each * 32 + i] % Bins];
}

corpus::Enlisted pair =
    corpus::pair("histogram/private_bins", slow, fast, reference)
        .output(Blocks * Bins)
        .input<0>(Blocks * Each * 32);

} // namespace
