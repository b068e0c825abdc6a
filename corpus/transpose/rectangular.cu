// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A rectangular tile, 16 rows of 64 doubles: down a column a half-warp is 512
// bytes a row apart, in one bank pair; padded by one double it is not.

#include "../harness.cuh"

namespace {

constexpr int Rows = 4096, Columns = 2048, TileRows = 16, TileColumns = 64;

template <int Pitch> struct Tile {
  double cells[TileRows * Pitch];
  __device__ double &operator()(int r, int c) { return cells[r * Pitch + c]; }
};

// block: 64x8
template <int Pitch>
__global__ void transpose_tile(double *__restrict__ out,
                               const double *__restrict__ in) {
  __shared__ Tile<Pitch> tile;
  const int left = blockIdx.x * TileColumns, top = blockIdx.y * TileRows;
  const int t = threadIdx.y * 64 + threadIdx.x;
#pragma unroll
  for (int j = 0; j < TileRows; j += 8) {
    // expect: global load 8-byte at 16384*(y + j) + 8*x for j in (0, 8): 8 sectors, ideal 8; coalesced
    const double v = in[(top + threadIdx.y + j) * Columns + left + threadIdx.x];
    // expect(<64>): shared store 8-byte at 512*(y + j) + 8*x for j in (0, 8): 2 wavefronts, ideal 2; conflict-free
    // expect(<65>): shared store 8-byte at 520*(y + j) + 8*x for j in (0, 8): 2 wavefronts, ideal 2; conflict-free
    tile(threadIdx.y + j, threadIdx.x) = v;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int r = t % 16, c = t / 16 + 32 * k;
    // expect(<64>): shared load 8-byte at 512*(tid % 16) + 8*(tid // 16 + 32*k) for k in (0, 1): 32 wavefronts, ideal 2; conflict; warns shared-bank-conflict
    // expect(<65>): shared load 8-byte at 520*(tid % 16) + 8*(tid // 16 + 32*k) for k in (0, 1): 2 wavefronts, ideal 2; conflict-free
    const double v = tile(r, c);
    // expect: global store 8-byte at 32768*(tid // 16 + 32*k) + 8*(tid % 16) for k in (0, 1): 8 sectors, ideal 8; coalesced
    out[(left + c) * Rows + top + r] = v;
  }
}

void slow(double *out, const double *in) {
  transpose_tile<64><<<dim3(Columns / 64, Rows / 16), dim3(64, 8)>>>(out, in);
}
void fast(double *out, const double *in) {
  transpose_tile<65><<<dim3(Columns / 64, Rows / 16), dim3(64, 8)>>>(out, in);
}
void reference(double *out, const double *in) {
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Columns; ++c)
      out[c * Rows + r] = in[r * Columns + c];
}

corpus::Enlisted pair =
    corpus::pair("transpose/rectangular", slow, fast, reference)
        .output(Rows * Columns)
        .input<0>(Rows * Columns);

} // namespace
