// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// With shuffles a warp needs no shared memory; one word a warp is left for the
// block's sum, one lane writes it, and the first warp reads eight of them.

__device__ inline float warp_sum(float v) {
  for (int o = 16; o > 0; o >>= 1)
    v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}

__global__ void sum_shuffle(const float *__restrict__ in,
                            float *__restrict__ out) {
  __shared__ float partial[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
  if (lane == 0) {
    // expect: shared store at 4*warp if lane == 0: 1 wavefront, ideal 1; 1 lanes
    partial[warp] = v;
  }
  __syncthreads();
  if (warp == 0) {
    // expect: shared load at 4*lane if warp == 0 and lane < 8: 1 wavefront, ideal 1; conflict-free; 8 lanes
    const float sum = warp_sum(lane < 8 ? partial[lane] : 0.f);
    if (lane == 0) {
      // expect: global store at 4*b for b in range(8) if tid == 0: 1 sector, ideal 1; 1 lanes
      out[blockIdx.x] = sum;
    }
  }
}

void run(const float *in, float *out) { sum_shuffle<<<64, 256>>>(in, out); }
