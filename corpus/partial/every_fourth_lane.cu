// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lanes that drop out help nothing when those left stay apart: lanes 0, 4, 8
// ... read 8 floats, 16 bytes apart, so 4 sectors bring 32 bytes used.

__global__ void quad_leaders(const float *__restrict__ in,
                             float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x & 3) == 0) {
    // expect: global load at 4*tid if lane % 4 == 0: 4 sectors, ideal 1; strided; 8 lanes; warns strided-access
    const float v = in[i];
    // expect: global store at tid if lane % 4 == 0: 1 sector, ideal 1; coalesced; 8 lanes
    out[i / 4] = v;
  }
}

void run(const float *in, float *out) { quad_leaders<<<16, 256>>>(in, out); }
