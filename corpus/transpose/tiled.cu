// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Through a tile[32][32]: both global sides coalesced, but the column of the
// tile lies in one bank: bank = (32*x + y + j) mod 32, the same for all x.

constexpr int TileDim = 32, BlockRows = 8;

// block: 32x8
__global__ void transpose_tiled(const float *__restrict__ in,
                                float *__restrict__ out, int n) {
  __shared__ float tile[TileDim][TileDim];
  int x = blockIdx.x * TileDim + threadIdx.x;
  int y = blockIdx.y * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect: global load at 4096*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    const float v = in[(y + j) * n + x];
    // expect: shared store at 128*(y + j) + 4*x for j in range(0, 32, 8): 1 wavefront, ideal 1; conflict-free
    tile[threadIdx.y + j][threadIdx.x] = v;
  }
  __syncthreads();
  x = blockIdx.y * TileDim + threadIdx.x;
  y = blockIdx.x * TileDim + threadIdx.y;
  for (int j = 0; j < TileDim; j += BlockRows) {
    // expect: shared load at 128*x + 4*(y + j) for j in range(0, 32, 8): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    const float v = tile[threadIdx.x][threadIdx.y + j];
    // expect: global store at 4096*(y + j) + 4*x for j in range(0, 32, 8): 4 sectors, ideal 4; coalesced
    out[(y + j) * n + x] = v;
  }
}

void run(const float *in, float *out) {
  const int n = 1024;
  const dim3 grid(n / TileDim, n / TileDim), block(TileDim, BlockRows);
  transpose_tiled<<<grid, block>>>(in, out, n);
}
