// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// An array of 3x3 matrices, of which the diagonal is read: three requests, 36
// bytes between lanes, more than a sector. Kept element by element: neighbours.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22;

struct Matrix3 {
  float m[3][3];
};

__global__ void traces(float *__restrict__ out,
                       const Matrix3 *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'in[i].m[0][0]' at 36*tid: 32 sectors, ideal 4; aos; warns aos-field-access
  // expect: global load 'in[i].m[1][1]' at 36*tid + 16: 32 sectors, ideal 4; aos
  // expect: global load 'in[i].m[2][2]' at 36*tid + 32: 32 sectors, ideal 4; aos
  const float trace = in[i].m[0][0] + in[i].m[1][1] + in[i].m[2][2];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = trace;
}

__global__ void traces_by_element(float *__restrict__ out,
                                  const float *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float trace = 0.f;
#pragma unroll
  for (int d = 0; d < 9; d += 4) {
    // expect: global load at 4*tid + 4*(1 << 22)*d for d in (0, 4, 8): 4 sectors, ideal 4; coalesced
    trace += in[d * N + i];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = trace;
}

void slow(float *out, const Matrix3 *in) { traces<<<N / 256, 256>>>(out, in); }
void fast(float *out, const Matrix3 *in) {
  traces_by_element<<<N / 256, 256>>>(out, reinterpret_cast<const float *>(in));
}
void reference(float *out, const Matrix3 *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[i].m[0][0] + in[i].m[1][1] + in[i].m[2][2];
}
void by_element(Matrix3 *to, const Matrix3 *from) {
  float *t = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i)
    for (int e = 0; e < 9; ++e)
      t[e * N + i] = from[i].m[e / 3][e % 3];
}

corpus::Enlisted pair = corpus::pair("aos/matrix_traces", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, by_element);

} // namespace
