// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 16x16 blocks: a warp holds two rows of the block. Along the rows of the
// matrix that is two runs of 64 bytes, 4 sectors; across them 16 rows, each
// lane pair in one sector: 16 sectors.

#include "../harness.cuh"

namespace {

constexpr int Rows = 4096, Columns = 8192;

// block: 16x16
template <class Index>
__global__ void scale(float *__restrict__ out, const float *__restrict__ in,
                      Index index, float f) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // expect(Across): global load at 32768*x + 4*y: 16 sectors, ideal 4; strided; warns strided-access
  // expect(Along): global load at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[index(x, y)];
  // expect(Across): global store at 32768*x + 4*y: 16 sectors, ideal 4; strided; warns strided-access
  // expect(Along): global store at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
  out[index(x, y)] = f * v;
}

struct Across {
  __device__ int operator()(int x, int y) const { return x * Columns + y; }
};
struct Along {
  __device__ int operator()(int x, int y) const { return y * Columns + x; }
};

void slow(float *out, const float *in) {
  scale<<<dim3(Rows / 16, Columns / 16), dim3(16, 16)>>>(out, in, Across{},
                                                         3.f);
}
void fast(float *out, const float *in) {
  scale<<<dim3(Columns / 16, Rows / 16), dim3(16, 16)>>>(out, in, Along{}, 3.f);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < Rows * Columns; ++i)
    out[i] = 3.f * in[i];
}

corpus::Enlisted pair =
    corpus::pair("columns/square_block_swapped", slow, fast, reference)
        .output(Rows * Columns)
        .input<0>(Rows * Columns);

} // namespace
