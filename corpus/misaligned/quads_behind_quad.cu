// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Vectors of 16 bytes behind a header of one: 512 bytes in 17 sectors where 16
// would do.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

struct Frames {
  const float4 *first;
  __device__ const float4 *begin(int header) const { return first + header; }
};

template <int Header>
__global__ void swap_halves(float4 *__restrict__ out, Frames frames) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 *in = frames.begin(Header);
  // expect(<1>): global load 16-byte at 16*tid + 16: 17 sectors, ideal 16; misaligned; warns misaligned-access (absorbed)
  // expect(<2>): global load 16-byte at 16*tid + 32: 16 sectors, ideal 16; coalesced
  const float4 v = in[i];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[i] = make_float4(v.z, v.w, v.x, v.y);
}

void slow(float4 *out, const float4 *in) {
  swap_halves<1><<<N / 256, 256>>>(out, Frames{in});
}
void fast(float4 *out, const float4 *in) {
  swap_halves<2><<<N / 256, 256>>>(out, Frames{in});
}
void reference(float4 *out, const float4 *in) {
  for (int i = 0; i < N; ++i)
    out[i] = float4{in[i + 1].z, in[i + 1].w, in[i + 1].x, in[i + 1].y};
}
void behind_two(float4 *to, const float4 *from) {
  for (int i = 0; i < N; ++i)
    to[i + 2] = from[i + 1];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/quads_behind_quad", slow, fast, reference)
        .output(N)
        .input<0>(N + 1)
        .layout<corpus::Fast, 0>(N + 2, behind_two);

} // namespace
