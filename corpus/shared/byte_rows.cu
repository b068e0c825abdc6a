// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The same with bytes. Rows of 64 bytes are 16 words: two banks for 32 lanes.
// Rows of 36 bytes are 9 words, an odd number.

#include "../harness.cuh"

namespace {

constexpr int Tiles = 1 << 17, Width = 32;

template <class T, int Pitch> class Tile {
  T *cells;

public:
  __device__ explicit Tile(T *cells) : cells(cells) {}
  __device__ T &operator()(int row, int column) {
    return cells[row * Pitch + column];
  }
};

// block: 32
template <int Pitch, class T, class Sum>
__global__ void row_sums(Sum *__restrict__ out, const T *__restrict__ in) {
  __shared__ T cells[Width * Pitch];
  Tile<T, Pitch> tile(cells);
  const int lane = threadIdx.x, first = blockIdx.x * Width * Width;
#pragma unroll 4
  for (int r = 0; r < Width; ++r) {
    // expect: global load 1-byte at 32*r + 1*tid for r in range(32): 1 sector, ideal 1; coalesced
    const T v = in[first + r * Width + lane];
    // expect(<64,): shared store 1-byte at 64*r + 1*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    // expect(<36,): shared store 1-byte at 36*r + 1*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    tile(r, lane) = v;
  }
  __syncwarp();
  Sum sum = 0;
#pragma unroll 1
  for (int c = 0; c < Width; ++c) {
    // expect(<64,): shared load 1-byte at 64*tid + 1*c for c in range(32): 16 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<36,): shared load 1-byte at 36*tid + 1*c for c in range(32): 1 wavefront, ideal 1; conflict-free
    const Sum v = tile(lane, c);
    sum = 3 * sum + v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * Width + lane] = sum;
}

void slow(unsigned *out, const unsigned char *in) {
  row_sums<64><<<Tiles, Width>>>(out, in);
}
void fast(unsigned *out, const unsigned char *in) {
  row_sums<36><<<Tiles, Width>>>(out, in);
}
void reference(unsigned *out, const unsigned char *in) {
  for (int row = 0; row < Tiles * Width; ++row) {
    unsigned sum = 0;
    for (int c = 0; c < Width; ++c)
      sum = 3 * sum + in[row * Width + c];
    out[row] = sum;
  }
}

corpus::Enlisted pair = corpus::pair("shared/byte_rows", slow, fast, reference)
                            .output(Tiles * Width)
                            .input<0>(Tiles * Width * Width);

} // namespace
