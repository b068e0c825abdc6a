// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A queue of eight floats a thread in shared memory, visited again and again:
// [thread][place] puts lanes eight words apart, [place][thread] side by side.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22, Threads = 256, Places = 8, Rounds = 32;

struct ByThread {
  __device__ static int at(int place, int thread) {
    return thread * Places + place;
  }
};
struct ByPlace {
  __device__ static int at(int place, int thread) {
    return place * Threads + thread;
  }
};

template <class Layout>
__global__ void delay_line(float *__restrict__ out,
                           const float *__restrict__ in) {
  __shared__ float line[Places * Threads];
  const int t = threadIdx.x, i = blockIdx.x * Threads + t;
#pragma unroll
  for (int p = 0; p < Places; ++p) {
    // expect(ByThread): shared store 16-byte at 32*tid + 16*p for p in (0, 1): 8 wavefronts, ideal 4; conflict; warns shared-bank-conflict
    // expect(ByPlace): shared store at 1024*p + 4*tid for p in range(8): 1 wavefront, ideal 1; conflict-free
    line[Layout::at(p, t)] = float(p);
  }
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  float v = in[i];
#pragma unroll 1
  for (int r = 0; r < Rounds; ++r) {
    // expect(ByThread): shared load at 32*tid + 4*(r % 8) for r in range(32): 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(ByPlace): shared load at 1024*(r % 8) + 4*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    const float old = line[Layout::at(r % Places, t)];
    // expect(ByThread): shared store at 32*tid + 4*(r % 8) for r in range(32): 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(ByPlace): shared store at 1024*(r % 8) + 4*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    line[Layout::at(r % Places, t)] = v;
    v = 0.5f * v + 0.25f * old;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

void slow(float *out, const float *in) {
  delay_line<ByThread><<<N / Threads, Threads>>>(out, in);
}
void fast(float *out, const float *in) {
  delay_line<ByPlace><<<N / Threads, Threads>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i) {
    float line[Places], v = in[i];
    for (int p = 0; p < Places; ++p)
      line[p] = p;
    for (int r = 0; r < Rounds; ++r) {
      const float old = line[r % Places];
      line[r % Places] = v;
      v = 0.5f * v + 0.25f * old;
    }
    out[i] = v;
  }
}

corpus::Enlisted pair = corpus::pair("shared/delay_line", slow, fast, reference)
                            .output(N)
                            .input<0>(N);

} // namespace
