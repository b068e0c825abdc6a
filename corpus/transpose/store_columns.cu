// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 4096 squared. Read along rows and written down columns, or staged through a
// padded tile.

#include "../harness.cuh"

namespace {

constexpr int N = 4096, TileDim = 32, BlockRows = 8;

// block: 32x8
__global__ void transpose_direct(float *__restrict__ out,
                                 const float *__restrict__ in) {
  const int x = blockIdx.x * TileDim + threadIdx.x;
  const int y = blockIdx.y * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect: global load at 16384*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    const float v = in[(y + j) * N + x];
    // expect: global store at 16384*x + 4*(y + j) for j in range(0, 32, 8): 32 sectors, ideal 4; strided; warns strided-access
    out[x * N + y + j] = v;
  }
}

__global__ void transpose_padded(float *__restrict__ out,
                                 const float *__restrict__ in) {
  __shared__ float tile[TileDim][TileDim + 1];
  int x = blockIdx.x * TileDim + threadIdx.x;
  int y = blockIdx.y * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect: global load at 16384*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    const float v = in[(y + j) * N + x];
    // expect: shared store at 132*(y + j) + 4*x for j in range(0, 32, 8): 1 wavefront, ideal 1; conflict-free
    tile[threadIdx.y + j][threadIdx.x] = v;
  }
  __syncthreads();
  x = blockIdx.y * TileDim + threadIdx.x;
  y = blockIdx.x * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect: shared load at 132*x + 4*(y + j) for j in range(0, 32, 8): 1 wavefront, ideal 1; conflict-free
    const float v = tile[threadIdx.x][threadIdx.y + j];
    // expect: global store at 16384*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    out[(y + j) * N + x] = v;
  }
}

void slow(float *out, const float *in) {
  transpose_direct<<<dim3(N / TileDim, N / TileDim),
                     dim3(TileDim, BlockRows)>>>(out, in);
}
void fast(float *out, const float *in) {
  transpose_padded<<<dim3(N / TileDim, N / TileDim),
                     dim3(TileDim, BlockRows)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c)
      out[c * N + r] = in[r * N + c];
}

corpus::Enlisted pair =
    corpus::pair("transpose/store_columns", slow, fast, reference)
        .output(N * N)
        .input<0>(N * N);

} // namespace
