// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A block of 4x64 threads: a warp is 8 rows of 4 floats, 16 bytes of each row,
// so every sector is half used. Blocks of 8x32 have 32 bytes a row: enough.

#include "../harness.cuh"

namespace {

constexpr int Rows = 4096, Columns = 8192;

// block: 4x64 8x32
__global__ void gamma_correct(float *__restrict__ out,
                              const float *__restrict__ in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // expect(4x64): global load at 32768*y + 4*x: 8 sectors, ideal 4; strided; warns strided-access
  // expect(8x32): global load at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[y * Columns + x];
  // expect(4x64): global store at 32768*y + 4*x: 8 sectors, ideal 4; strided; warns strided-access
  // expect(8x32): global store at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
  out[y * Columns + x] = v * v;
}

void slow(float *out, const float *in) {
  gamma_correct<<<dim3(Columns / 4, Rows / 64), dim3(4, 64)>>>(out, in);
}
void fast(float *out, const float *in) {
  gamma_correct<<<dim3(Columns / 8, Rows / 32), dim3(8, 32)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < Rows * Columns; ++i)
    out[i] = in[i] * in[i];
}

corpus::Enlisted pair =
    corpus::pair("columns/tall_block", slow, fast, reference)
        .output(Rows * Columns)
        .input<0>(Rows * Columns);

} // namespace
