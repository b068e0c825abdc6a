// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A pointer that each thread steps through a row of 24 floats of its own, or
// through a column.

#include "../harness.cuh"

namespace {

constexpr int Rows = 1 << 20, Length = 24;

template <int ToNext>
__global__ void longest_fall(float *__restrict__ out,
                             const float *__restrict__ in) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + (ToNext == 1 ? row * Length : row);
  float worst = 0.f, last = 0.f;
#pragma unroll 1
  for (int k = 0; k < Length; ++k, p += ToNext) {
    // expect(<1>): global load at 96*tid + 4*k for k in range(24): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<1048576>): global load at 4*tid + 4194304*k for k in range(24): 4 sectors, ideal 4; coalesced
    const float v = *p;
    worst = worst > last - v ? worst : last - v;
    last = v;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[row] = worst;
}

void slow(float *out, const float *in) {
  longest_fall<1><<<Rows / 256, 256>>>(out, in);
}
void fast(float *out, const float *in) {
  longest_fall<Rows><<<Rows / 256, 256>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int r = 0; r < Rows; ++r) {
    float worst = 0.f, last = 0.f;
    for (int k = 0; k < Length; ++k) {
      const float v = in[r * Length + k];
      worst = worst > last - v ? worst : last - v;
      last = v;
    }
    out[r] = worst;
  }
}
void columns(float *to, const float *from) {
  for (int r = 0; r < Rows; ++r)
    for (int k = 0; k < Length; ++k)
      to[k * Rows + r] = from[r * Length + k];
}

corpus::Enlisted pair =
    corpus::pair("walks/pointer_walk", slow, fast, reference)
        .output(Rows)
        .input<0>(Rows * Length)
        .layout<corpus::Fast, 0>(Rows * Length, columns);

} // namespace
