// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The constant cache serves one address a pass. A filter's taps by loop counter
// are uniform: one pass. Memory that only the lane index chooses is not.

__constant__ float taps[7];

__global__ void filter(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 6 >= n)
    return;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 7; ++k) {
    // expect: constant load at 4*k for k in range(7): 1 wavefront, ideal 1; broadcast
    const float tap = taps[k];
    // Six of the seven are shifted: (4 + 6*5) / 7 sectors, absorbed by the
    // cache.
    // expect: global load at 4*tid + 4*k for k in range(7): 4.8571 in 4..5 sectors, ideal 4; misaligned; clean
    sum += tap * x[i + k];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[i] = sum;
}

void run(const float *x, float *y, int n) {
  filter<<<(n + 255) / 256, 256>>>(x, y, n);
}
