// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// XOR swizzle: element (r, c) is kept at tile[r][c ^ r]. Along a row c ^ r runs
// through all columns; down a column bank = c ^ r runs through all banks, since
// r -> c ^ r is a permutation. Conflict-free both ways, without padding.

struct Swizzled {
  float cells[32][32];
  __device__ float &at(unsigned r, unsigned c) { return cells[r][c ^ r]; }
};

// block: 32x32
__global__ void transpose_swizzled(const float *__restrict__ in,
                                   float *__restrict__ out) {
  __shared__ Swizzled tile;
  const unsigned x = threadIdx.x, y = threadIdx.y;
  // expect: global load at 128*y + 4*x: 4 sectors, ideal 4; coalesced
  // expect: shared store at 128*y + 4*(x ^ y): 1 wavefront, ideal 1; conflict-free
  tile.at(y, x) = in[32 * y + x];
  __syncthreads();
  // expect: shared load at 128*x + 4*(y ^ x): 1 wavefront, ideal 1; conflict-free
  const float v = tile.at(x, y);
  // expect: global store at 128*y + 4*x: 4 sectors, ideal 4; coalesced
  out[32 * y + x] = v;
}

void run(const float *in, float *out) {
  transpose_swizzled<<<1, dim3(32, 32)>>>(in, out);
}
