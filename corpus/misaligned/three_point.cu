// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A three-point stencil: two of its three loads are shifted. The sectors they
// add are the neighbours', which the cache has: no warning. The other side
// stages the row in shared memory.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

__global__ void smooth(float *__restrict__ out, const float *__restrict__ in,
                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 < n) {
    // expect: global load 'in[i]' at 4*tid: 4 sectors, ideal 4; coalesced
    const float left = in[i];
    // expect: global load 'in[i + 1]' at 4*tid + 4: 5 sectors, ideal 4; misaligned; clean
    const float middle = in[i + 1];
    // expect: global load 'in[i + 2]' at 4*tid + 8: 5 sectors, ideal 4; misaligned; clean
    const float right = in[i + 2];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = 0.25f * left + 0.5f * middle + 0.25f * right;
  }
}

__global__ void smooth_staged(float *__restrict__ out,
                              const float *__restrict__ in, int n) {
  __shared__ float row[258];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
    row[t] = in[i];
  }
  if (t < 2 && i + 256 < n) {
    // expect: global load at 4*tid + 1024 if tid < 2: 1 sector, ideal 1; coalesced; 2 lanes
    // expect: shared store at 4*tid + 1024 if tid < 2: 1 wavefront, ideal 1; conflict-free; 2 lanes
    row[t + 256] = in[i + 256];
  }
  __syncthreads();
  if (i + 2 < n) {
    // expect: shared load at 4*tid + 4*k for k in (0, 2): 1 wavefront, ideal 1; conflict-free
    const float sides = row[t] + row[t + 2];
    // expect: shared load at 4*tid + 4: 1 wavefront, ideal 1; conflict-free
    const float smoothed = 0.25f * sides + 0.5f * row[t + 1];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = smoothed;
  }
}

void slow(float *out, const float *in) {
  smooth<<<(N + 255) / 256, 256>>>(out, in, N);
}
void fast(float *out, const float *in) {
  smooth_staged<<<(N + 255) / 256, 256>>>(out, in, N);
}
void reference(float *out, const float *in) {
  for (int i = 0; i + 2 < N; ++i)
    out[i] = 0.25f * in[i] + 0.5f * in[i + 1] + 0.25f * in[i + 2];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/three_point", slow, fast, reference)
        .output(N)
        .input<0>(N)
        .zeroed();

} // namespace
