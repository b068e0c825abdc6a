// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One field of a record of four is written: 16 bytes between lanes, so that
// each of 16 sectors is written by halves.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

struct State {
  float pressure, temperature, density, energy;
};

__device__ inline float ideal_gas(float t) { return 287.f * t; }

__global__ void update(State *__restrict__ states,
                       const float *__restrict__ t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float p = ideal_gas(t[i]);
  // expect: global store 'states[i].pressure' at 16*tid: 16 sectors, ideal 4; aos; warns aos-field-access
  states[i].pressure = p;
}

__global__ void update_soa(float *__restrict__ pressure,
                           const float *__restrict__ t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float p = ideal_gas(t[i]);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  pressure[i] = p;
}

void slow(float *states, const float *t) {
  update<<<N / 256, 256>>>(reinterpret_cast<State *>(states), t);
}
void fast(float *pressure, const float *t) {
  update_soa<<<N / 256, 256>>>(pressure, t);
}
void reference(float *pressure, const float *t) {
  for (int i = 0; i < N; ++i)
    pressure[i] = 287.f * t[i];
}
void pressures(float *to, const float *states) {
  for (int i = 0; i < N; ++i)
    to[i] = states[4 * i];
}

corpus::Enlisted pair = corpus::pair("aos/store_field", slow, fast, reference)
                            .output(N)
                            .input<0>(N)
                            .restore<corpus::Slow>(4 * N, pressures);

} // namespace
