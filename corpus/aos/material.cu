// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A record of 64 bytes of which the loop wants four: hot and cold data mixed.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22;

struct Material {
  float density;
  float stiffness[6];
  struct {
    float colour[4], gloss, glow;
  } look;
  float unused[3];
};

struct Fields {
  const float *__restrict__ all;
  __device__ const float *field(int f) const { return all + f * N; }
};

template <class F>
__global__ void density_of(float *__restrict__ out,
                           const Material *__restrict__ in, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load 'in[i].density' at 64*tid: 32 sectors, ideal 4; aos; warns aos-field-access
    const float v = in[i].density;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

template <class F>
__global__ void density_of_soa(float *__restrict__ out, Fields in, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load at 4*tid + 0: 4 sectors, ideal 4; coalesced
    const float v = in.field(0)[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

struct Halve {
  __host__ __device__ float operator()(float v) const { return 0.5f * v; }
};

void slow(float *out, const Material *in) {
  density_of<<<(N + 255) / 256, 256>>>(out, in, Halve{});
}
void fast(float *out, const Material *in) {
  density_of_soa<<<(N + 255) / 256, 256>>>(
      out, Fields{reinterpret_cast<const float *>(in)}, Halve{});
}
void reference(float *out, const Material *in) {
  for (int i = 0; i < N; ++i)
    out[i] = Halve()(in[i].density);
}
void arrays(Material *to, const Material *from) {
  constexpr int Count = sizeof(Material) / sizeof(float);
  const float *f = reinterpret_cast<const float *>(from);
  float *t = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < Count; ++k)
      t[k * N + i] = f[Count * i + k];
}

corpus::Enlisted pair = corpus::pair("aos/material", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, arrays);

} // namespace
