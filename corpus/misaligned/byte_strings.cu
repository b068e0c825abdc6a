// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Strings of 32 bytes, a warp each, in scattered order. With the length in
// front the string straddles two sectors; with the lengths elsewhere it is one.

#include "../harness.cuh"

namespace {

constexpr int Strings = 1 << 22, Length = 32;

__device__ __forceinline__ int shuffled(int i) {
  return (i * 40503u) & (Strings - 1);
}

// block: 32x8
template <int Pitch, int Header>
__global__ void to_upper(unsigned char *__restrict__ out,
                         const unsigned char *__restrict__ pool) {
  const int i = blockIdx.x * 8 + threadIdx.y;
  // expect(<64,): global load 1-byte at 64*((40503*(y + 8*b)) % (1 << 22)) + 1 + x for b in range(64): 2 sectors, ideal 1; misaligned; warns misaligned-access
  // expect(<32,): global load 1-byte at 32*((40503*(y + 8*b)) % (1 << 22)) + x for b in range(64): 1 sector, ideal 1; coalesced
  const unsigned char c = pool[shuffled(i) * Pitch + Header + threadIdx.x];
  // expect: global store 1-byte at 32*(y + 8*b) + x for b in range(64): 1 sector, ideal 1; coalesced
  out[i * Length + threadIdx.x] = c & 0xdfu;
}

void slow(unsigned char *out, const unsigned char *pool) {
  to_upper<64, 1><<<Strings / 8, dim3(32, 8)>>>(out, pool);
}
void fast(unsigned char *out, const unsigned char *pool) {
  to_upper<32, 0><<<Strings / 8, dim3(32, 8)>>>(out, pool);
}
void reference(unsigned char *out, const unsigned char *pool) {
  for (long long i = 0; i < Strings; ++i)
    for (int c = 0; c < Length; ++c)
      out[i * Length + c] =
          pool[(i * 40503 & (Strings - 1)) * 64 + 1 + c] & 0xdfu;
}
void without_lengths(unsigned char *to, const unsigned char *from) {
  for (int i = 0; i < Strings; ++i)
    for (int c = 0; c < Length; ++c)
      to[i * 32 + c] = from[i * 64 + 1 + c];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/byte_strings", slow, fast, reference)
        .output(Strings * Length)
        .input<0>(Strings * 64)
        .layout<corpus::Fast, 0>(Strings * 32, without_lengths);

} // namespace
