// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Shorts, one behind an aligned base: 64 bytes in 3 sectors.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 26;

template <int Offset, class T>
__global__ void invert(T *__restrict__ out, const T *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(invert<1): global load 2-byte at 2*tid + 2: 3 sectors, ideal 2; misaligned; warns misaligned-access (absorbed)
  // expect(invert<0): global load 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  const T v = in[i + Offset];
  // expect: global store 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  out[i] = ~v;
}

void slow(unsigned short *out, const unsigned short *in) {
  invert<1><<<N / 256, 256>>>(out, in);
}
void fast(unsigned short *out, const unsigned short *in) {
  invert<0><<<N / 256, 256>>>(out, in);
}
void reference(unsigned short *out, const unsigned short *in) {
  for (int i = 0; i < N; ++i)
    out[i] = ~in[i + 1];
}
void moved(unsigned short *to, const unsigned short *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[i + 1];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/short_offset", slow, fast, reference)
        .output(N)
        .input<0>(N + 1)
        .layout<corpus::Fast, 0>(N, moved);

} // namespace
