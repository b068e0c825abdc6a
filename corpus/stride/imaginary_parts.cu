// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The imaginary parts of complex doubles, through a projection.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

template <class T> struct Complex { T re, im; };
struct Imaginary {
  template <class T> __device__ T operator()(const Complex<T> *z, int i) const {
    // expect: global load 8-byte at 16*tid + 8: 16 sectors, ideal 8; aos; warns aos-field-access
    return z[i].im;
  }
};

template <class T, class Projection>
__global__ void project(T *__restrict__ out, const Complex<T> *__restrict__ in,
                        Projection of) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = of(in, i);
}
template <class T>
__global__ void copy(T *__restrict__ out, const T *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = in[i];
}

void slow(double *out, const double *in) {
  project<<<N / 256, 256>>>(out, reinterpret_cast<const Complex<double> *>(in),
                            Imaginary());
}
void fast(double *out, const double *in) {
  copy<<<N / 256, 256>>>(out, in + N);
}
void reference(double *out, const double *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[2 * i + 1];
}
void planes(double *to, const double *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[2 * i], to[N + i] = from[2 * i + 1];
}

corpus::Enlisted pair =
    corpus::pair("stride/imaginary_parts", slow, fast, reference)
        .output(N)
        .input<0>(2 * N)
        .layout<corpus::Fast, 0>(2 * N, planes);

} // namespace
