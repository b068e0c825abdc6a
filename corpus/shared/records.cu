// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Bodies in shared memory, all pairs of a block. A record of eight words puts
// one field of 32 lanes in four banks; with a word more, an odd number, it is a
// bank a lane, and needs no structure of arrays.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 20, Threads = 256, Rounds = 64;

template <int Extra> struct Body { float x, y, z, mass, state[4 + Extra]; };

template <int Extra>
__global__ void attraction(float *__restrict__ out,
                           const float2 *__restrict__ in) {
  __shared__ Body<Extra> bodies[Threads];
  const int t = threadIdx.x, i = blockIdx.x * Threads + t;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const float2 v = in[i];
  // expect(<0>): shared store at 32*tid: 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<1>): shared store at 36*tid: 1 wavefront, ideal 1; conflict-free
  bodies[t].x = v.x;
  // expect(<0>): shared store at 32*tid + 12: 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<1>): shared store at 36*tid + 12: 1 wavefront, ideal 1; conflict-free
  bodies[t].mass = v.y;
  __syncthreads();
  float pull = 0.f;
#pragma unroll
  for (int k = 0; k < Rounds; ++k) {
    const Body<Extra> &other = bodies[t ^ k];
    // expect(<0>): shared load at 32*(tid ^ k) for k in range(64): 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<1>): shared load at 36*(tid ^ k) for k in range(64): 1 wavefront, ideal 1; conflict-free
    // expect(<0>): shared load at 32*(tid ^ k) + 12 for k in range(64): 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<1>): shared load at 36*(tid ^ k) + 12 for k in range(64): 1 wavefront, ideal 1; conflict-free
    pull += other.mass * (other.x - v.x);
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = pull;
}

void slow(float *out, const float2 *in) {
  attraction<0><<<N / Threads, Threads>>>(out, in);
}
void fast(float *out, const float2 *in) {
  attraction<1><<<N / Threads, Threads>>>(out, in);
}
void reference(float *out, const float2 *in) {
  for (int i = 0; i < N; ++i) {
    out[i] = 0.f;
    for (int k = 0; k < Rounds; ++k)
      out[i] += in[i ^ k].y * (in[i ^ k].x - in[i].x);
  }
}

corpus::Enlisted pair =
    corpus::pair("shared/records", slow, fast, reference).output(N).input<0>(N);

} // namespace
