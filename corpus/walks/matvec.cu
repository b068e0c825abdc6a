// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// y = A x with 2048 columns: a thread a row strides through A; with A kept
// column by column, the same thread reads beside its neighbour.

#include "../harness.cuh"

namespace {

constexpr int Rows = 1 << 15, Columns = 2048;

template <class T, bool ColumnMajor> struct Matrix {
  const T *cells;
  __device__ int at(int r, int c) const {
    return ColumnMajor ? c * Rows + r : r * Columns + c;
  }
};

// block: 128
template <bool ColumnMajor>
__global__ void multiply(float *__restrict__ y, Matrix<float, ColumnMajor> a,
                         const float *__restrict__ x) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (int c = 0; c < Columns; ++c) {
    // expect(<false>): global load at 8192*tid + 4*c for c in range(64): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<true>): global load at 4*tid + 131072*c for c in range(64): 4 sectors, ideal 4; coalesced
    const float v = a.cells[a.at(row, c)];
    // expect: global load at 4*c for c in range(64): 1 sector, ideal 1; broadcast
    sum += v * x[c];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[row] = sum;
}

void slow(float *y, const float *a, const float *x) {
  multiply<false><<<Rows / 128, 128>>>(y, Matrix<float, false>{a}, x);
}
void fast(float *y, const float *a, const float *x) {
  multiply<true><<<Rows / 128, 128>>>(y, Matrix<float, true>{a}, x);
}
void reference(float *y, const float *a, const float *x) {
  for (int r = 0; r < Rows; ++r) {
    double sum = 0;
    for (int c = 0; c < Columns; ++c)
      sum += double(a[r * Columns + c]) * x[c];
    y[r] = sum;
  }
}
void column_major(float *to, const float *from) {
  for (int c = 0; c < Columns; ++c)
    for (int r = 0; r < Rows; ++r)
      to[c * Rows + r] = from[r * Columns + c];
}

corpus::Enlisted pair =
    corpus::pair("walks/matvec", slow, fast, reference)
        .output(Rows)
        .input<0>(Rows * Columns)
        .input<1>(Columns)
        .layout<corpus::Fast, 0>(Rows * Columns, column_major);

} // namespace
