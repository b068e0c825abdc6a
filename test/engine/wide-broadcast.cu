// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Wide broadcasts: neighbours that share their words are served together.
// block: 32
__global__ void wide_broadcast(const float4 *__restrict__ in,
                               float4 *__restrict__ out) {
  __shared__ float4 s[32];
  const int t = threadIdx.x;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: shared store 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
  s[t] = in[t];
  __syncwarp();
  // expect: shared load 16-byte at 80: 2 wavefronts, ideal 2; broadcast
  const float4 all = s[5];
  // expect: shared load 16-byte at 16*(tid//2): 2 wavefronts, ideal 2; conflict-free
  const float4 pair = s[t / 2];
  // expect: shared load 16-byte at 16*(tid//4): 2 wavefronts, ideal 2; conflict-free
  const float4 quad = s[t / 4];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[t] = make_float4(all.x + pair.x + quad.x, all.y + pair.y + quad.y,
                       all.z + pair.z + quad.z, all.w + pair.w + quad.w);
}

void run(const float4 *in, float4 *out) { wide_broadcast<<<1, 32>>>(in, out); }
