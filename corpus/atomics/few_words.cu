// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lanes add what they have to 4 or to 32 sums of their block: lanes on one word
// wait for each other.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24, Each = 32, Block = 256;

template <int Slots>
__global__ void spread(unsigned *__restrict__ sums,
                       const unsigned *__restrict__ in) {
  __shared__ unsigned partial[Slots];
  const int t = threadIdx.x, first = blockIdx.x * Block * Each + t;
  if (t < Slots) {
    // expect(<4>): shared store at 4*tid if tid < 4: 1 wavefront, ideal 1; conflict-free
    // expect(<32>): shared store at 4*tid if tid < 32: 1 wavefront, ideal 1; conflict-free
    partial[t] = 0;
  }
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < Each; ++k) {
    // expect: global load at 4*tid + 1024*k for k in range(32): 4 sectors, ideal 4; coalesced
    const unsigned v = in[first + k * Block];
    // expect(<4>): shared atomic at 4*(tid%4): 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<32>): shared atomic at 4*(tid%32): 1 wavefront, ideal 1; conflict-free
    atomicAdd(&partial[t % Slots], v >> 8);
  }
  __syncthreads();
  if (t < 4) {
    unsigned sum = 0;
#pragma unroll
    for (int k = t; k < Slots; k += 4) {
      // expect(<4>): shared load at 4*tid if tid < 4: 1 wavefront, ideal 1; conflict-free
      // expect(<32>): shared load at 4*(tid + 4*k) for k in range(8) if tid < 4: 1 wavefront, ideal 1; conflict-free
      sum += partial[k];
    }
    // expect: global store at 4*tid + 16*b for b in range(8) if tid < 4: 1 sector, ideal 1; coalesced
    sums[blockIdx.x * 4 + t] = sum;
  }
}

void slow(unsigned *sums, const unsigned *in) {
  spread<4><<<N / Block / Each, Block>>>(sums, in);
}
void fast(unsigned *sums, const unsigned *in) {
  spread<32><<<N / Block / Each, Block>>>(sums, in);
}
void reference(unsigned *sums, const unsigned *in) {
  for (int i = 0; i < N; ++i)
    sums[i / (Block * Each) * 4 + i % 4] += in[i] >> 8;
}

corpus::Enlisted pair = corpus::pair("atomics/few_words", slow, fast, reference)
                            .output(N / Block / Each * 4)
                            .input<0>(N);

} // namespace
