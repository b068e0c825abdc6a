// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// All lanes on one address: one sector, never a problem, whatever the address.

__global__ void normalise(const float *__restrict__ x, float *__restrict__ y,
                          const float *__restrict__ norm,
                          const float *__restrict__ per_block, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // expect: global load 'norm[0]' at 0: 1 sector, ideal 1; broadcast
  const float scale = 1.f / norm[0];
  // expect: global load 'per_block[blockIdx.x]' at 4*b for b in range(16): 1 sector, ideal 1; broadcast
  const float shift = per_block[blockIdx.x];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = x[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[i] = scale * v + shift;
}

void run(const float *x, float *y, const float *norm, const float *shift,
         int n) {
  normalise<<<(n + 255) / 256, 256>>>(x, y, norm, shift, n);
}
