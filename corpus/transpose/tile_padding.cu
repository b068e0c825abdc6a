// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The tile without its padding: 32 lanes read down a column, all in one bank.

#include "../harness.cuh"

namespace {

constexpr int N = 4096, TileDim = 32, BlockRows = 8;

// block: 32x8
template <int Pad>
__global__ void transpose_tiled(float *__restrict__ out,
                                const float *__restrict__ in) {
  __shared__ float tile[TileDim][TileDim + Pad];
  int x = blockIdx.x * TileDim + threadIdx.x;
  int y = blockIdx.y * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect: global load at 16384*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    const float v = in[(y + j) * N + x];
    // expect(<0>): shared store at 128*(y + j) + 4*x for j in range(0, 32, 8): 1 wavefront, ideal 1; conflict-free
    // expect(<1>): shared store at 132*(y + j) + 4*x for j in range(0, 32, 8): 1 wavefront, ideal 1; conflict-free
    tile[threadIdx.y + j][threadIdx.x] = v;
  }
  __syncthreads();
  x = blockIdx.y * TileDim + threadIdx.x;
  y = blockIdx.x * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect(<0>): shared load at 128*x + 4*(y + j) for j in range(0, 32, 8): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<1>): shared load at 132*x + 4*(y + j) for j in range(0, 32, 8): 1 wavefront, ideal 1; conflict-free
    const float v = tile[threadIdx.x][threadIdx.y + j];
    // expect: global store at 16384*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    out[(y + j) * N + x] = v;
  }
}

void slow(float *out, const float *in) {
  transpose_tiled<0>
      <<<dim3(N / TileDim, N / TileDim), dim3(TileDim, BlockRows)>>>(out, in);
}
void fast(float *out, const float *in) {
  transpose_tiled<1>
      <<<dim3(N / TileDim, N / TileDim), dim3(TileDim, BlockRows)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c)
      out[c * N + r] = in[r * N + c];
}

corpus::Enlisted pair =
    corpus::pair("transpose/tile_padding", slow, fast, reference)
        .output(N * N)
        .input<0>(N * N);

} // namespace
