// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A permutation applied by writing to the place, or by reading from it: one of
// the two sides is scattered either way. Neither can be told statically.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

__global__ void scatter(float *__restrict__ out, const float *__restrict__ in,
                        const int *__restrict__ place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int to = place[i];
  // expect: global store 'out[to]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
  out[to] = v;
}

__global__ void gather(float *__restrict__ out, const float *__restrict__ in,
                       const int *__restrict__ place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int from = place[i];
  // expect: global load 'in[from]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
  const float v = in[from];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

unsigned scattered(unsigned i) { return (i * 2654435761u) & (N - 1); }

void fill_places(int *place, corpus::Count n, corpus::Random &) {
  for (corpus::Count i = 0; i < n; ++i)
    place[i] = scattered(i);
}
void inverse(int *to, const int *place) {
  for (int i = 0; i < N; ++i)
    to[place[i]] = i;
}

void slow(float *out, const float *in, const int *place) {
  scatter<<<N / 256, 256>>>(out, in, place);
}
void fast(float *out, const float *in, const int *place) {
  gather<<<N / 256, 256>>>(out, in, place);
}
void reference(float *out, const float *in, const int *place) {
  for (int i = 0; i < N; ++i)
    out[place[i]] = in[i];
}

corpus::Enlisted pair =
    corpus::pair("gather/scatter_or_gather", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .input<1>(N, fill_places)
        .layout<corpus::Fast, 1>(N, inverse);

} // namespace
