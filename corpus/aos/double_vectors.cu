// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// All three doubles of a record: 24 bytes between lanes, every byte used.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22;

struct Vector {
  double x, y, z;
};

__global__ void norms(double *__restrict__ out, const Vector *__restrict__ v) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 8-byte 'v[i].x' at 24*tid: 24 sectors, ideal 8; aos; warns aos-field-access (absorbed)
  // expect: global load 8-byte 'v[i].y' at 24*tid + 8: 24 sectors, ideal 8; aos
  // expect: global load 8-byte 'v[i].z' at 24*tid + 16: 24 sectors, ideal 8; aos
  const double n = v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z;
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = n;
}
__global__ void norms_of_arrays(double *__restrict__ out,
                                const double *__restrict__ x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double n = 0;
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    // expect: global load 8-byte at 8*tid + 8*(1 << 22)*k for k in range(3): 8 sectors, ideal 8; coalesced
    n += x[k * N + i] * x[k * N + i];
  }
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = n;
}

void slow(double *out, const double *v) {
  norms<<<N / 256, 256>>>(out, reinterpret_cast<const Vector *>(v));
}
void fast(double *out, const double *v) {
  norms_of_arrays<<<N / 256, 256>>>(out, v);
}
void reference(double *out, const double *v) {
  for (int i = 0; i < N; ++i) {
    out[i] = 0;
    for (int k = 0; k < 3; ++k)
      out[i] += v[3 * i + k] * v[3 * i + k];
  }
}
void arrays(double *to, const double *from) {
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < 3; ++k)
      to[k * N + i] = from[3 * i + k];
}

corpus::Enlisted pair =
    corpus::pair("aos/double_vectors", slow, fast, reference)
        .output(N)
        .input<0>(3 * N)
        .layout<corpus::Fast, 0>(3 * N, arrays);

} // namespace
