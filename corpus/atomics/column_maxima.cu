// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// The maximum so far of each cell of a table, which a block visits by its rows
// or, with x and y exchanged, by its columns.

#include "../harness.cuh"

namespace {

constexpr int Rows = 2048, Columns = 2048;

// block: 32x8
template <bool Across>
__global__ void raise(unsigned *__restrict__ top,
                      const unsigned *__restrict__ in) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  const int at = Across ? x * Columns + y : y * Columns + x;
  // expect(<true>): global load at 8192*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global load at 8192*y + 4*x: 4 sectors, ideal 4; coalesced
  const unsigned v = in[at];
  // expect(<true>): global atomic at 8192*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global atomic at 8192*y + 4*x: 4 sectors, ideal 4; coalesced
  atomicMax(&top[at], v);
}

void slow(unsigned *top, const unsigned *in) {
  raise<true><<<dim3(Rows / 32, Columns / 8), dim3(32, 8)>>>(top, in);
}
void fast(unsigned *top, const unsigned *in) {
  raise<false><<<dim3(Columns / 32, Rows / 8), dim3(32, 8)>>>(top, in);
}
void reference(unsigned *top, const unsigned *in) {
  for (int i = 0; i < Rows * Columns; ++i)
    top[i] = in[i];
}

corpus::Enlisted pair =
    corpus::pair("atomics/column_maxima", slow, fast, reference)
        .output(Rows * Columns)
        .input<0>(Rows * Columns)
        .zeroed();

} // namespace
