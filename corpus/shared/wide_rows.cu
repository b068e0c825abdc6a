// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 16-byte accesses go in four passes of 8 lanes, each of which can use all 32
// banks once. Rows 128 bytes apart: every lane in banks 0..3, 8 words of each:
// 4 * 8 = 32 wavefronts. Rows padded to 144 bytes: banks 36*r mod 32 = 4*r, the
// ideal 4.

// block: 32
template <int Pitch>
__global__ void row_heads(const float4 *__restrict__ in,
                          float4 *__restrict__ out) {
  __shared__ alignas(16) float s[32 * Pitch];
  const int t = threadIdx.x;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect(<32>): shared store 16-byte at 128*tid: 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
  // expect(<36>): shared store 16-byte at 144*tid: 4 wavefronts, ideal 4; conflict-free
  *reinterpret_cast<float4 *>(&s[Pitch * t]) = in[t];
  __syncthreads();
  const float4 v = *reinterpret_cast<const float4 *>(&s[Pitch * (31 - t)]);
  // expect(<32>): shared load 16-byte at 128*(31 - tid): 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
  // expect(<36>): shared load 16-byte at 144*(31 - tid): 4 wavefronts, ideal 4; conflict-free
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[t] = v;
}

void run(const float4 *in, float4 *out) {
  row_heads<32><<<1, 32>>>(in, out);
  row_heads<36><<<1, 32>>>(in, out);
}
