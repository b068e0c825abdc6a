// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Complex numbers in shared memory of which a filter wants the real part: every
// second word, 2-way; parts kept apart are not. 32 taps, so that shared memory
// and not the load is what takes the time.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23, Threads = 256, Taps = 32;

template <int Step>
__global__ void moving_sum(float *__restrict__ out,
                           const float2 *__restrict__ in) {
  __shared__ float parts[2 * Threads];
  const int t = threadIdx.x, i = blockIdx.x * Threads + t;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const float2 v = in[i];
  // expect(<1>): shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  parts[Step * t] = v.x;
  // Both parts at once: one store of 8 bytes.
  // expect(<2>): shared store 8-byte at 8*tid: 2 wavefronts, ideal 2; conflict-free
  // expect(<1>): shared store at 4*tid + 1024: 1 wavefront, ideal 1; conflict-free
  parts[Step == 2 ? 2 * t + 1 : Threads + t] = v.y;
  __syncthreads();
  float sum = 0.f;
  if (t < Threads - Taps) {
#pragma unroll
    for (int k = 0; k < Taps; ++k) {
      // expect(<2>): shared load at 8*(tid + k) for k in range(32) if tid < 224: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      // expect(<1>): shared load at 4*(tid + k) for k in range(32) if tid < 224: 1 wavefront, ideal 1; conflict-free
      sum = 0.5f * sum + parts[Step * (t + k)];
    }
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

void slow(float *out, const float2 *in) {
  moving_sum<2><<<N / Threads, Threads>>>(out, in);
}
void fast(float *out, const float2 *in) {
  moving_sum<1><<<N / Threads, Threads>>>(out, in);
}
void reference(float *out, const float2 *in) {
  for (int i = 0; i < N; ++i) {
    float sum = 0.f;
    for (int k = 0; i % Threads < Threads - Taps && k < Taps; ++k)
      sum = 0.5f * sum + in[i + k].x;
    out[i] = sum;
  }
}

corpus::Enlisted pair =
    corpus::pair("shared/complex_parts", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
