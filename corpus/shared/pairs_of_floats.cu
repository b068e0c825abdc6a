// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Pairs of floats of a block, picked four apart: 32 bytes between lanes are
// four conflicts in each half-warp, next to each other none.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22, Block = 256, Rounds = 16;

template <int Step>
__global__ void mix(float2 *__restrict__ out, const float2 *__restrict__ in) {
  __shared__ float2 s[Block];
  const int t = threadIdx.x, i = blockIdx.x * Block + t;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect: shared store 8-byte at 8*tid: 2 wavefronts, ideal 2; conflict-free
  s[t] = in[i];
  __syncthreads();
  float2 sum = make_float2(0.f, 0.f);
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    // expect(<4>): shared load 8-byte at 8*((4*tid + 5*k) % 256) for k in range(16): 8 wavefronts, ideal 2; conflict; warns shared-bank-conflict
    // expect(<1>): shared load 8-byte at 8*((tid + 5*k) % 256) for k in range(16): 2 wavefronts, ideal 2; conflict-free
    const float2 v = s[(Step * t + 5 * k) % Block];
    sum.x = 0.5f * sum.x + v.x;
    sum.y = 0.5f * sum.y + v.y;
  }
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = sum;
}

void slow(float2 *out, const float2 *in) {
  mix<4><<<N / Block, Block>>>(out, in);
}
void fast(float2 *out, const float2 *in) {
  mix<1><<<N / Block, Block>>>(out, in);
}
void reference(float2 *out, const float2 *in) {
  for (int i = 0; i < N; ++i) {
    out[i] = make_float2(0.f, 0.f);
    for (int k = 0; k < Rounds; ++k) {
      const float2 v =
          in[i / Block * Block + (4 * (i % Block) + 5 * k) % Block];
      out[i].x = 0.5f * out[i].x + v.x;
      out[i].y = 0.5f * out[i].y + v.y;
    }
  }
}
// Thread t of the slow side begins at 4t, as thread 4t of the fast side does.
void quarters(float2 *to, const float2 *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[i / Block * Block + 4 * (i % Block) % Block];
}

corpus::Enlisted pair =
    corpus::pair("shared/pairs_of_floats", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .restore<corpus::Fast>(N, quarters);

} // namespace
