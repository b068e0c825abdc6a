// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lane t leaves the loop after t % 4 rounds: 24, 16, 8 lanes are left.
__global__ void break_out(const float *__restrict__ a,
                          float *__restrict__ out) {
  const int t = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < 4; ++k) {
    if (k == t % 4)
      break;
    // expect: global load at 1024*k + 4*tid for k in range(3) if k < tid % 4: 4 sectors, ideal 2; strided; 16 lanes; warns strided-access
    sum += a[256 * k + t];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = sum;
}

void run(const float *in, float *out) { break_out<<<4, 256>>>(in, out); }
