// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// cp.async brings the first 16 bytes of 128 rows, a row a thread: out of rows
// of 64 bytes, or out of packed ones.

#include "../harness.cuh"
#include <cuda_pipeline.h>

namespace {

constexpr int Rows = 1 << 21;

// block: 128
template <int Pitch>
__global__ void first_pieces(float *__restrict__ out,
                             const float4 *__restrict__ in) {
  __shared__ float4 tile[128];
  const int t = threadIdx.x, row = blockIdx.x * 128 + t;
  // expect(<4>): global load 16-byte at 64*tid: 32 sectors, ideal 16; strided; warns strided-access
  // expect(<1>): global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: shared store 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
  __pipeline_memcpy_async(&tile[t], &in[row * Pitch], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  // expect: shared load 16-byte at 16*(127 - tid): 4 wavefronts, ideal 4; conflict-free
  const float4 v = tile[127 - t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[row] = v.x + v.y + v.z + v.w;
}

void slow(float *out, const float4 *in) {
  first_pieces<4><<<Rows / 128, 128>>>(out, in);
}
void fast(float *out, const float4 *in) {
  first_pieces<1><<<Rows / 128, 128>>>(out, in);
}
void reference(float *out, const float4 *in) {
  for (int r = 0; r < Rows; ++r) {
    const float4 v = in[4 * (r / 128 * 128 + 127 - r % 128)];
    out[r] = v.x + v.y + v.z + v.w;
  }
}
void packed(float4 *to, const float4 *from) {
  for (int r = 0; r < Rows; ++r)
    to[r] = from[4 * r];
}

corpus::Enlisted pair =
    corpus::pair("shared/async_columns", slow, fast, reference)
        .output(Rows)
        .input<0>(4 * Rows)
        .layout<corpus::Fast, 0>(Rows, packed);

} // namespace
