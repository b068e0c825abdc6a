// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// A warp normalises a signal of 32 samples that lies in channels: sample k of
// all signals together, or signal by signal.

#include "../harness.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

namespace {

constexpr int Signals = 1 << 19, Samples = 32;

template <int OfSignal, int OfSample>
__global__ void normalise(float *__restrict__ out,
                          const float *__restrict__ in) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int signal = blockIdx.x * 8 + warp.meta_group_rank();
  const int at = signal * OfSignal + warp.thread_rank() * OfSample;
  // expect(<1,): global load at 4*(8*b + tid//32) + 2097152*(tid%32) for b in range(8): 32 sectors, ideal 4; strided; warns strided-access
  // expect(<32,): global load at 128*(8*b + tid//32) + 4*(tid%32) for b in range(8): 4 sectors, ideal 4; coalesced
  const float v = in[at];
  const float mean = cg::reduce(warp, v, cg::plus<float>()) / Samples;
  // expect(<1,): global store at 4*(8*b + tid//32) + 2097152*(tid%32) for b in range(8): 32 sectors, ideal 4; strided; warns strided-access
  // expect(<32,): global store at 128*(8*b + tid//32) + 4*(tid%32) for b in range(8): 4 sectors, ideal 4; coalesced
  out[at] = v - mean;
}

void slow(float *out, const float *in) {
  normalise<1, Signals><<<Signals / 8, 256>>>(out, in);
}
void fast(float *out, const float *in) {
  normalise<Samples, 1><<<Signals / 8, 256>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int s = 0; s < Signals; ++s) {
    float sum = 0.f;
    for (int k = 0; k < Samples; ++k)
      sum += in[k * Signals + s];
    for (int k = 0; k < Samples; ++k)
      out[k * Signals + s] = in[k * Signals + s] - sum / Samples;
  }
}
void by_signal(float *to, const float *from) {
  for (int s = 0; s < Signals; ++s)
    for (int k = 0; k < Samples; ++k)
      to[s * Samples + k] = from[k * Signals + s];
}
void by_sample(float *to, const float *from) {
  for (int s = 0; s < Signals; ++s)
    for (int k = 0; k < Samples; ++k)
      to[k * Signals + s] = from[s * Samples + k];
}

corpus::Enlisted pair =
    corpus::pair("groups/warp_of_samples", slow, fast, reference)
        .output(Signals * Samples)
        .input<0>(Signals * Samples)
        .layout<corpus::Fast, 0>(Signals * Samples, by_signal)
        .restore<corpus::Fast>(Signals * Samples, by_sample);

} // namespace
