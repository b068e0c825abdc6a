// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Idle lanes take no bank: of a 32-way column only 8 lanes take part, so 8
// wavefronts. Staging a strided read through shared memory leaves the global
// read as strided as it was.

// block: 32
__global__ void column_head(const float *__restrict__ in,
                            float *__restrict__ out) {
  __shared__ float s[32 * 32];
  const int t = threadIdx.x;
  for (int r = 0; r < 32; ++r) {
    // expect: global load at 128*tid + 4*r for r in range(32): 32 sectors, ideal 4; strided; warns strided-access
    const float v = in[32 * t + r];
    // expect: shared store at 128*r + 4*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    s[32 * r + t] = v;
  }
  __syncthreads();
  if (t < 8) {
    // expect: shared load at 128*tid if tid < 8: 8 wavefronts, ideal 1; conflict; 8 lanes; warns shared-bank-conflict
    const float v = s[32 * t];
    // expect: global store at 4*tid if tid < 8: 1 sector, ideal 1; coalesced; 8 lanes
    out[t] = v;
  }
}

void run(const float *in, float *out) { column_head<<<1, 32>>>(in, out); }
