// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Doubles' width, one behind an aligned base: 256 bytes in 9 sectors.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

template <int Offset, class T>
__global__ void invert(T *__restrict__ out, const T *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(invert<1): global load 8-byte at 8*tid + 8: 9 sectors, ideal 8; misaligned; warns misaligned-access (absorbed)
  // expect(invert<0): global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const T v = in[i + Offset];
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = ~v;
}

void slow(unsigned long long *out, const unsigned long long *in) {
  invert<1><<<N / 256, 256>>>(out, in);
}
void fast(unsigned long long *out, const unsigned long long *in) {
  invert<0><<<N / 256, 256>>>(out, in);
}
void reference(unsigned long long *out, const unsigned long long *in) {
  for (int i = 0; i < N; ++i)
    out[i] = ~in[i + 1];
}
void moved(unsigned long long *to, const unsigned long long *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[i + 1];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/wide_offset", slow, fast, reference)
        .output(N)
        .input<0>(N + 1)
        .layout<corpus::Fast, 0>(N, moved);

} // namespace
