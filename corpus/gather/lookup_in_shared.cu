// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A table of 64 entries in shared memory, looked up by data. Entries 128 bytes
// apart are all in one bank; packed they are in all.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24, Entries = 64, Rounds = 16;

template <int Pitch>
__global__ void translate(unsigned *__restrict__ out,
                          const unsigned *__restrict__ in) {
  __shared__ unsigned table[Entries * Pitch];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < Entries) {
    // expect(<32>): shared store at 128*tid if tid < 64: 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<1>): shared store at 4*tid if tid < 64: 1 wavefront, ideal 1; conflict-free
    table[t * Pitch] = 0x9e3779b9u * (t + 1);
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  unsigned v = in[i];
#pragma unroll 1
  for (int k = 0; k < Rounds; ++k) {
    // expect: shared load: 1..32 wavefronts, ideal 1; indirect; because data-dependent-address
    v ^= table[(v >> 26) * Pitch] + k;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

void slow(unsigned *out, const unsigned *in) {
  translate<32><<<N / 256, 256>>>(out, in);
}
void fast(unsigned *out, const unsigned *in) {
  translate<1><<<N / 256, 256>>>(out, in);
}
void reference(unsigned *out, const unsigned *in) {
  for (int i = 0; i < N; ++i) {
    unsigned v = in[i];
    for (int k = 0; k < Rounds; ++k)
      v ^= 0x9e3779b9u * ((v >> 26) + 1) + k;
    out[i] = v;
  }
}

corpus::Enlisted pair =
    corpus::pair("gather/lookup_in_shared", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
