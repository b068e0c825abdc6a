// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The left channel of interleaved stereo: every second float, 8 bytes between
// lanes. Planar channels: neighbours.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

template <int Channels>
__global__ void left_channel(float *__restrict__ out,
                             const float *__restrict__ in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect(<2>): global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
    // expect(<1>): global load at 4*tid: 4 sectors, ideal 4; coalesced
    const float v = in[Channels * i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = 0.5f * v;
  }
}

void slow(float *out, const float *stereo) {
  left_channel<2><<<N / 256, 256>>>(out, stereo, N);
}
void fast(float *out, const float *left) {
  left_channel<1><<<N / 256, 256>>>(out, left, N);
}
void reference(float *out, const float *stereo) {
  for (int i = 0; i < N; ++i)
    out[i] = 0.5f * stereo[2 * i];
}
void planar(float *left, const float *stereo) {
  for (int i = 0; i < N; ++i)
    left[i] = stereo[2 * i];
}

corpus::Enlisted pair =
    corpus::pair("stride/left_channel", slow, fast, reference)
        .output(N)
        .input<0>(2 * N)
        .layout<corpus::Fast, 0>(N, planar);

} // namespace
