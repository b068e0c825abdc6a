// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The up-sweep of a scan over 512 floats a block: the sum of each aligned run
// of 2^k is left at its end. Steps of 2^k words share banks; an index that
// skips a word after every 32 spreads them.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25, Elements = 512, Threads = Elements / 2;

struct Plain {
  __device__ static int at(int i) { return i; }
};
struct Skipping {
  __device__ static int at(int i) { return i + (i >> 5); }
};

template <class Place>
__global__ void up_sweep(float *__restrict__ out,
                         const float *__restrict__ in) {
  __shared__ float s[Elements + Elements / 32];
  const int t = threadIdx.x, first = blockIdx.x * Elements;
#pragma unroll
  for (int i = t; i < Elements; i += Threads) {
    // expect: global load at 4*(tid + 256*k) for k in (0, 1): 4 sectors, ideal 4; coalesced
    // expect(Plain>): shared store at 4*(tid + 256*k) for k in (0, 1): 1 wavefront, ideal 1; conflict-free
    // expect(Skipping>): shared store at 4*(tid + 256*k + (tid + 256*k)//32) for k in (0, 1): 1 wavefront, ideal 1; conflict-free
    s[Place::at(i)] = in[first + i];
  }
#pragma unroll 1
  for (int d = 1; d < Elements; d *= 2) {
    __syncthreads();
    if (t < Elements / 2 / d) {
      const int right = Place::at(d * (2 * t + 2) - 1);
      // expect(Plain>): shared load at 4*(d*(2*tid + 1) - 1) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256) if tid < 256//d: 4.7500 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      // expect(Skipping>): shared load at 4*((d*(2*tid + 1) - 1) + (d*(2*tid + 1) - 1)//32) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256) if tid < 256//d: 1.0000 in 1..1 wavefronts, ideal 1; conflict-free
      const float l = s[Place::at(d * (2 * t + 1) - 1)];
      // expect(Plain>): shared load at 4*(d*(2*tid + 2) - 1) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256) if tid < 256//d: 4.7500 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      // expect(Skipping>): shared load at 4*((d*(2*tid + 2) - 1) + (d*(2*tid + 2) - 1)//32) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256) if tid < 256//d: 1.0000 in 1..1 wavefronts, ideal 1; conflict-free
      const float r = s[right];
      // expect(Plain>): shared store at 4*(d*(2*tid + 2) - 1) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256) if tid < 256//d: 4.7500 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      // expect(Skipping>): shared store at 4*((d*(2*tid + 2) - 1) + (d*(2*tid + 2) - 1)//32) for d in (1, 2, 4, 8, 16, 32, 64, 128, 256) if tid < 256//d: 1.0000 in 1..1 wavefronts, ideal 1; conflict-free
      s[right] = l + r;
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = t; i < Elements; i += Threads) {
    // expect(Plain>): shared load at 4*(tid + 256*k) for k in (0, 1): 1 wavefront, ideal 1; conflict-free
    // expect(Skipping>): shared load at 4*(tid + 256*k + (tid + 256*k)//32) for k in (0, 1): 1 wavefront, ideal 1; conflict-free
    // expect: global store at 4*(tid + 256*k) for k in (0, 1): 4 sectors, ideal 4; coalesced
    out[first + i] = s[Place::at(i)];
  }
}

void slow(float *out, const float *in) {
  up_sweep<Plain><<<N / Elements, Threads>>>(out, in);
}
void fast(float *out, const float *in) {
  up_sweep<Skipping><<<N / Elements, Threads>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int b = 0; b < N; b += Elements) {
    for (int i = 0; i < Elements; ++i)
      out[b + i] = in[b + i];
    for (int d = 1; d < Elements; d *= 2)
      for (int i = 2 * d - 1; i < Elements; i += 2 * d)
        out[b + i] += out[b + i - d];
  }
}

corpus::Enlisted pair =
    corpus::pair("reduction/scan_offsets", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
