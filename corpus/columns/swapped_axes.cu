// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// threadIdx.x as the row instead of the column of a matrix with 4096 columns.

#include "../harness.cuh"

namespace {

constexpr int Rows = 8192, Columns = 4096;

// block: 32x8
template <bool XIsRow>
__global__ void relu(float *__restrict__ out, const float *__restrict__ in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int row = XIsRow ? x : y, column = XIsRow ? y : x;
  // expect(<true>): global load at 16384*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global load at 16384*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[row * Columns + column];
  // expect(<true>): global store at 16384*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global store at 16384*y + 4*x: 4 sectors, ideal 4; coalesced
  out[row * Columns + column] = v > 0.f ? v : 0.f;
}

void slow(float *out, const float *in) {
  relu<true><<<dim3(Rows / 32, Columns / 8), dim3(32, 8)>>>(out, in);
}
void fast(float *out, const float *in) {
  relu<false><<<dim3(Columns / 32, Rows / 8), dim3(32, 8)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < Rows * Columns; ++i)
    out[i] = in[i] > 0.f ? in[i] : 0.f;
}

corpus::Enlisted pair =
    corpus::pair("columns/swapped_axes", slow, fast, reference)
        .output(Rows * Columns)
        .input<0>(Rows * Columns);

} // namespace
