// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Records of 16 floats, two of them a warp, in scattered order. Behind a header
// word each takes 3 sectors; with the headers kept elsewhere, 2.

#include "../harness.cuh"

namespace {

constexpr int Records = 1 << 21, Width = 16;

__device__ __forceinline__ int shuffled(int i) {
  return (i * 40503u) & (Records - 1);
}

// block: 16x16
template <int Pitch, int Header>
__global__ void gather_records(float *__restrict__ out,
                               const float *__restrict__ pool) {
  const int i = blockIdx.x * 16 + threadIdx.y;
  // expect(<24,): global load at 96*((40503*(y + 16*b)) % (1 << 21)) + 4*x + 4 for b in range(64): 6 sectors, ideal 4; misaligned; warns misaligned-access
  // expect(<16,): global load at 64*((40503*(y + 16*b)) % (1 << 21)) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  const float v = pool[shuffled(i) * Pitch + Header + threadIdx.x];
  // expect: global store at 64*(y + 16*b) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  out[i * Width + threadIdx.x] = v;
}

void slow(float *out, const float *pool) {
  gather_records<24, 1><<<Records / 16, dim3(16, 16)>>>(out, pool);
}
void fast(float *out, const float *pool) {
  gather_records<16, 0><<<Records / 16, dim3(16, 16)>>>(out, pool);
}
void reference(float *out, const float *pool) {
  for (long long i = 0; i < Records; ++i)
    for (int c = 0; c < Width; ++c)
      out[i * Width + c] = pool[(i * 40503 & (Records - 1)) * 24 + 1 + c];
}
void without_headers(float *to, const float *from) {
  for (int i = 0; i < Records; ++i)
    for (int c = 0; c < Width; ++c)
      to[i * Width + c] = from[i * 24 + 1 + c];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/half_warp_records", slow, fast, reference)
        .output(Records * Width)
        .input<0>(Records * 24)
        .layout<corpus::Fast, 0>(Records * Width, without_headers);

} // namespace
