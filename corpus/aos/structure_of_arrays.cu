// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The fix for a record of which one field is used: an array a field.

struct Particles {
  const float *__restrict__ x;
  const float *__restrict__ y;
  const float *__restrict__ z;
};

__global__ void leftmost(Particles p, float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 'p.x[i]' at 4*tid: 4 sectors, ideal 4; coalesced
    const float x = p.x[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = x < 0.f ? x : 0.f;
  }
}

void run(const Particles &p, float *out, int n) {
  leftmost<<<(n + 255) / 256, 256>>>(p, out, n);
}
