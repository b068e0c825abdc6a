// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Rows of 64 floats that begin two words behind their header: the first half of
// each, in scattered order.

#include "../harness.cuh"

namespace {

constexpr int Rows = 1 << 20, Width = 32;

// A warp a row, in an order that no neighbour profits from.
__device__ __forceinline__ int shuffled(int row) {
  return (row * 40503u) & (Rows - 1);
}

// block: 32x8
template <int Pitch, int Header>
__global__ void gather(float *__restrict__ out,
                       const float *__restrict__ table) {
  const int row = blockIdx.x * 8 + threadIdx.y;
  // expect(<72,): global load at 288*((40503*(y + 8*b)) % (1 << 20)) + 4*x + 8 for b in range(64): 5 sectors, ideal 4; misaligned; warns misaligned-access
  // expect(<64,): global load at 256*((40503*(y + 8*b)) % (1 << 20)) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  const float v = table[shuffled(row) * Pitch + Header + threadIdx.x];
  // expect: global store at 128*(y + 8*b) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  out[row * Width + threadIdx.x] = v;
}

void slow(float *out, const float *table) {
  gather<72, 2><<<Rows / 8, dim3(32, 8)>>>(out, table);
}
void fast(float *out, const float *table) {
  gather<64, 0><<<Rows / 8, dim3(32, 8)>>>(out, table);
}
void reference(float *out, const float *table) {
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Width; ++c)
      out[r * Width + c] = table[(r * 40503ll & (Rows - 1)) * 72 + 2 + c];
}
void aligned(float *to, const float *from) {
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Width; ++c)
      to[r * 64 + c] = from[r * 72 + 2 + c];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/rows_after_header", slow, fast, reference)
        .output(Rows * Width)
        .input<0>(Rows * 72)
        .layout<corpus::Fast, 0>(Rows * 64, aligned);

} // namespace
