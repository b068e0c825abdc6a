// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// ldmatrix reads the 16-byte rows its lanes point to, eight a phase. Rows 128
// bytes apart share their banks, 8-way; 144 bytes apart they do not.

// block: 32
__device__ inline unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ inline void load_matrix_x4(unsigned (&r)[4], const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row)));
}

__device__ inline void load_matrix_x2(unsigned (&r)[2], const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(r[0]), "=r"(r[1])
               : "r"(shared_address(row)));
}

template <int Pitch>
__global__ void fragments(const unsigned short *__restrict__ in,
                          unsigned *__restrict__ out) {
  __shared__ __align__(16) unsigned short tile[16 * Pitch];
  const int t = threadIdx.x;
  for (int r = 0; r < 16; ++r) {
    // expect: global load 2-byte at 64*r + 2*tid for r in range(16): 2 sectors, ideal 2; coalesced
    // expect(<64>): shared store 2-byte at 128*r + 2*tid for r in range(16): 1 wavefront, ideal 1; conflict-free
    // expect(<72>): shared store 2-byte at 144*r + 2*tid for r in range(16): 1 wavefront, ideal 1; conflict-free
    tile[Pitch * r + t] = in[32 * r + t];
  }
  __syncwarp();
  unsigned a[4], b[2];
  // The access of a wrapper around PTX stands where the wrapper is called.
  // expect(<64>): shared load 16-byte 4-matrix at 128*(tid%16) + 16*(tid//16): 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
  // expect(<72>): shared load 16-byte 4-matrix at 144*(tid%16) + 16*(tid//16): 4 wavefronts, ideal 4; conflict-free
  load_matrix_x4(a, &tile[Pitch * (t % 16) + 8 * (t / 16)]);
  // expect(<64>): shared load 16-byte 2-matrix at 128*(tid%16): 16 wavefronts, ideal 2; conflict; warns shared-bank-conflict
  // expect(<72>): shared load 16-byte 2-matrix at 144*(tid%16): 2 wavefronts, ideal 2; conflict-free
  load_matrix_x2(b, &tile[Pitch * (t % 16)]);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = a[0] ^ a[1] ^ a[2] ^ a[3] ^ b[0] ^ b[1];
}

void run(const unsigned short *in, unsigned *out) {
  fragments<64><<<1, 32>>>(in, out);
  fragments<72><<<1, 32>>>(in, out);
}
