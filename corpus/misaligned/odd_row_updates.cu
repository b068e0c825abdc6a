// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Rows of 32 doubles, a warp each, in scattered order: with a pitch of 33 the
// sectors at both ends of three rows in four are shared with the next row and
// written in part.

#include "../harness.cuh"

namespace {

constexpr int Rows = 1 << 19, Width = 32;

template <class T, int Pitch> struct Table {
  T *cells;
  __device__ T *row(int r) const { return cells + r * Pitch; }
};

// block: 32x8
template <int Pitch>
__global__ void put_rows(Table<double, Pitch> table,
                         const double *__restrict__ in) {
  const int i = blockIdx.x * 8 + threadIdx.y;
  const int r = (i * 40503u) & (Rows - 1);
  // expect: global load 8-byte at 256*(y + 8*b) + 8*x for b in range(64): 8 sectors, ideal 8; coalesced
  const double v = in[i * Width + threadIdx.x];
  // One row of four starts at a sector: (8 + 3*9) / 4.
  // expect(<33>): global store 8-byte at 264*((40503*(y + 8*b)) % (1 << 19)) + 8*x for b in range(64): 8.75 in 8..9 sectors, ideal 8; misaligned; warns misaligned-access
  // expect(<32>): global store 8-byte at 256*((40503*(y + 8*b)) % (1 << 19)) + 8*x for b in range(64): 8 sectors, ideal 8; coalesced
  table.row(r)[threadIdx.x] = 2.0 * v;
}

void slow(double *cells, const double *in) {
  put_rows<<<Rows / 8, dim3(32, 8)>>>(Table<double, 33>{cells}, in);
}
void fast(double *cells, const double *in) {
  put_rows<<<Rows / 8, dim3(32, 8)>>>(Table<double, 32>{cells}, in);
}
void reference(double *out, const double *in) {
  for (long long i = 0; i < Rows; ++i)
    for (int c = 0; c < Width; ++c)
      out[(i * 40503 & (Rows - 1)) * Width + c] = 2.0 * in[i * Width + c];
}
void packed(double *to, const double *from) {
  for (int r = 0; r < Rows; ++r)
    for (int c = 0; c < Width; ++c)
      to[r * Width + c] = from[r * 33 + c];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/odd_row_updates", slow, fast, reference)
        .output(Rows * Width)
        .input<0>(Rows * Width)
        .restore<corpus::Slow>(Rows * 33, packed);

} // namespace
