// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Four neighbouring elements a thread, one after the other: 16 bytes between
// lanes in each request, and the cache keeps the sectors for the next three.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25, Each = 4;

template <bool Neighbours>
__global__ void clamp(float *__restrict__ out, const float *__restrict__ in,
                      float top) {
  const int block = blockIdx.x * blockDim.x * Each;
#pragma unroll
  for (int k = 0; k < Each; ++k) {
    const int i = Neighbours ? block + Each * threadIdx.x + k
                             : block + k * blockDim.x + threadIdx.x;
    // expect(<true>): global load at 16*tid + 4*k for k in range(4): 16 sectors, ideal 4; strided; warns strided-access (absorbed)
    // expect(<false>): global load at 4*tid + 1024*k for k in range(4): 4 sectors, ideal 4; coalesced
    const float v = in[i];
    // expect(<true>): global store at 16*tid + 4*k for k in range(4): 16 sectors, ideal 4; strided; warns strided-access (absorbed)
    // expect(<false>): global store at 4*tid + 1024*k for k in range(4): 4 sectors, ideal 4; coalesced
    out[i] = v < top ? v : top;
  }
}

void slow(float *out, const float *in) {
  clamp<true><<<N / Each / 256, 256>>>(out, in, 0.5f);
}
void fast(float *out, const float *in) {
  clamp<false><<<N / Each / 256, 256>>>(out, in, 0.5f);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[i] < 0.5f ? in[i] : 0.5f;
}

corpus::Enlisted pair =
    corpus::pair("walks/four_a_thread", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
