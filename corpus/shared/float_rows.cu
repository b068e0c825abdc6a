// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A warp sums the rows of a tile of floats, a lane a row. Rows of 32 words put
// all lanes in one bank, rows of 33 in 32.

#include "../harness.cuh"

namespace {

constexpr int Tiles = 1 << 15, Width = 32;

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
    // expect: global load at 128*r + 4*tid for r in range(32): 4 sectors, ideal 4; coalesced
    const T v = in[first + r * Width + lane];
    // expect(<32,): shared store at 128*r + 4*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    // expect(<33,): shared store at 132*r + 4*tid for r in range(32): 1 wavefront, ideal 1; conflict-free
    tile(r, lane) = v;
  }
  __syncwarp();
  Sum sum = 0;
#pragma unroll 1
  for (int c = 0; c < Width; ++c) {
    // expect(<32,): shared load at 128*tid + 4*c for c in range(32): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<33,): shared load at 132*tid + 4*c for c in range(32): 1 wavefront, ideal 1; conflict-free
    const Sum v = tile(lane, c);
    sum = 3 * sum + v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * Width + lane] = sum;
}

void slow(float *out, const float *in) {
  row_sums<32><<<Tiles, Width>>>(out, in);
}
void fast(float *out, const float *in) {
  row_sums<33><<<Tiles, Width>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int row = 0; row < Tiles * Width; ++row) {
    float sum = 0;
    for (int c = 0; c < Width; ++c)
      sum = 3 * sum + in[row * Width + c];
    out[row] = sum;
  }
}

corpus::Enlisted pair = corpus::pair("shared/float_rows", slow, fast, reference)
                            .output(Tiles * Width)
                            .input<0>(Tiles * Width * Width);

} // namespace
