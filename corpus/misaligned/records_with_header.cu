// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Records of a header word and 32 floats, padded to 160 bytes, in scattered
// order: no neighbouring warp has use for the fifth sector.

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
  // expect(<40,): global load at 160*((40503*(y + 8*b)) % (1 << 20)) + 4*x + 4 for b in range(64): 5 sectors, ideal 4; misaligned; warns misaligned-access
  // expect(<32,): global load at 128*((40503*(y + 8*b)) % (1 << 20)) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  const float v = table[shuffled(row) * Pitch + Header + threadIdx.x];
  // expect: global store at 128*(y + 8*b) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  out[row * Width + threadIdx.x] = v;
}

void slow(float *out, const float *table) {
  gather<40, 1><<<Rows / 8, dim3(32, 8)>>>(out, table);
}
void fast(float *out, const float *table) {
  gather<32, 0><<<Rows / 8, dim3(32, 8)>>>(out, table);
}
void reference(float *out, const float *table) {
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Width; ++c)
      out[r * Width + c] = table[(r * 40503ll & (Rows - 1)) * 40 + 1 + c];
}
void aligned(float *to, const float *from) {
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Width; ++c)
      to[r * 32 + c] = from[r * 40 + 1 + c];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/records_with_header", slow, fast, reference)
        .output(Rows * Width)
        .input<0>(Rows * 40)
        .layout<corpus::Fast, 0>(Rows * 32, aligned);

} // namespace
