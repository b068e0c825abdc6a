// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A cell of 12 floats, all of them read by the lane, 48 bytes between lanes.
// Every sector is asked for again and again, and the cache must keep it.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22, Values = 12;

struct Cell {
  float f[Values];
};

__global__ void density(float *__restrict__ out,
                        const Cell *__restrict__ cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Values; ++k) {
    // expect: global load at 48*tid + 4*k for k in range(12): 32 sectors, ideal 4; aos; warns aos-field-access (absorbed)
    sum += cells[i].f[k];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

__global__ void density_soa(float *__restrict__ out,
                            const float *__restrict__ f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Values; ++k) {
    // expect: global load at 4*tid + 4*(1 << 22)*k for k in range(12): 4 sectors, ideal 4; coalesced
    sum += f[k * N + i];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum;
}

void slow(float *out, const Cell *cells) {
  density<<<N / 256, 256>>>(out, cells);
}
void fast(float *out, const Cell *cells) {
  density_soa<<<N / 256, 256>>>(out, reinterpret_cast<const float *>(cells));
}
void reference(float *out, const Cell *cells) {
  for (int i = 0; i < N; ++i) {
    out[i] = 0;
    for (float f : cells[i].f)
      out[i] += f;
  }
}
void arrays(Cell *to, const Cell *from) {
  float *f = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < Values; ++k)
      f[k * N + i] = from[i].f[k];
}

corpus::Enlisted pair = corpus::pair("aos/all_twelve", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, arrays);

} // namespace
