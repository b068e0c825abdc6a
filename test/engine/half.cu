// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// half is 2 bytes: 32 lanes are 2 sectors, half2 makes it 4.
#include <cuda_fp16.h>

__global__ void scale_half(const half *__restrict__ in, half *__restrict__ out,
                           half f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  const half v = in[i];
  // expect: global store 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  out[i] = __hmul(f, v);
}

__global__ void scale_half2(const half2 *__restrict__ in,
                            half2 *__restrict__ out, half2 f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  const half2 v = in[i];
  // expect: global store 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = __hmul2(f, v);
}

// Down a column of half rows of 64: 128 bytes apart, all lanes in one bank. A
// row of 72 halves is 36 words: lane t in bank 36t mod 32 = 4t mod 32.
// block: 32
template <int Pitch>
__global__ void half_column(const half *__restrict__ in,
                            half *__restrict__ out) {
  __shared__ half s[32 * Pitch];
  const int t = threadIdx.x;
  for (int r = 0; r < 32; ++r) {
    // expect: global load 2-byte at 64*r + 2*tid for r in range(32): 2 sectors, ideal 2; coalesced
    // expect(<64>): shared store 2-byte at 128*r + 2*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    // expect(<72>): shared store 2-byte at 144*r + 2*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    s[Pitch * r + t] = in[32 * r + t];
  }
  __syncthreads();
  // expect(<64>): shared load 2-byte at 128*tid + 10: 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<72>): shared load 2-byte at 144*tid + 10: 4 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const half v = s[Pitch * t + 5];
  // expect: global store 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  out[t] = v;
}

void run(const half *in, half *out, half f, half2 f2) {
  scale_half<<<8, 256>>>(in, out, f);
  scale_half2<<<8, 256>>>((const half2 *)in, (half2 *)out, f2);
  half_column<64><<<1, 32>>>(in, out);
  half_column<72><<<1, 32>>>(in, out);
}
