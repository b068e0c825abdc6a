// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One field of a body of six floats: 24 bytes between lanes, 768 of a warp,
// every sector of them touched.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

struct Vec3 {
  float x, y, z;
};
struct Body {
  Vec3 position, velocity;
};

struct Fields {
  const float *__restrict__ all;
  __device__ const float *field(int f) const { return all + f * N; }
};

template <class F>
__global__ void climb(float *__restrict__ out, const Body *__restrict__ in,
                      F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load 'in[i].velocity.z' at 24*tid + 20: 24 sectors, ideal 4; aos; warns aos-field-access
    const float v = in[i].velocity.z;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

template <class F>
__global__ void climb_soa(float *__restrict__ out, Fields in, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load at 4*tid + 4*(1 << 23)*5: 4 sectors, ideal 4; coalesced
    const float v = in.field(5)[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

struct Halve {
  __host__ __device__ float operator()(float v) const { return 0.5f * v; }
};

void slow(float *out, const Body *in) {
  climb<<<(N + 255) / 256, 256>>>(out, in, Halve{});
}
void fast(float *out, const Body *in) {
  climb_soa<<<(N + 255) / 256, 256>>>(
      out, Fields{reinterpret_cast<const float *>(in)}, Halve{});
}
void reference(float *out, const Body *in) {
  for (int i = 0; i < N; ++i)
    out[i] = Halve()(in[i].velocity.z);
}
void arrays(Body *to, const Body *from) {
  constexpr int Count = sizeof(Body) / sizeof(float);
  const float *f = reinterpret_cast<const float *>(from);
  float *t = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < Count; ++k)
      t[k * N + i] = f[Count * i + k];
}

corpus::Enlisted pair = corpus::pair("aos/velocity", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, arrays);

} // namespace
