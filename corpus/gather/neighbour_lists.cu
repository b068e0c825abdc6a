// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Each node adds up the values of eight neighbours, which a list names. Nodes
// numbered at random, or so that neighbours are near. The address is data, and
// no warning is given by default; what it costs is measured.

#include "../harness.cuh"

namespace {

constexpr int Nodes = 1 << 23, Degree = 8;

// What gives the lists their order; the kernel is the same.
struct Random {};
struct Near {};

template <class Numbering>
__global__ void add_neighbours(float *__restrict__ out,
                               const float *__restrict__ value,
                               const int *__restrict__ neighbours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Degree; ++k) {
    // expect: global load at 4*tid + 33554432*k for k in range(8): 4 sectors, ideal 4; coalesced
    const int j = neighbours[k * Nodes + i];
    // expect: global load 'value[j]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
    sum += value[j];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

// Node i at random is node number(i) of the near numbering.
unsigned number(unsigned i) { return (i * 2654435761u) & (Nodes - 1); }
unsigned neighbour(unsigned near, int k) {
  return (near + 3 * k) & (Nodes - 1);
}

void random_lists(int *lists, corpus::Count, corpus::Random &) {
  for (int k = 0; k < Degree; ++k)
    for (int i = 0; i < Nodes; ++i)
      lists[k * Nodes + i] = number(neighbour(i, k));
}
void near_lists(int *to, const int *) {
  for (int k = 0; k < Degree; ++k)
    for (int i = 0; i < Nodes; ++i)
      to[k * Nodes + i] = neighbour(i, k);
}
void near_values(float *to, const float *from) {
  for (int i = 0; i < Nodes; ++i)
    to[i] = from[number(i)];
}

void slow(float *out, const float *value, const int *lists) {
  add_neighbours<Random><<<Nodes / 256, 256>>>(out, value, lists);
}
void fast(float *out, const float *value, const int *lists) {
  add_neighbours<Near><<<Nodes / 256, 256>>>(out, value, lists);
}
void reference(float *out, const float *value, const int *lists) {
  for (int i = 0; i < Nodes; ++i) {
    out[i] = 0.f;
    for (int k = 0; k < Degree; ++k)
      out[i] += value[lists[k * Nodes + i]];
  }
}

corpus::Enlisted pair =
    corpus::pair("gather/neighbour_lists", slow, fast, reference)
        .output(Nodes)
        .input<0>(Nodes)
        .input<1>(Nodes * Degree, random_lists)
        .layout<corpus::Fast, 0>(Nodes, near_values)
        .layout<corpus::Fast, 1>(Nodes * Degree, near_lists);

} // namespace
