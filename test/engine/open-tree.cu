// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A tree over shared memory whose size is not known. How far apart the lanes
// are and how many of them work belong together in each step, so the best guess
// is the loop as it runs for two elements a thread, with which every thread of
// the block has work in the first step: of 512 elements here.

// block: 256
__global__ void scan(const float *__restrict__ in, float *__restrict__ out,
                     int n) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[t];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      // expect: shared load 's[ai]' at 4*((256//d)*(2*tid + 1) - 1) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 4.75 guessed wavefronts, ideal 1; unknown; because arithmetic; 25.55 lanes
      // expect: shared load 's[bi]' at 4*((256//d)*(2*tid + 2) - 1) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 4.75 guessed wavefronts, ideal 1; unknown; because arithmetic; 25.55 lanes
      // expect: shared store at 4*((256//d)*(2*tid + 2) - 1) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 4.75 guessed wavefronts, ideal 1; unknown; because arithmetic; 25.55 lanes
      s[bi] = s[ai] + s[bi];
    }
    offset *= 2;
  }
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[t];
}

// The size comes out of memory; the lanes are neighbours in every step.
// block: 64
__global__ void reduce(const int *__restrict__ size, float *__restrict__ out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = t;
  // expect: global load at 0: 1 sector, ideal 1; broadcast
  for (int d = *size / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      // expect: shared load 's[t]' at 4*tid for d in (64, 32, 16, 8, 4, 2, 1) if tid < d: 1 wavefront, ideal 1; conflict-free
      // expect: shared load 's[t + d]' at 4*(tid + d) for d in (64, 32, 16, 8, 4, 2, 1) if tid < d: 1 wavefront, ideal 1; conflict-free
      // expect: shared store at 4*tid for d in (64, 32, 16, 8, 4, 2, 1) if tid < d: 1 wavefront, ideal 1; conflict-free
      s[t] = s[t] + s[t + d];
  }
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[t];
}

void run(const float *in, const int *size, float *out, int n) {
  scan<<<1, 256>>>(in, out, n);
  reduce<<<1, 64>>>(size, out);
}
