// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Swapped axes again, with a pitch that only run time knows: a sector a lane
// for any pitch of eight floats or more.

#include "../harness.cuh"

namespace {

constexpr int Rows = 4096, Columns = 8192;

struct Image {
  const float *data;
  int pitch;
  __device__ float at(int row, int column) const {
    // block: 32x8
    // expect(negate_rows): global load at 32768*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
    // expect(negate(): global load at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
    return data[row * pitch + column];
  }
};

// block: 32x8
__global__ void negate_rows_first(float *__restrict__ out, Image in) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  const float v = in.at(row, column);
  // expect: global store at 32768*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  out[row * in.pitch + column] = -v;
}

__global__ void negate(float *__restrict__ out, Image in) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const float v = in.at(row, column);
  // expect: global store at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
  out[row * in.pitch + column] = -v;
}

void slow(float *out, const float *in) {
  negate_rows_first<<<dim3(Rows / 32, Columns / 8), dim3(32, 8)>>>(
      out, Image{in, corpus::atRunTime(Columns)});
}
void fast(float *out, const float *in) {
  negate<<<dim3(Columns / 32, Rows / 8), dim3(32, 8)>>>(
      out, Image{in, corpus::atRunTime(Columns)});
}
void reference(float *out, const float *in) {
  for (int i = 0; i < Rows * Columns; ++i)
    out[i] = -in[i];
}

corpus::Enlisted pair =
    corpus::pair("columns/runtime_pitch", slow, fast, reference)
        .output(Rows * Columns)
        .input<0>(Rows * Columns);

} // namespace
