// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Each lane adds to counters of its own in global memory, kept eight floats
// apart or side by side.

#include "../harness.cuh"

namespace {

constexpr int Counters = 1 << 22, Rounds = 4;

template <int Step>
__global__ void accumulate(unsigned *__restrict__ counters,
                           const unsigned *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int r = 0; r < Rounds; ++r) {
    // expect: global load at 4*tid + 16777216*r for r in range(4): 4 sectors, ideal 4; coalesced
    const unsigned v = in[r * Counters + i];
    // expect(<8>): global atomic at 32*tid: 32 sectors, ideal 4; strided; warns strided-access
    // expect(<1>): global atomic at 4*tid: 4 sectors, ideal 4; coalesced
    atomicAdd(&counters[Step * i], v >> 4);
  }
}

void slow(unsigned *counters, const unsigned *in) {
  accumulate<8><<<Counters / 256, 256>>>(counters, in);
}
void fast(unsigned *counters, const unsigned *in) {
  accumulate<1><<<Counters / 256, 256>>>(counters, in);
}
void reference(unsigned *counters, const unsigned *in) {
  for (int i = 0; i < Counters * Rounds; ++i)
    counters[i % Counters] += in[i] >> 4;
}
void packed(unsigned *to, const unsigned *from) {
  for (int i = 0; i < Counters; ++i)
    to[i] = from[8 * i];
}

corpus::Enlisted pair =
    corpus::pair("atomics/strided_counters", slow, fast, reference)
        .output(Counters)
        .input<0>(Counters * Rounds)
        .restore<corpus::Slow>(8 * Counters, packed)
        .zeroed();

} // namespace
