// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 32 lanes * 8 bytes = 256 bytes = 8 sectors; 4 would be a misunderstanding.

__global__ void axpy(int n, double a, const double *__restrict__ x,
                     double *__restrict__ y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
    const double xi = x[i];
    // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
    y[i] = a * xi;
  }
}

void run(int n, const double *x, double *y) {
  axpy<<<(n + 255) / 256, 256>>>(n, 3.0, x, y);
}
