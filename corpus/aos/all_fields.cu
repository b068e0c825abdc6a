// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// All three fields are read by the lane: each request alone is 33 % efficient,
// together they use every byte, and the cache brings the sectors once.
// Reported, but low.

struct Vec3 {
  float x, y, z;
};

__global__ void norms(const Vec3 *__restrict__ p, float *__restrict__ norm,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 'p[i].x' at 12*tid: 12 sectors, ideal 4; aos; warns aos-field-access (absorbed)
    // expect: global load 'p[i].y' at 12*tid + 4: 12 sectors, ideal 4; aos
    // expect: global load 'p[i].z' at 12*tid + 8: 12 sectors, ideal 4; aos
    const float squared = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    norm[i] = squared;
  }
}

void run(const Vec3 *p, float *norm, int n) {
  norms<<<(n + 255) / 256, 256>>>(p, norm, n);
}
