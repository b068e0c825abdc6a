// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Rows of four floats, a lane a row, in a random order or in the order of the
// rows themselves; the output says whose each is. The index is data.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22;

template <bool Sorted>
__global__ void fetch(float *__restrict__ out, const float4 *__restrict__ rows,
                      const int *__restrict__ order) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int from = order[i];
  // expect: global load 16-byte 'rows[from]': 1..32 sectors, ideal 16; indirect; because data-dependent-address
  const float4 v = rows[from];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v.x + v.y + v.z + v.w;
}

// An odd factor permutes a power of two.
unsigned mixed(unsigned i) { return (i * 2654435761u) & (N - 1); }

void fill_order(int *order, corpus::Count n, corpus::Random &) {
  for (corpus::Count i = 0; i < n; ++i)
    order[i] = mixed(i);
}
void sorted_order(int *to, const int *) {
  for (int i = 0; i < N; ++i)
    to[i] = i;
}
void by_index(float *to, const float *from) {
  for (unsigned i = 0; i < N; ++i)
    to[i] = from[mixed(i)];
}

void slow(float *out, const float4 *rows, const int *order) {
  fetch<false><<<N / 256, 256>>>(out, rows, order);
}
void fast(float *out, const float4 *rows, const int *order) {
  fetch<true><<<N / 256, 256>>>(out, rows, order);
}
void reference(float *out, const float4 *rows, const int *order) {
  for (int i = 0; i < N; ++i) {
    const float4 v = rows[order[i]];
    out[i] = v.x + v.y + v.z + v.w;
  }
}

corpus::Enlisted pair =
    corpus::pair("gather/shuffled_rows", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(N, fill_order)
        .layout<corpus::Fast, 1>(N, sorted_order)
        .restore<corpus::Fast>(N, by_index);

} // namespace
