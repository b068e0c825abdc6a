// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A sparse matrix of eight entries a row, stored by slot (ELLPACK): the columns
// are anywhere, or beside the diagonal.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 21, Slots = 8;

template <bool Banded>
__global__ void multiply(float *__restrict__ y, const float *__restrict__ x,
                         const int *__restrict__ column) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Slots; ++k) {
    // expect: global load 'column[k * N + row]' at 4*tid + 4*(1 << 21)*k for k in range(8): 4 sectors, ideal 4; coalesced
    const int c = column[k * N + row];
    // expect: global load 'x[c]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
    sum += x[c];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[row] = sum;
}

// The numbering of the unknowns is what a matrix ordering changes.
unsigned renumbered(unsigned i) { return (i * 2654435761u) & (N - 1); }

void fill_columns(int *column, corpus::Count, corpus::Random &) {
  for (int k = 0; k < Slots; ++k)
    for (unsigned row = 0; row < N; ++row)
      column[k * N + row] = renumbered((row + 3 * k) & (N - 1));
}
void band(int *column, const int *) {
  for (int k = 0; k < Slots; ++k)
    for (unsigned row = 0; row < N; ++row)
      column[k * N + row] = (row + 3 * k) & (N - 1);
}
void reordered(float *to, const float *from) {
  for (unsigned i = 0; i < N; ++i)
    to[i] = from[renumbered(i)];
}

void slow(float *y, const float *x, const int *column) {
  multiply<false><<<N / 256, 256>>>(y, x, column);
}
void fast(float *y, const float *x, const int *column) {
  multiply<true><<<N / 256, 256>>>(y, x, column);
}
void reference(float *y, const float *x, const int *column) {
  for (int row = 0; row < N; ++row) {
    y[row] = 0.f;
    for (int k = 0; k < Slots; ++k)
      y[row] += x[column[k * N + row]];
  }
}

corpus::Enlisted pair =
    corpus::pair("gather/sparse_rows", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(N * Slots, fill_columns)
        .layout<corpus::Fast, 0>(N, reordered)
        .layout<corpus::Fast, 1>(N * Slots, band);

} // namespace
