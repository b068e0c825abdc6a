// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Promises in the source are facts: divisors, alignments, ranges.

// block: 32x8
__global__ void divisor(const float *__restrict__ in, float *__restrict__ out,
                        int pitch) {
  __builtin_assume(pitch % 8 == 0);
  const int x = threadIdx.x, y = threadIdx.y;
  // 8 floats are a sector: every row starts at one.
  // expect: global load at 4*(1024*y + x): 4 sectors, ideal 4; coalesced
  const float v = in[pitch * y + x];
  // Half of it is a multiple of 4 floats, which is not enough.
  // expect: global store at 4*(1024*y + x): 4 guessed in 4..5 sectors, ideal 4; coalesced; because unknown-alignment
  out[pitch / 2 * y + x] = v;
}

// A range: the width is at least a sector, so the column is a sector a lane.
// block: 256
__global__ void range(const float *__restrict__ in, float *__restrict__ out,
                      int pitch) {
  __builtin_assume(pitch >= 8);
  const int t = threadIdx.x;
  // expect: global load at 4*8*tid: 32 sectors, ideal 4; strided; warns strided-access
  const float v = in[pitch * t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(const float *in, float *out, int pitch) {
  divisor<<<1, dim3(32, 8)>>>(in, out, pitch);
  range<<<1, 256>>>(in, out, pitch);
}
