// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A sample with a time and a value, both double: one of them, 16 bytes between
// lanes, 16 sectors where 8 would do.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

template <class Time, class Value> struct Sample {
  Time time;
  Value value;
};
using Reading = Sample<double, double>;

template <class Get, class Source>
__global__ void celsius(double *__restrict__ out, const Source *__restrict__ in,
                        Get get) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = get(in, i) - 273.15;
}

struct OfRecord {
  __device__ double operator()(const Reading *in, int i) const {
    // expect: global load 8-byte at 16*tid + 8: 16 sectors, ideal 8; aos; warns aos-field-access
    return in[i].value;
  }
};
struct OfArray {
  __device__ double operator()(const double *in, int i) const {
    // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
    return in[i];
  }
};

void slow(double *out, const double *in) {
  celsius<<<N / 256, 256>>>(out, reinterpret_cast<const Reading *>(in),
                            OfRecord{});
}
void fast(double *out, const double *in) {
  celsius<<<N / 256, 256>>>(out, in, OfArray{});
}
void reference(double *out, const double *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[2 * i + 1] - 273.15;
}
void values(double *to, const double *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[2 * i + 1];
}

corpus::Enlisted pair =
    corpus::pair("aos/double_records", slow, fast, reference)
        .output(N)
        .input<0>(2 * N)
        .layout<corpus::Fast, 0>(N, values);

} // namespace
