// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Bytes, one byte behind an aligned base: 32 bytes in 2 sectors.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 27;

template <int Offset, class T>
__global__ void invert(T *__restrict__ out, const T *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(invert<1): global load 1-byte at 1*tid + 1: 2 sectors, ideal 1; misaligned; warns misaligned-access (absorbed)
  // expect(invert<0): global load 1-byte at 1*tid: 1 sector, ideal 1; coalesced
  const T v = in[i + Offset];
  // expect: global store 1-byte at 1*tid: 1 sector, ideal 1; coalesced
  out[i] = ~v;
}

void slow(unsigned char *out, const unsigned char *in) {
  invert<1><<<N / 256, 256>>>(out, in);
}
void fast(unsigned char *out, const unsigned char *in) {
  invert<0><<<N / 256, 256>>>(out, in);
}
void reference(unsigned char *out, const unsigned char *in) {
  for (int i = 0; i < N; ++i)
    out[i] = ~in[i + 1];
}
void moved(unsigned char *to, const unsigned char *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[i + 1];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/byte_offset", slow, fast, reference)
        .output(N)
        .input<0>(N + 1)
        .layout<corpus::Fast, 0>(N, moved);

} // namespace
