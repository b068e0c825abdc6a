// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Running sums of rows, a thread a row, written where they are read; the rows
// lie one after the other or side by side.

#include "../harness.cuh"

namespace {

constexpr int Rows = 1 << 18, Length = 64;

template <int OfRow, int OfElement>
__global__ void accumulate(float *__restrict__ out,
                           const float *__restrict__ in) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
#pragma unroll 1
  for (int k = 0; k < Length; ++k) {
    const int at = row * OfRow + k * OfElement;
    // expect(<64,): global load at 256*tid + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<1,): global load at 4*tid + 1048576*k for k in range(64): 4 sectors, ideal 4; coalesced
    sum += in[at];
    // expect(<64,): global store at 256*tid + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<1,): global store at 4*tid + 1048576*k for k in range(64): 4 sectors, ideal 4; coalesced
    out[at] = sum;
  }
}

void slow(float *out, const float *in) {
  accumulate<Length, 1><<<Rows / 256, 256>>>(out, in);
}
void fast(float *out, const float *in) {
  accumulate<1, Rows><<<Rows / 256, 256>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int r = 0; r < Rows; ++r) {
    float sum = 0.f;
    for (int k = 0; k < Length; ++k)
      out[r * Length + k] = sum += in[r * Length + k];
  }
}
void columns(float *to, const float *from) {
  for (int r = 0; r < Rows; ++r)
    for (int k = 0; k < Length; ++k)
      to[k * Rows + r] = from[r * Length + k];
}
void rows(float *to, const float *from) {
  for (int r = 0; r < Rows; ++r)
    for (int k = 0; k < Length; ++k)
      to[r * Length + k] = from[k * Rows + r];
}

corpus::Enlisted pair =
    corpus::pair("walks/running_sums", slow, fast, reference)
        .output(Rows * Length)
        .input<0>(Rows * Length)
        .layout<corpus::Fast, 0>(Rows * Length, columns)
        .restore<corpus::Fast>(Rows * Length, rows);

} // namespace
