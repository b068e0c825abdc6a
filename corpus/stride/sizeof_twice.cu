// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The classic mistake: the index is multiplied by sizeof(float) although the
// subscript does that already. Lanes are 16 bytes apart: 512 bytes = 16
// sectors.

__global__ void scale_wrong(const float *in, float *out, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * sizeof(float) < n) {
    // expect: global load at 16*tid: 16 sectors, ideal 4; strided; warns strided-access
    const float v = in[i * sizeof(float)];
    // expect: global store at 16*tid: 16 sectors, ideal 4; strided; warns strided-access
    out[i * sizeof(float)] = f * v;
  }
}

__global__ void scale_right(const float *in, float *out, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    const float v = in[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f * v;
  }
}

void run(const float *in, float *out, int n) {
  scale_wrong<<<(n + 1023) / 1024, 256>>>(in, out, 2.f, n);
  scale_right<<<(n + 255) / 256, 256>>>(in, out, 2.f, n);
}
