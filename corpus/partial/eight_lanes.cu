// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 8 of 32 lanes take part: they ask for 32 bytes and get one sector. The 24
// idle lanes issue nothing and cost nothing.

__global__ void first_quarter(const float *__restrict__ in,
                              float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 < 8) {
    // expect: global load at 4*tid if lane < 8: 1 sector, ideal 1; coalesced; 8 lanes
    const float v = in[i];
    // expect: global store at 4*tid if lane < 8: 1 sector, ideal 1; coalesced; 8 lanes
    out[i] = 2.f * v;
  }
}

void run(const float *in, float *out) { first_quarter<<<16, 256>>>(in, out); }
