// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Tiles of 16x16 floats transposed by blocks of 16x16: a column of 16 lies in
// two banks, and with the columns swizzled by the row, together with the next
// one, in all 32.

#include "../harness.cuh"

namespace {

constexpr int Tiles = 1 << 16, Side = 16, Rounds = 4;

struct Plain {
  __device__ static int at(int row, int column) { return row * Side + column; }
};
struct Swizzled {
  __device__ static int at(int row, int column) {
    return row * Side + (column ^ row);
  }
};

// block: 16x16
template <class Place>
__global__ void turn(float *__restrict__ out, const float *__restrict__ in) {
  __shared__ float tile[Side * Side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int at = blockIdx.x * Side * Side + y * Side + x;
  // expect: global load at 64*y + 4*x: 4 sectors, ideal 4; coalesced
  float v = in[at];
#pragma unroll 1
  for (int r = 0; r < Rounds; ++r) {
    // expect(Plain): shared store at 64*y + 4*x: 1 wavefront, ideal 1; conflict-free
    // expect(Swizzled): shared store at 64*y + 4*(x ^ y): 1 wavefront, ideal 1; conflict-free
    tile[Place::at(y, x)] = v;
    __syncthreads();
    // expect(Plain): shared load at 64*x + 4*y: 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(Swizzled): shared load at 64*x + 4*(y ^ x): 1 wavefront, ideal 1; conflict-free
    v = 0.5f * tile[Place::at(x, y)];
    __syncthreads();
  }
  // expect: global store at 64*y + 4*x: 4 sectors, ideal 4; coalesced
  out[at] = v;
}

void slow(float *out, const float *in) {
  turn<Plain><<<Tiles, dim3(16, 16)>>>(out, in);
}
void fast(float *out, const float *in) {
  turn<Swizzled><<<Tiles, dim3(16, 16)>>>(out, in);
}
// Four turns are none; each halves.
void reference(float *out, const float *in) {
  for (int i = 0; i < Tiles * Side * Side; ++i)
    out[i] = in[i] / 16;
}

corpus::Enlisted pair =
    corpus::pair("shared/sixteen_square", slow, fast, reference)
        .output(Tiles * Side * Side)
        .input<0>(Tiles * Side * Side);

} // namespace
