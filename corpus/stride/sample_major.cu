// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A batch of time series, 1024 steps each. Lanes work on neighbouring series:
// 4096 bytes apart where a series is kept together, neighbours where a step is.

#include "../harness.cuh"

namespace {

constexpr int Series = 1 << 15, Steps = 1024;

// block: 256
template <bool SeriesTogether>
__global__ void integrate(float *__restrict__ out, const float *__restrict__ in,
                          float dt) {
  const int series = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = blockIdx.y;
  const int by_series = series * Steps + step, by_step = step * Series + series;
  // expect(<true>): global load at 4096*tid + 4*b for b in range(8): 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global load at 4*tid + 131072*b for b in range(8): 4 sectors, ideal 4; coalesced
  const float v = in[SeriesTogether ? by_series : by_step];
  // expect: global store at 4*tid + 131072*b for b in range(8): 4 sectors, ideal 4; coalesced
  out[by_step] = dt * v;
}

void slow(float *out, const float *in) {
  integrate<true><<<dim3(Series / 256, Steps), 256>>>(out, in, 0.125f);
}
void fast(float *out, const float *in) {
  integrate<false><<<dim3(Series / 256, Steps), 256>>>(out, in, 0.125f);
}
void reference(float *out, const float *in) {
  for (int step = 0; step < Steps; ++step)
    for (int s = 0; s < Series; ++s)
      out[step * Series + s] = 0.125f * in[s * Steps + step];
}
void step_major(float *to, const float *from) {
  for (int step = 0; step < Steps; ++step)
    for (int s = 0; s < Series; ++s)
      to[step * Series + s] = from[s * Steps + step];
}

corpus::Enlisted pair =
    corpus::pair("stride/sample_major", slow, fast, reference)
        .output(Series * Steps)
        .input<0>(Series * Steps)
        .layout<corpus::Fast, 0>(Series * Steps, step_major);

} // namespace
