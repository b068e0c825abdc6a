// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Dynamic shared memory carved into two tables, doubles and ints, each with a
// row a lane. Rows of 32 doubles and of 32 ints share their banks; a pitch of
// one more spares them.

#include "../harness.cuh"

namespace {

constexpr int Blocks = 1 << 14, Lanes = 32;

template <int Pitch> struct Tables {
  double *weights;
  int *counts;
  __device__ explicit Tables(unsigned char *memory)
      : weights(reinterpret_cast<double *>(memory)),
        counts(reinterpret_cast<int *>(weights + Lanes * Pitch)) {}
  static constexpr int Bytes = Lanes * Pitch * (sizeof(double) + sizeof(int));
};

// block: 32
template <int Pitch>
__global__ void weighted(double *__restrict__ out, const int *__restrict__ in) {
  extern __shared__ __align__(16) unsigned char memory[];
  Tables<Pitch> tables(memory);
  const int lane = threadIdx.x;
#pragma unroll 4
  for (int r = 0; r < Lanes; ++r) {
    // expect: global load at 128*r + 4*lane for r in range(32): 4 sectors, ideal 4; coalesced
    const int v = in[(blockIdx.x * Lanes + r) * Lanes + lane] & 0xff;
    // expect(<32>): shared store at 128*r + 4*lane for r in range(32): 1 wavefront, ideal 1; conflict-free
    // expect(<33>): shared store at 132*r + 4*lane for r in range(32): 1 wavefront, ideal 1; conflict-free
    tables.counts[r * Pitch + lane] = v;
    // expect(<32>): shared store 8-byte at 256*r + 8*lane for r in range(32): 2 wavefronts, ideal 2; conflict-free
    // expect(<33>): shared store 8-byte at 264*r + 8*lane for r in range(32): 2 wavefronts, ideal 2; conflict-free
    tables.weights[r * Pitch + lane] = 1.0 / (1 + lane);
  }
  __syncwarp();
  double sum = 0;
#pragma unroll 1
  for (int k = 0; k < Lanes; ++k) {
    // expect(<32>): shared load 8-byte at 256*lane + 8*k for k in range(32): 32 wavefronts, ideal 2; conflict; warns shared-bank-conflict
    // expect(<33>): shared load 8-byte at 264*lane + 8*k for k in range(32): 2 wavefronts, ideal 2; conflict-free
    const double weight = tables.weights[lane * Pitch + k];
    // expect(<32>): shared load at 128*lane + 4*k for k in range(32): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    // expect(<33>): shared load at 132*lane + 4*k for k in range(32): 1 wavefront, ideal 1; conflict-free
    sum += weight * tables.counts[lane * Pitch + k];
  }
  // expect: global store 8-byte at 8*lane: 8 sectors, ideal 8; coalesced
  out[blockIdx.x * Lanes + lane] = sum;
}

void slow(double *out, const int *in) {
  weighted<32><<<Blocks, Lanes, Tables<32>::Bytes>>>(out, in);
}
void fast(double *out, const int *in) {
  weighted<33><<<Blocks, Lanes, Tables<33>::Bytes>>>(out, in);
}
void reference(double *out, const int *in) {
  for (int row = 0; row < Blocks * Lanes; ++row) {
    out[row] = 0;
    for (int k = 0; k < Lanes; ++k)
      out[row] += 1.0 / (1 + k) * (in[row * Lanes + k] & 0xff);
  }
}

corpus::Enlisted pair = corpus::pair("shared/carved", slow, fast, reference)
                            .output(Blocks * Lanes)
                            .input<0>(Blocks * Lanes * Lanes);

} // namespace
