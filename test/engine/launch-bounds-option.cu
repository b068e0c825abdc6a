// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s --block=16,16
//
// The shape the user gives is the shape that is judged: a warp is two rows
// of 16.

// block: 16x16
extern "C" __global__ void shaped(const float *__restrict__ in,
                                  float *__restrict__ out) {
  __shared__ float s[16][33];
  const int x = threadIdx.x, y = threadIdx.y;
  // expect: global load at 256*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[64 * y + x];
  // Rows 33 words apart, 16 wide: banks 0..15 and 1..16, so 15 of them twice.
  // expect: shared store at 132*y + 4*x: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  s[y][x] = v;
  __syncthreads();
  // expect: shared load at 132*x + 4*y: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float w = s[x][y];
  // expect: global store at 64*y + 4*x: 4 sectors, ideal 4; coalesced
  out[16 * y + x] = w;
}
