// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One coordinate of three: lanes 12 bytes apart, 384 bytes moved for 128.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

struct Point {
  float x, y, z;
};

struct Fields {
  const float *__restrict__ all;
  __device__ const float *field(int f) const { return all + f * N; }
};

template <class F>
__global__ void height(float *__restrict__ out, const Point *__restrict__ in,
                       F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load 'in[i].y' at 12*tid + 4: 12 sectors, ideal 4; aos; warns aos-field-access
    const float v = in[i].y;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

template <class F>
__global__ void height_soa(float *__restrict__ out, Fields in, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load at 4*tid + 4*(1 << 24)*1: 4 sectors, ideal 4; coalesced
    const float v = in.field(1)[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

struct Halve {
  __host__ __device__ float operator()(float v) const { return 0.5f * v; }
};

void slow(float *out, const Point *in) {
  height<<<(N + 255) / 256, 256>>>(out, in, Halve{});
}
void fast(float *out, const Point *in) {
  height_soa<<<(N + 255) / 256, 256>>>(
      out, Fields{reinterpret_cast<const float *>(in)}, Halve{});
}
void reference(float *out, const Point *in) {
  for (int i = 0; i < N; ++i)
    out[i] = Halve()(in[i].y);
}
void arrays(Point *to, const Point *from) {
  constexpr int Count = sizeof(Point) / sizeof(float);
  const float *f = reinterpret_cast<const float *>(from);
  float *t = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < Count; ++k)
      t[k * N + i] = f[Count * i + k];
}

corpus::Enlisted pair = corpus::pair("aos/position", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, arrays);

} // namespace
