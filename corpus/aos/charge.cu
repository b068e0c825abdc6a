// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One field of a particle of 48 bytes: a sector a lane. The record is aligned,
// which does not help a lane that wants one float of it.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22;

struct alignas(16) Particle {
  float position[4], velocity[4], mass, charge, radius, age;
};

struct Fields {
  const float *__restrict__ all;
  __device__ const float *field(int f) const { return all + f * N; }
};

template <class F>
__global__ void charge_of(float *__restrict__ out,
                          const Particle *__restrict__ in, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load 'in[i].charge' at 48*tid + 36: 32 sectors, ideal 4; aos; warns aos-field-access
    const float v = in[i].charge;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

template <class F>
__global__ void charge_of_soa(float *__restrict__ out, Fields in, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) {
    // expect: global load at 4*tid + 4*(1 << 22)*9: 4 sectors, ideal 4; coalesced
    const float v = in.field(9)[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

struct Halve {
  __host__ __device__ float operator()(float v) const { return 0.5f * v; }
};

void slow(float *out, const Particle *in) {
  charge_of<<<(N + 255) / 256, 256>>>(out, in, Halve{});
}
void fast(float *out, const Particle *in) {
  charge_of_soa<<<(N + 255) / 256, 256>>>(
      out, Fields{reinterpret_cast<const float *>(in)}, Halve{});
}
void reference(float *out, const Particle *in) {
  for (int i = 0; i < N; ++i)
    out[i] = Halve()(in[i].charge);
}
void arrays(Particle *to, const Particle *from) {
  constexpr int Count = sizeof(Particle) / sizeof(float);
  const float *f = reinterpret_cast<const float *>(from);
  float *t = reinterpret_cast<float *>(to);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < Count; ++k)
      t[k * N + i] = f[Count * i + k];
}

corpus::Enlisted pair = corpus::pair("aos/charge", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .layout<corpus::Fast, 0>(N, arrays);

} // namespace
