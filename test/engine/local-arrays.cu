// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Arrays of a thread: in registers when every index is a constant after
// unrolling, and then no access; tables of offsets are folded.

__global__ void registers(const float *__restrict__ in,
                          float *__restrict__ out) {
  float window[4];
  const int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    // expect: global load at 4*(256*k + tid) for k in range(4): 4 sectors, ideal 4; coalesced
    window[k] = in[256 * k + t];
  }
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    sum += window[3 - k] * window[k];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum;
}

// Offsets from a table: here, 8 on, a row of 32 down, and both.
// block: 16x16
__global__ void neighbours(const float *__restrict__ in,
                           float *__restrict__ out) {
  const int offset[4] = {0, 8, 32, 40};
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    // expect: global load at 4*(32*y + x + o) for o in (0, 8, 32, 40): 4 sectors, ideal 4; coalesced
    sum += in[32 * y + x + offset[k]];
  }
  // expect: global store at 4*(16*y + x): 4 sectors, ideal 4; coalesced
  out[16 * y + x] = sum;
}

// block: 256
// An index that only run time knows keeps the array in memory: word w of the 32
// lanes lies side by side, 128 bytes. One index for all lanes: 4 sectors. An
// index a lane: a sector each.
__global__ void spilled(const float *__restrict__ in, float *__restrict__ out,
                        int k) {
  float history[64];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < 64; ++i) {
    // expect: global load at 1024*i + 4*tid for i in range(64): 4 sectors, ideal 4; coalesced
    // expect: local store at 128*i + 4*lane for i in range(64): 4 sectors, ideal 4
    history[i] = in[256 * i + t];
  }
  // expect: local load at 128*k + 4*lane for k in range(64): 4 sectors, ideal 4
  const float same = history[k & 63];
  // expect: local load at 128*(tid & 63) + 4*lane: 32 sectors, ideal 4
  const float own = history[t & 63];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = same + own;
}

void run(const float *in, float *out, int k) {
  registers<<<1, 256>>>(in, out);
  neighbours<<<1, dim3(16, 16)>>>(in, out);
  spilled<<<1, 256>>>(in, out, k);
}
