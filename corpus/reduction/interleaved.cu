// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Interleaved addressing: step k works on s[2*k*t]. Stride 2, 4, 8 ... words,
// while lanes drop out:
//   k = 1  4 warps  2-way        k = 16  8 lanes 8-way
//   k = 2  2 warps  4-way        k = 32  4 lanes 4-way
//   k = 4  1 warp   8-way        k = 64  2 lanes 2-way
//   k = 8  16 lanes 8-way        k = 128 1 lane
// 12 requests, (4*2 + 2*4 + 8 + 8 + 8 + 4 + 2 + 1) / 12 = 47/12 wavefronts.

__global__ void sum_interleaved(const float *__restrict__ in,
                                float *__restrict__ out) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    const unsigned i = 2 * k * t;
    if (i < blockDim.x) {
      // expect: shared load at 4*(2*k*tid + k) for k in (1, 2, 4, 8, 16, 32, 64, 128) if 2*k*tid < 256: 3.9167 in 1..8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      const float other = s[i + k];
      // expect: shared load at 4*(2*k*tid) for k in (1, 2, 4, 8, 16, 32, 64, 128) if 2*k*tid < 256: 3.9167 in 1..8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      const float mine = s[i];
      // expect: shared store at 4*(2*k*tid) for k in (1, 2, 4, 8, 16, 32, 64, 128) if 2*k*tid < 256: 3.9167 in 1..8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
      s[i] = mine + other;
    }
    __syncthreads();
  }
  if (t == 0) {
    // expect: shared load at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    // expect: global store at 4*b for b in range(8) if tid == 0: 1 sector, ideal 1; 1 lanes
    out[blockIdx.x] = s[0];
  }
}

void run(const float *in, float *out) { sum_interleaved<<<64, 256>>>(in, out); }
