// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Counters that are a field of a record of 16 bytes, or an array of their own.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22, Rounds = 4;

struct Cell {
  unsigned hits, lo, hi, tag;
};

__global__ void visit(Cell *__restrict__ cells,
                      const unsigned *__restrict__ by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int r = 0; r < Rounds; ++r) {
    // expect: global load at 4*tid + 16777216*r for r in range(4): 4 sectors, ideal 4; coalesced
    const unsigned v = by[r * N + i];
    // expect: global atomic at 16*tid: 16 sectors, ideal 4; aos; warns aos-field-access
    atomicAdd(&cells[i].hits, v & 15u);
  }
}
__global__ void visit_array(unsigned *__restrict__ hits,
                            const unsigned *__restrict__ by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int r = 0; r < Rounds; ++r) {
    // expect: global load at 4*tid + 16777216*r for r in range(4): 4 sectors, ideal 4; coalesced
    const unsigned v = by[r * N + i];
    // expect: global atomic at 4*tid: 4 sectors, ideal 4; coalesced
    atomicAdd(&hits[i], v & 15u);
  }
}

void slow(unsigned *hits, const unsigned *by) {
  visit<<<N / 256, 256>>>(reinterpret_cast<Cell *>(hits), by);
}
void fast(unsigned *hits, const unsigned *by) {
  visit_array<<<N / 256, 256>>>(hits, by);
}
void reference(unsigned *hits, const unsigned *by) {
  for (int i = 0; i < N * Rounds; ++i)
    hits[i % N] += by[i] & 15u;
}
void field(unsigned *to, const unsigned *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[4 * i];
}

corpus::Enlisted pair =
    corpus::pair("atomics/record_counters", slow, fast, reference)
        .output(N)
        .input<0>(N * Rounds)
        .restore<corpus::Slow>(4 * N, field)
        .zeroed();

} // namespace
