// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Small elements are fine: 32 lanes * 1 byte = 32 bytes = one sector, all used.

__global__ void threshold(const unsigned char *__restrict__ in,
                          unsigned char *__restrict__ out, int n,
                          unsigned char level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 1-byte at tid: 1 sector, ideal 1; coalesced
    const unsigned char v = in[i];
    // expect: global store 1-byte at tid: 1 sector, ideal 1; coalesced
    out[i] = v > level ? 255 : 0;
  }
}

void run(const unsigned char *in, unsigned char *out, int n) {
  threshold<<<(n + 255) / 256, 256>>>(in, out, n, 128);
}
