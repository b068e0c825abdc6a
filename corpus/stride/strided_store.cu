// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The stride on the side of the store: results go to every eighth place of a
// table with eight columns, or to a column of its own.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23, Columns = 8;

template <int Step>
__global__ void column_of(float *__restrict__ table,
                          const float *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  // expect(<8>): global store at 32*tid: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<1>): global store at 4*tid: 4 sectors, ideal 4; coalesced
  table[Step * i] = v * v;
}

void slow(float *table, const float *in) {
  column_of<Columns><<<N / 256, 256>>>(table, in);
}
void fast(float *table, const float *in) {
  column_of<1><<<N / 256, 256>>>(table, in);
}
void reference(float *column, const float *in) {
  for (int i = 0; i < N; ++i)
    column[i] = in[i] * in[i];
}
void first_column(float *column, const float *table) {
  for (int i = 0; i < N; ++i)
    column[i] = table[Columns * i];
}

corpus::Enlisted pair =
    corpus::pair("stride/strided_store", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .restore<corpus::Slow>(Columns * N, first_column);

} // namespace
