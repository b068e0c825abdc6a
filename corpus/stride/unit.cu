// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The good case: neighbouring lanes, neighbouring elements. 32 lanes * 4 bytes
// = 128 bytes = 4 sectors.

__global__ void saxpy(int n, float a, const float *__restrict__ x,
                      float *__restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 'x[i]' at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
    const float xi = x[i];
    // expect: global load 'y[i]' at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
    const float yi = y[i];
    // expect: global store 'y[i]' at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
    y[i] = a * xi + yi;
  }
}

void run(int n, float a, const float *x, float *y) {
  saxpy<<<(n + 255) / 256, 256>>>(n, a, x, y);
}
