// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Colours of three halves, 6 bytes: one channel of it, 192 bytes of a warp for
// 64. (The halves are kept as their bits.)

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

struct Half {
  unsigned short bits;
};
struct Colour {
  Half r, g, b;
};

__device__ inline Half negated(Half h) {
  return {static_cast<unsigned short>(h.bits ^ 0x8000u)};
}

__global__ void negative_green(unsigned short *__restrict__ out,
                               const Colour *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 2-byte at 6*tid + 2: 6 sectors, ideal 2; aos; warns aos-field-access
  const Half g = negated(in[i].g);
  // expect: global store 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  out[i] = g.bits;
}

__global__ void negative_plane(unsigned short *__restrict__ out,
                               const Half *__restrict__ green) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  const Half g = negated(green[i]);
  // expect: global store 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  out[i] = g.bits;
}

void slow(unsigned short *out, const unsigned short *in) {
  negative_green<<<N / 256, 256>>>(out, reinterpret_cast<const Colour *>(in));
}
void fast(unsigned short *out, const unsigned short *in) {
  negative_plane<<<N / 256, 256>>>(out, reinterpret_cast<const Half *>(in));
}
void reference(unsigned short *out, const unsigned short *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[3 * i + 1] ^ 0x8000u;
}
void green(unsigned short *to, const unsigned short *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[3 * i + 1];
}

corpus::Enlisted pair = corpus::pair("aos/half_colours", slow, fast, reference)
                            .output(N)
                            .input<0>(3 * N)
                            .layout<corpus::Fast, 0>(N, green);

} // namespace
