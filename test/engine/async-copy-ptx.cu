// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// cp.async in PTX: 16 bytes by cp.async.cg, rows of 8 pieces into padded rows
// of 9, so 4 rows a warp.
// block: 256
__device__ inline void copy16(void *to, const void *from) {
  const unsigned s = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(from));
}

__global__ void stage_rows(const float4 *__restrict__ in,
                           float4 *__restrict__ out) {
  __shared__ float4 s[32][9];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  // expect: global load 16-byte at 1024*(tid//8) + 16*(tid%8): 16 sectors, ideal 16; coalesced
  // expect: shared store 16-byte at 144*(tid//8) + 16*(tid%8): 4 wavefronts, ideal 4; conflict-free
  copy16(&s[r][c], &in[64 * r + c]);
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  // A column of pieces: 8 lanes of a pass are 8 rows, 36 words apart: 4 * r.
  const float4 v = s[threadIdx.x % 32][threadIdx.x / 32];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: shared load 16-byte at 144*(tid%32) + 16*(tid//32): 4 wavefronts, ideal 4; conflict-free
  out[threadIdx.x] = v;
}

void run(const float4 *in, float4 *out) { stage_rows<<<1, 256>>>(in, out); }
