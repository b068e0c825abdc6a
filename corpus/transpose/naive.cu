// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Read along rows, written down columns: 4 sectors in, 32 out.

// block: 32x8
__global__ void transpose_naive(const float *__restrict__ in,
                                float *__restrict__ out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    // expect: global load at 4096*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    const float v = in[(y + j) * n + x];
    // expect: global store at 4096*x + 4*(y + j) for j in range(0, 32, 8): 32 sectors, ideal 4; strided; warns strided-access
    out[x * n + y + j] = v;
  }
}

void run(const float *in, float *out) {
  const int n = 1024;
  transpose_naive<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, n);
}
