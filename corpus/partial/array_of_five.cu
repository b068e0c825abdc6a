// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Five floats behind a bounds check, one warp: 20 bytes in one sector. 62.5 %
// of it is used, but fewer than one sector there is not.

// block: 32
__global__ void scale_coefficients(float *c, float f) {
  constexpr unsigned Count = 5;
  const unsigned i = threadIdx.x;
  if (i >= Count)
    return;
  // expect: global load at 4*tid if tid < 5: 1 sector, ideal 1; coalesced; 5 lanes
  const float v = c[i];
  // expect: global store at 4*tid if tid < 5: 1 sector, ideal 1; coalesced; 5 lanes
  c[i] = f * v;
}

void run(float *c) { scale_coefficients<<<1, 32>>>(c, 0.1f); }
