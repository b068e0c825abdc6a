// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Rows of eight 16-byte pieces brought by cp.async and read down a column. Rows
// of 128 bytes: eight lanes of a pass in the same banks. A piece more: not.

#include "../harness.cuh"
#include <cuda_pipeline.h>

namespace {

constexpr int Blocks = 1 << 13, Rows = 32, Pieces = 8, Rounds = 8;

struct Plain {
  static constexpr int Size = Rows * Pieces;
  __device__ static int at(int row, int piece) { return row * Pieces + piece; }
};
struct Better {
  static constexpr int Size = Rows * (Pieces + 1);
  __device__ static int at(int row, int piece) {
    return row * (Pieces + 1) + piece;
  }
};

// block: 256
template <class Place>
__global__ void combine_rows(float4 *__restrict__ out,
                             const float4 *__restrict__ in) {
  __shared__ float4 tile[Place::Size];
  const int t = threadIdx.x, row = t / Pieces, piece = t % Pieces;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect(Plain): shared store 16-byte at 16*(tid): 4 wavefronts, ideal 4; conflict-free
  // expect(Better): shared store 16-byte at 16*(9*(tid//8) + tid%8): 4 wavefronts, ideal 4; conflict-free
  __pipeline_memcpy_async(&tile[Place::at(row, piece)],
                          &in[blockIdx.x * 256 + t], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const int lane = t % 32, warp = t / 32;
  float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    // expect(Plain): shared load 16-byte at 16*(8*lane + (warp + k) % 8) for k in range(8): 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
    // expect(Better): shared load 16-byte at 16*(9*lane + (warp + k) % 8) for k in range(8): 4 wavefronts, ideal 4; conflict-free
    const float4 v = tile[Place::at(lane, (warp + k) % Pieces)];
    sum.x = 0.5f * sum.x + v.x, sum.y = 0.5f * sum.y + v.y;
    sum.z = 0.5f * sum.z + v.z, sum.w = 0.5f * sum.w + v.w;
  }
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[blockIdx.x * 256 + t] = sum;
}

void slow(float4 *out, const float4 *in) {
  combine_rows<Plain><<<Blocks, 256>>>(out, in);
}
void fast(float4 *out, const float4 *in) {
  combine_rows<Better><<<Blocks, 256>>>(out, in);
}
void reference(float4 *out, const float4 *in) {
  for (int b = 0; b < Blocks; ++b)
    for (int t = 0; t < 256; ++t) {
      float4 s{};
      for (int k = 0; k < Rounds; ++k) {
        const float4 v = in[b * 256 + t % 32 * Pieces + (t / 32 + k) % Pieces];
        s = float4{0.5f * s.x + v.x, 0.5f * s.y + v.y, 0.5f * s.z + v.z,
                   0.5f * s.w + v.w};
      }
      out[b * 256 + t] = s;
    }
}

corpus::Enlisted pair =
    corpus::pair("shared/async_padded", slow, fast, reference)
        .output(Blocks * 256)
        .input<0>(Blocks * 256);

} // namespace
