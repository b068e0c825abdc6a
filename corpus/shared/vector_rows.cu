// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Vectors of 16 bytes, eight lanes a pass. Rows 128 bytes apart: eight lanes in
// four banks. Rows of 144 bytes: all 32.

#include "../harness.cuh"

namespace {

constexpr int Tiles = 1 << 15;

// block: 32
template <int Pitch>
__global__ void sum_vectors(float4 *__restrict__ out,
                            const float4 *__restrict__ in) {
  __shared__ float4 rows[32 * Pitch];
  const int lane = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int i = lane + 32 * k;
    // expect: global load 16-byte at 16*(lane + 32*k) for k in range(8): 16 sectors, ideal 16; coalesced
    // expect(<8>): shared store 16-byte at 128*((lane + 32*k)//8) + 16*(lane%8) for k in range(8): 4 wavefronts, ideal 4; conflict-free
    // expect(<9>): shared store 16-byte at 144*((lane + 32*k)//8) + 16*(lane%8) for k in range(8): 4 wavefronts, ideal 4; conflict-free
    rows[i / 8 * Pitch + i % 8] = in[blockIdx.x * 256 + i];
  }
  __syncwarp();
  float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    // expect(<8>): shared load 16-byte at 128*lane + 16*k for k in range(8): 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
    // expect(<9>): shared load 16-byte at 144*lane + 16*k for k in range(8): 4 wavefronts, ideal 4; conflict-free
    const float4 v = rows[lane * Pitch + k];
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
  }
  // expect: global store 16-byte at 16*lane: 16 sectors, ideal 16; coalesced
  out[blockIdx.x * 32 + lane] = sum;
}

void slow(float4 *out, const float4 *in) {
  sum_vectors<8><<<Tiles, 32>>>(out, in);
}
void fast(float4 *out, const float4 *in) {
  sum_vectors<9><<<Tiles, 32>>>(out, in);
}
void reference(float4 *out, const float4 *in) {
  for (int r = 0; r < Tiles * 32; ++r) {
    float4 s{};
    for (int k = 0; k < 8; ++k) {
      const float4 v = in[8 * r + k];
      s = float4{s.x + v.x, s.y + v.y, s.z + v.z, s.w + v.w};
    }
    out[r] = s;
  }
}

corpus::Enlisted pair =
    corpus::pair("shared/vector_rows", slow, fast, reference)
        .output(Tiles * 32)
        .input<0>(Tiles * 256);

} // namespace
