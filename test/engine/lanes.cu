// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Indices made of what lanes tell each other, of the lane's number, and of
// bits.

__device__ inline unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__global__ void by_lane_id(const float *__restrict__ in,
                           float *__restrict__ out) {
  const unsigned lane = lane_id(), warp = threadIdx.x / 32;
  // expect: global load at 4*(64*warp + 2*lane): 8 sectors, ideal 4; strided; warns strided-access
  const float v = in[64 * warp + 2 * lane];
  // expect: global store at 4*(32*warp + (lane ^ 16)): 4 sectors, ideal 4; coalesced
  out[32 * warp + (lane ^ 16u)] = v;
}

// The index comes from another lane: up, down, xor and by number.
__global__ void by_shuffle(const float *__restrict__ in,
                           float *__restrict__ out) {
  const int t = threadIdx.x;
  const int mirrored = __shfl_xor_sync(~0u, t, 31);
  // expect: global load at 4*(tid ^ 31): 4 sectors, ideal 4; coalesced
  float v = in[mirrored];
  const int leader = __shfl_sync(~0u, 3 * t, 0);
  // expect: global load at 4*(3*(tid - lane)): 1 sector, ideal 1; broadcast
  v += in[leader];
  // Down by 8 within the warp: the last 8 lanes keep their own.
  const int later = __shfl_down_sync(~0u, 8 * t, 8);
  // expect: global load at 4*(8*(tid + 8 if lane < 24 else tid)): 24 sectors, ideal 3; strided; warns strided-access
  v += in[later];
  // In quarters of 8 lanes: lane 5 of each.
  const int fifth = __shfl_sync(~0u, t, 5, 8);
  // expect: global load at 4*(tid - lane % 8 + 5): 4 sectors, ideal 1; strided; warns strided-access
  v += in[fifth];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// Swizzles of the thread index: bank (t ^ t/32) differs for the lanes of a
// warp; t ^ (t >> 3) is a permutation of the 32 words of a warp.
// block: 256
__global__ void swizzles(const float *__restrict__ in,
                         float *__restrict__ out) {
  __shared__ float s[256], q[256], r[544];
  const unsigned t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[t];
  // expect: shared store at 4*(tid ^ (tid // 32)): 1 wavefront, ideal 1; conflict-free
  s[t ^ (t / 32)] = v;
  // expect: shared store at 4*(tid ^ (tid >> 3)): 1 wavefront, ideal 1; conflict-free
  q[t ^ (t >> 3)] = v;
  // Padding by shifts: i + i/32 leaves neighbours neighbours; 2i + i/16 spreads
  // the two halves of stride 2 over odd and even banks.
  // expect: shared store at 4*(2*tid + tid // 16): 1 wavefront, ideal 1; conflict-free
  r[2 * t + t / 16] = v;
  __syncthreads();
  // expect: shared load at 4*(8*(tid % 32) + tid // 32): 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float a = s[8 * (t % 32) + t / 32];
  // expect: shared load at 4*(255 - tid): 1 wavefront, ideal 1; conflict-free
  const float b = q[255 - t];
  // expect: shared load at 4*(2*(255 - tid)): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float c = r[2 * (255 - t)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = a + b + c;
}

void run(const float *in, float *out) {
  by_lane_id<<<1, 256>>>(in, out);
  by_shuffle<<<1, 256>>>(in, out);
  swizzles<<<1, 256>>>(in, out);
}
