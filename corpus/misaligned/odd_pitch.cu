// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A row pitch of 1001 floats is 4004 bytes, 4 more than a multiple of the
// sector. Row r starts 4*r bytes into a sector: one row of eight is aligned and
// takes 4 sectors, the others 5; mean (4 + 7*5) / 8 = 4.875.

constexpr int Pitch = 1001;

// block: 32x8
__global__ void brighten(const float *__restrict__ in, float *__restrict__ out,
                         float by) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  // expect: global load at 4004*y + 4*x: 4.875 in 4..5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
  const float v = in[y * Pitch + x];
  // The fix: rows padded to a multiple of the sector, 1008 floats = 4032 bytes.
  // expect: global store at 4032*y + 4*x: 4 sectors, ideal 4; coalesced
  out[y * 1008 + x] = v + by;
}

void run(const float *in, float *out) {
  brighten<<<dim3(31, 125), dim3(32, 8)>>>(in, out, 0.1f);
}
