// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// double tile[32][32] down a column: 256 bytes between lanes, every lane in
// banks 2c and 2c+1. In each of the two half-warps 16 words of one bank: 2 * 16
// = 32 wavefronts where 2 would do. tile[32][33]: 264 bytes, word 66*r, banks
// 2r mod 32: the half-warp covers all, 2 wavefronts.

// block: 32x32
template <int Width>
__global__ void transpose_f64(const double *__restrict__ in,
                              double *__restrict__ out) {
  __shared__ double tile[32][Width];
  const int x = threadIdx.x, y = threadIdx.y;
  // expect: global load 8-byte at 256*y + 8*x: 8 sectors, ideal 8; coalesced
  // expect(<32>): shared store 8-byte at 256*y + 8*x: 2 wavefronts, ideal 2; conflict-free
  // expect(<33>): shared store 8-byte at 264*y + 8*x: 2 wavefronts, ideal 2; conflict-free
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  // expect(<32>): shared load 8-byte at 256*x + 8*y: 32 wavefronts, ideal 2; conflict; warns shared-bank-conflict
  // expect(<33>): shared load 8-byte at 264*x + 8*y: 2 wavefronts, ideal 2; conflict-free
  const double v = tile[x][y];
  // expect: global store 8-byte at 256*y + 8*x: 8 sectors, ideal 8; coalesced
  out[32 * y + x] = v;
}

void run(const double *in, double *out) {
  transpose_f64<32><<<1, dim3(32, 32)>>>(in, out);
  transpose_f64<33><<<1, dim3(32, 32)>>>(in, out);
}
