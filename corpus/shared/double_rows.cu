// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The same with doubles: two half-warps, each with all its lanes in one pair of
// banks; rows of 33 doubles spread them.

#include "../harness.cuh"

namespace {

constexpr int Tiles = 1 << 14, Width = 32;

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
    // expect: global load 8-byte at 256*r + 8*tid for r in range(32): 8 sectors, ideal 8; coalesced
    const T v = in[first + r * Width + lane];
    // expect(<32,): shared store 8-byte at 256*r + 8*tid for r in range(32): 2 wavefronts, ideal 2; conflict-free
    // expect(<33,): shared store 8-byte at 264*r + 8*tid for r in range(32): 2 wavefronts, ideal 2; conflict-free
    tile(r, lane) = v;
  }
  __syncwarp();
  Sum sum = 0;
#pragma unroll 1
  for (int c = 0; c < Width; ++c) {
    // expect(<32,): shared load 8-byte at 256*tid + 8*c for c in range(32): 32 wavefronts, ideal 2; conflict; warns shared-bank-conflict
    // expect(<33,): shared load 8-byte at 264*tid + 8*c for c in range(32): 2 wavefronts, ideal 2; conflict-free
    const Sum v = tile(lane, c);
    sum = 3 * sum + v;
  }
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[blockIdx.x * Width + lane] = sum;
}

void slow(double *out, const double *in) {
  row_sums<32><<<Tiles, Width>>>(out, in);
}
void fast(double *out, const double *in) {
  row_sums<33><<<Tiles, Width>>>(out, in);
}
void reference(double *out, const double *in) {
  for (int row = 0; row < Tiles * Width; ++row) {
    double sum = 0;
    for (int c = 0; c < Width; ++c)
      sum = 3 * sum + in[row * Width + c];
    out[row] = sum;
  }
}

corpus::Enlisted pair =
    corpus::pair("shared/double_rows", slow, fast, reference)
        .output(Tiles * Width)
        .input<0>(Tiles * Width * Width);

} // namespace
