// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 4096 squared. Read down columns and written along rows, or staged through a
// tile whose columns are swizzled: element (r, c) is kept at tile[r][c ^ r].

#include "../harness.cuh"

namespace {

constexpr int N = 4096;

// block: 32x8
__global__ void transpose_reading_columns(float *__restrict__ out,
                                          const float *__restrict__ in) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  // expect: global load at 16384*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  const float v = in[x * N + y];
  // expect: global store at 16384*y + 4*x: 4 sectors, ideal 4; coalesced
  out[y * N + x] = v;
}

struct Swizzled {
  float cells[32][32];
  __device__ float &at(unsigned r, unsigned c) { return cells[r][c ^ r]; }
};

// block: 32x32
__global__ void transpose_swizzled(float *__restrict__ out,
                                   const float *__restrict__ in) {
  __shared__ Swizzled tile;
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned left = 32 * blockIdx.x, top = 32 * blockIdx.y;
  // expect: global load at 16384*y + 4*x: 4 sectors, ideal 4; coalesced
  // expect: shared store at 128*y + 4*(x ^ y): 1 wavefront, ideal 1; conflict-free
  tile.at(y, x) = in[(top + y) * N + left + x];
  __syncthreads();
  // expect: shared load at 128*x + 4*(y ^ x): 1 wavefront, ideal 1; conflict-free
  const float v = tile.at(x, y);
  // expect: global store at 16384*y + 4*x: 4 sectors, ideal 4; coalesced
  out[(left + y) * N + top + x] = v;
}

void slow(float *out, const float *in) {
  transpose_reading_columns<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(out, in);
}
void fast(float *out, const float *in) {
  transpose_swizzled<<<dim3(N / 32, N / 32), dim3(32, 32)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int r = 0; r < N; ++r)
    for (int c = 0; c < N; ++c)
      out[c * N + r] = in[r * N + c];
}

corpus::Enlisted pair =
    corpus::pair("transpose/read_columns", slow, fast, reference)
        .output(N * N)
        .input<0>(N * N);

} // namespace
