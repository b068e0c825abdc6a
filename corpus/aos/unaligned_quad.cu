// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Four floats read whole. Without an alignment the compiler needs four loads,
// 16 bytes between lanes; with one it is a single load of 16 bytes.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

struct Quad {
  float a, b, c, d;
};
struct alignas(16) AlignedQuad {
  float a, b, c, d;
};

template <class Q>
__global__ void dot_self(float *__restrict__ out, const Q *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(::Quad>): global load at 16*tid + 4*f for f in range(4): 16 sectors, ideal 4; aos; warns aos-field-access (absorbed)
  // expect(AlignedQuad>): global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const Q q = in[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = q.a * q.a + q.b * q.b + q.c * q.c + q.d * q.d;
}

void slow(float *out, const Quad *in) { dot_self<<<N / 256, 256>>>(out, in); }
void fast(float *out, const Quad *in) {
  dot_self<<<N / 256, 256>>>(out, reinterpret_cast<const AlignedQuad *>(in));
}
void reference(float *out, const Quad *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[i].a * in[i].a + in[i].b * in[i].b + in[i].c * in[i].c +
             in[i].d * in[i].d;
}

corpus::Enlisted pair =
    corpus::pair("aos/unaligned_quad", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
