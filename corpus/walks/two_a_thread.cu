// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Two neighbouring elements a thread, one after the other.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

template <bool Neighbours>
__global__ void absolute(float *__restrict__ out,
                         const float *__restrict__ in) {
  const int block = blockIdx.x * blockDim.x * 2;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int i = Neighbours ? block + 2 * threadIdx.x + k
                             : block + k * blockDim.x + threadIdx.x;
    // expect(<true>): global load at 8*tid + 4*k for k in range(2): 8 sectors, ideal 4; strided; warns strided-access (absorbed)
    // expect(<false>): global load at 4*tid + 1024*k for k in range(2): 4 sectors, ideal 4; coalesced
    const float v = in[i];
    // expect(<true>): global store at 8*tid + 4*k for k in range(2): 8 sectors, ideal 4; strided; warns strided-access (absorbed)
    // expect(<false>): global store at 4*tid + 1024*k for k in range(2): 4 sectors, ideal 4; coalesced
    out[i] = v < 0.f ? -v : v;
  }
}

void slow(float *out, const float *in) {
  absolute<true><<<N / 512, 256>>>(out, in);
}
void fast(float *out, const float *in) {
  absolute<false><<<N / 512, 256>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[i] < 0.f ? -in[i] : in[i];
}

corpus::Enlisted pair =
    corpus::pair("walks/two_a_thread", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
