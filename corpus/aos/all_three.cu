// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// All three coordinates are read by the lane. Each request alone uses a third
// of its sectors, the three together all of them, and the cache brings each
// once.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

struct Point {
  float x, y, z;
};

__global__ void length(float *__restrict__ out, const Point *__restrict__ p) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'p[i].x' at 12*tid: 12 sectors, ideal 4; aos; warns aos-field-access (absorbed)
  // expect: global load 'p[i].y' at 12*tid + 4: 12 sectors, ideal 4; aos
  // expect: global load 'p[i].z' at 12*tid + 8: 12 sectors, ideal 4; aos
  const float squared = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = squared;
}

__global__ void length_soa(float *__restrict__ out, const float *__restrict__ x,
                           const float *__restrict__ y,
                           const float *__restrict__ z) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'x[i]' at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: global load 'y[i]' at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: global load 'z[i]' at 4*tid: 4 sectors, ideal 4; coalesced
  const float squared = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = squared;
}

void slow(float *out, const Point *p) { length<<<N / 256, 256>>>(out, p); }
void fast(float *out, const Point *p) {
  const float *x = reinterpret_cast<const float *>(p);
  length_soa<<<N / 256, 256>>>(out, x, x + N, x + 2 * N);
}
void reference(float *out, const Point *p) {
  for (int i = 0; i < N; ++i)
    out[i] = p[i].x * p[i].x + p[i].y * p[i].y + p[i].z * p[i].z;
}
void arrays(Point *to, const Point *from) {
  float *x = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i) {
    x[i] = from[i].x;
    x[N + i] = from[i].y;
    x[2 * N + i] = from[i].z;
  }
}

corpus::Enlisted pair = corpus::pair("aos/all_three", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, arrays);

} // namespace
