// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// M[i][0] with i the lane walks down a column: rows of 64 floats, 256 bytes
// between lanes, 32 sectors.

__global__ void pivots(const float (*__restrict__ m)[64],
                       float *__restrict__ d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'm[i][0]' at 256*tid: 32 sectors, ideal 4; strided; warns strided-access
  const float p = m[i][0];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  d[i] = 1.f / p;
}

void run(const float (*m)[64], float *d) { pivots<<<8, 256>>>(m, d); }
