// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Results go to the places that an index names: all over the output, or within
// the 32 of the warp.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

template <bool Near>
__global__ void deliver(unsigned *__restrict__ out,
                        const unsigned *__restrict__ in,
                        const int *__restrict__ to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'in[i]' at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned v = in[i] ^ 5u;
  // expect: global load 'to[i]' at 4*tid: 4 sectors, ideal 4; coalesced
  const int place = to[i];
  // expect: global store 'out[place]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
  out[place] = v;
}

unsigned far(unsigned i) { return (i * 2654435761u) & (N - 1); }
unsigned near(unsigned i) { return i / 32 * 32 + (i * 13) % 32; }

void fill_places(int *to, corpus::Count n, corpus::Random &) {
  for (corpus::Count i = 0; i < n; ++i)
    to[i] = far(i);
}
void near_places(int *to, const int *) {
  for (unsigned i = 0; i < N; ++i)
    to[i] = near(i);
}
void moved(unsigned *to, const unsigned *from) {
  for (unsigned i = 0; i < N; ++i)
    to[far(i)] = from[near(i)];
}

void slow(unsigned *out, const unsigned *in, const int *to) {
  deliver<false><<<N / 256, 256>>>(out, in, to);
}
void fast(unsigned *out, const unsigned *in, const int *to) {
  deliver<true><<<N / 256, 256>>>(out, in, to);
}
void reference(unsigned *out, const unsigned *in, const int *to) {
  for (int i = 0; i < N; ++i)
    out[to[i]] = in[i] ^ 5u;
}

corpus::Enlisted pair =
    corpus::pair("gather/far_scatter", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(N, fill_places)
        .layout<corpus::Fast, 1>(N, near_places)
        .restore<corpus::Fast>(N, moved);

} // namespace
