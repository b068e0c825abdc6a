// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Elements picked by an index: in the order of a permutation of the whole
// table, or of the same table with its elements moved so that a warp picks from
// one run of 64. The address is data: a static tool gives a range for either
// and no warning. What it costs is measured.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25, Bucket = 64;

template <int Far>
__global__ void pick(float *__restrict__ out, const float *__restrict__ table,
                     const int *__restrict__ order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int from = order[i];
  // expect: global load 'table[from]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
  const float v = table[from];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

// Both orders are permutations; the table holds the number of the element it is
// for, so that either picks 0, 1, 2 ... with the fast side's table laid out
// anew.
unsigned scattered(unsigned i) { return (i * 2654435761u) & (N - 1); }
unsigned bucketed(unsigned i) {
  return i / Bucket * Bucket + (i * 29) % Bucket;
}

void fill_order(int *order, corpus::Count n, corpus::Random &) {
  for (corpus::Count i = 0; i < n; ++i)
    order[i] = scattered(i);
}
void order_in_buckets(int *to, const int *) {
  for (int i = 0; i < N; ++i)
    to[i] = bucketed(i);
}
void table_in_buckets(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    to[bucketed(i)] = from[scattered(i)];
}

void slow(float *out, const float *table, const int *order) {
  pick<N><<<N / 256, 256>>>(out, table, order);
}
void fast(float *out, const float *table, const int *order) {
  pick<Bucket><<<N / 256, 256>>>(out, table, order);
}
void reference(float *out, const float *table, const int *order) {
  for (int i = 0; i < N; ++i)
    out[i] = table[order[i]];
}

corpus::Enlisted pair =
    corpus::pair("gather/random_or_bucketed", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(N, fill_order)
        .layout<corpus::Fast, 0>(N, table_in_buckets)
        .layout<corpus::Fast, 1>(N, order_in_buckets);

} // namespace
