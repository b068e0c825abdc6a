// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The sum of a block by a tree in shared memory. Interleaved: step k works on
// s[2*k*t], strides of 2, 4, 8 ... words while lanes drop out. Sequential:
// s[t] += s[t + k], neighbouring words in every step.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 26, Threads = 256;

struct Interleaved {
  static __device__ void reduce(float *s, unsigned t) {
#pragma unroll 1
    for (unsigned k = 1; k < Threads; k *= 2) {
      const unsigned i = 2 * k * t;
      if (i < Threads) {
        // expect(Interleaved): shared load at 4*(2*k*tid) for k in (1, 2, 4, 8, 16, 32, 64, 128) if 2*k*tid < 256: 3.9167 in 1..8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
        const float mine = s[i];
        // expect(Interleaved): shared load at 4*(2*k*tid + k) for k in (1, 2, 4, 8, 16, 32, 64, 128) if 2*k*tid < 256: 3.9167 in 1..8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
        const float other = s[i + k];
        // expect(Interleaved): shared store at 4*(2*k*tid) for k in (1, 2, 4, 8, 16, 32, 64, 128) if 2*k*tid < 256: 3.9167 in 1..8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
        s[i] = mine + other;
      }
      __syncthreads();
    }
  }
};

struct Sequential {
  static __device__ void reduce(float *s, unsigned t) {
#pragma unroll 1
    for (unsigned k = Threads / 2; k > 0; k >>= 1) {
      if (t < k) {
        // expect(Sequential): shared load at 4*tid for k in (128, 64, 32, 16, 8, 4, 2, 1) if tid < k: 1 wavefront, ideal 1; conflict-free
        const float mine = s[t];
        // expect(Sequential): shared load at 4*(tid + k) for k in (128, 64, 32, 16, 8, 4, 2, 1) if tid < k: 1 wavefront, ideal 1; conflict-free
        const float other = s[t + k];
        // expect(Sequential): shared store at 4*tid for k in (128, 64, 32, 16, 8, 4, 2, 1) if tid < k: 1 wavefront, ideal 1; conflict-free
        s[t] = mine + other;
      }
      __syncthreads();
    }
  }
};

template <class Tree>
__global__ void block_sums(float *__restrict__ out,
                           const float *__restrict__ in) {
  __shared__ float s[Threads];
  const unsigned t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[blockIdx.x * Threads + t];
  __syncthreads();
  Tree::reduce(s, t);
  if (t == 0) {
    // expect: shared load at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    // expect: global store at 4*b for b in range(8) if tid == 0: 1 sector, ideal 1; 1 lanes
    out[blockIdx.x] = s[0];
  }
}

void slow(float *out, const float *in) {
  block_sums<Interleaved><<<N / Threads, Threads>>>(out, in);
}
void fast(float *out, const float *in) {
  block_sums<Sequential><<<N / Threads, Threads>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int b = 0; b < N / Threads; ++b) {
    double sum = 0;
    for (int t = 0; t < Threads; ++t)
      sum += in[b * Threads + t];
    out[b] = sum;
  }
}

corpus::Enlisted pair =
    corpus::pair("reduction/interleaved_steps", slow, fast, reference)
        .output(N / Threads)
        .input<0>(N);

} // namespace
