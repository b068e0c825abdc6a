// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// a[i] and a[i+1] in one kernel: 4 and 5 sectors, but the fifth is the first of
// the neighbouring warp, and the cache has it. Reuse, not waste: no warning.

__global__ void difference(const float *__restrict__ a, float *__restrict__ d,
                           int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    const float here = a[i];
    // expect: global load at 4*tid + 4: 5 sectors, ideal 4; misaligned; clean
    const float next = a[i + 1];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    d[i] = next - here;
  }
}

void run(const float *a, float *d, int n) {
  difference<<<(n + 255) / 256, 256>>>(a, d, n);
}
