// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One band of eight of a spectrometer: 32 bytes between lanes, a sector a lane.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23, Bands = 8;

template <class Element, int Step> struct View {
  const Element *base;
  // expect(calibrate<8>): global load at 32*tid: 32 sectors, ideal 4; strided; warns strided-access
  // expect(calibrate<1>): global load at 4*tid: 4 sectors, ideal 4; coalesced
  __device__ Element operator[](int i) const { return base[i * Step]; }
};

template <int Step>
__global__ void calibrate(float *__restrict__ out, View<float, Step> band,
                          float gain) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = band[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = gain * v;
}

void slow(float *out, const float *cube) {
  calibrate<Bands><<<N / 256, 256>>>(out, View<float, Bands>{cube}, 1.5f);
}
void fast(float *out, const float *cube) {
  calibrate<1><<<N / 256, 256>>>(out, View<float, 1>{cube}, 1.5f);
}
void reference(float *out, const float *cube) {
  for (int i = 0; i < N; ++i)
    out[i] = 1.5f * cube[Bands * i];
}
void by_band(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[Bands * i];
}

corpus::Enlisted pair =
    corpus::pair("stride/eighth_band", slow, fast, reference)
        .output(N)
        .input<0>(Bands * N)
        .layout<corpus::Fast, 0>(N, by_band);

} // namespace
