// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A view of every fifth element, handed to a generic loop: as a copy once made
// is not.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

template <int Step> struct View {
  const float *base;
  __device__ float operator[](int i) const {
    // 20 bytes apart, 32 lanes over 624 bytes: 20 sectors.
    // expect(View<5>): global load at 20*tid: 20 sectors, ideal 4; strided; warns strided-access
    // expect(View<1>): global load at 4*tid: 4 sectors, ideal 4; coalesced
    return base[Step * i];
  }
};

template <class From, class F>
__global__ void transform(float *__restrict__ out, From from, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = from[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = f(v);
}

struct Square {
  __device__ float operator()(float v) const { return v * v; }
};

void slow(float *out, const float *in) {
  transform<<<N / 256, 256>>>(out, View<5>{in}, Square());
}
void fast(float *out, const float *in) {
  transform<<<N / 256, 256>>>(out, View<1>{in}, Square());
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[5 * i] * in[5 * i];
}
void packed(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[5 * i];
}

corpus::Enlisted pair =
    corpus::pair("stride/strided_view", slow, fast, reference)
        .output(N)
        .input<0>(5 * N)
        .layout<corpus::Fast, 0>(N, packed);

} // namespace
