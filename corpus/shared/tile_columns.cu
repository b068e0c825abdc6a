// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Down a column of a tile of 32 rows: bank = (Width*r + c) mod 32. Width 32 or
// 64: all rows in bank c, 32-way. 33: r + c, conflict-free, as any odd width.
// 34: even, so half of the banks, 2-way.

template <int Width> struct Tile {
  float cells[32][Width];
  __device__ float &operator()(int r, int c) { return cells[r][c]; }
};

// block: 32x8
template <int Width>
__global__ void rotate_tile(const float *__restrict__ in,
                            float *__restrict__ out) {
  __shared__ Tile<Width> tile;
  for (int r = threadIdx.y; r < 32; r += 8) {
    // expect: global load at 128*r + 4*x for r in range(32): 4 sectors, ideal 4; coalesced
    const float v = in[32 * r + threadIdx.x];
    // expect(<32>): shared store at 128*(y + 8*k) + 4*x for k in range(4): 1 wavefront, ideal 1; conflict-free
    // expect(<33>): shared store at 132*(y + 8*k) + 4*x for k in range(4): 1 wavefront, ideal 1; conflict-free
    // expect(<34>): shared store at 136*(y + 8*k) + 4*x for k in range(4): 1 wavefront, ideal 1; conflict-free
    // expect(<64>): shared store at 256*(y + 8*k) + 4*x for k in range(4): 1 wavefront, ideal 1; conflict-free
    tile(r, threadIdx.x) = v;
  }
  __syncthreads();
  for (int c = threadIdx.y; c < 32; c += 8) {
    // expect(<32>): shared load at 128*x + 4*(y + 8*k) for k in range(4): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<33>): shared load at 132*x + 4*(y + 8*k) for k in range(4): 1 wavefront, ideal 1; conflict-free
    // expect(<34>): shared load at 136*x + 4*(y + 8*k) for k in range(4): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<64>): shared load at 256*x + 4*(y + 8*k) for k in range(4): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    const float v = tile(threadIdx.x, c);
    // expect: global store at 128*c + 4*x for c in range(32): 4 sectors, ideal 4; coalesced
    out[32 * c + threadIdx.x] = v;
  }
}

void run(const float *in, float *out) {
  const dim3 block(32, 8);
  rotate_tile<32><<<1, block>>>(in, out);
  rotate_tile<33><<<1, block>>>(in, out);
  rotate_tile<34><<<1, block>>>(in, out);
  rotate_tile<64><<<1, block>>>(in, out);
}
