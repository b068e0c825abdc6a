// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Fragments of a 16x64 tile of halves by ldmatrix. Rows of 128 bytes put the
// eight rows of a phase in the same four banks, rows of 144 bytes in all 32.

#include "../harness.cuh"

namespace {

constexpr int Blocks = 1 << 14, Rows = 16, Columns = 64, Rounds = 16;

// block: 32
template <int Pitch>
__global__ void fragments(unsigned *__restrict__ out,
                          const uint4 *__restrict__ in) {
  __shared__ __align__(16) unsigned short tile[Rows * Pitch];
  const int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int piece = t + 32 * k;
    unsigned short *to = &tile[piece / 8 * Pitch + piece % 8 * 8];
    // expect: global load 16-byte at 16*(tid + 32*k) for k in range(4): 16 sectors, ideal 16; coalesced
    // expect(<64>): shared store 16-byte at 128*((tid + 32*k)//8) + 16*(tid%8) for k in range(4): 4 wavefronts, ideal 4; conflict-free
    // expect(<72>): shared store 16-byte at 144*((tid + 32*k)//8) + 16*(tid%8) for k in range(4): 4 wavefronts, ideal 4; conflict-free
    *reinterpret_cast<uint4 *>(to) = in[blockIdx.x * 128 + piece];
  }
  __syncwarp();
  const void *row = &tile[Pitch * (t % 16) + 8 * (t / 16)];
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  unsigned sum = 0;
#pragma unroll 1
  for (int k = 0; k < Rounds; ++k) {
    unsigned a[4];
    // expect(<64>): shared load 16-byte 4-matrix at 128*(tid%16) + 16*(tid//16) + 32*(k%4) for k in range(16): 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
    // expect(<72>): shared load 16-byte 4-matrix at 144*(tid%16) + 16*(tid//16) + 32*(k%4) for k in range(16): 4 wavefronts, ideal 4; conflict-free
    // One line, so that nvcc and clang agree on it.
    // clang-format off
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(at + 32 * (k % 4)));
    // clang-format on
    sum = 3 * sum + (a[0] ^ a[1] ^ a[2] ^ a[3]);
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * 32 + t] = sum;
}

void slow(unsigned *out, const uint4 *in) {
  fragments<64><<<Blocks, 32>>>(out, in);
}
void fast(unsigned *out, const uint4 *in) {
  fragments<72><<<Blocks, 32>>>(out, in);
}
// Matrix m of a 16x16 piece is rows 8*(m%2).., columns 8*(m/2)..; lane l has
// the two halves at row l/4, columns 2*(l%4) and the next.
void reference(unsigned *out, const uint4 *in) {
  for (int b = 0; b < Blocks; ++b) {
    const unsigned *words = reinterpret_cast<const unsigned *>(in + b * 128);
    for (int lane = 0; lane < 32; ++lane) {
      unsigned sum = 0;
      for (int k = 0; k < Rounds; ++k) {
        unsigned piece = 0;
        for (int m = 0; m < 4; ++m)
          piece ^= words[(8 * (m % 2) + lane / 4) * (Columns / 2) +
                         4 * (m / 2) + 8 * (k % 4) + lane % 4];
        sum = 3 * sum + piece;
      }
      out[b * 32 + lane] = sum;
    }
  }
}
void any_bits(uint4 *to, corpus::Count n, corpus::Random &random) {
  corpus::fillUniform(reinterpret_cast<unsigned *>(to), 4 * n, random);
}

corpus::Enlisted pair =
    corpus::pair("shared/ldmatrix_rows", slow, fast, reference)
        .output(Blocks * 32)
        .input<0>(Blocks * 128, any_bits);

} // namespace
