// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One field of a 12-byte record: lanes are 12 bytes apart, 384 bytes = 12
// sectors for 128 bytes used.

struct Particle {
  float x, y, z;
};

__global__ void leftmost(const Particle *__restrict__ p,
                         float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 'p[i].x' at 12*tid: 12 sectors, ideal 4; aos; warns aos-field-access
    const float x = p[i].x;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = x < 0.f ? x : 0.f;
  }
}

void run(const Particle *p, float *out, int n) {
  leftmost<<<(n + 255) / 256, 256>>>(p, out, n);
}
