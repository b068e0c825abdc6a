// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Shared memory adds no floating point and nothing of 8 bytes: nvcc makes a
// loop of a load, the sum and a compare-and-swap. A round takes the banks
// twice, for words as a store does; of the lanes on one word one succeeds a
// round.
// block: 256
__global__ void sums(const float *__restrict__ in, const double *wide,
                     float *__restrict__ out, double *wide_out, float limit) {
  __shared__ float sum, some, by_lane[64], by_eight[32];
  __shared__ double wide_sum, wide_by_lane[32];
  const int t = threadIdx.x, lane = t % 32;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[t];
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const double w = wide[t];

  // One word: 32 rounds of 2.
  // expect: shared looping atomic at 0: 2 wavefronts, ideal 2; broadcast; warns shared-bank-conflict
  // expect: shared load at 0: 1 wavefront, ideal 1; broadcast
  atomicAdd(&sum, v);
  // A word for every lane: one round.
  // expect: shared looping atomic at 4*lane: 2 wavefronts, ideal 2; conflict-free
  // expect: shared load at 4*lane: 1 wavefront, ideal 1; conflict-free
  atomicAdd(&by_lane[lane], v);
  // Every other word: two lanes meet in a bank, with words of their own.
  // expect: shared looping atomic at 8*lane: 4 wavefronts, ideal 2; conflict; warns shared-bank-conflict
  // expect: shared load at 8*lane: 2 wavefronts, ideal 1; conflict
  atomicAdd(&by_lane[2 * lane], v);
  // Eight lanes a word: 8 rounds, none of which has a conflict.
  // expect: shared looping atomic at 4*(tid // 8): 2 wavefronts, ideal 2; conflict-free; warns shared-bank-conflict
  // expect: shared load at 4*(tid // 8): 1 wavefront, ideal 1; conflict-free
  atomicAdd(&by_eight[t / 8], v);
  // Data decides which lanes add; whichever, a round is 2.
  if (v > limit) {
    // expect: shared looping atomic at 0: 2 wavefronts, ideal 2; broadcast; warns shared-bank-conflict (low)
    // expect: shared load at 0: 1 wavefront, ideal 1; broadcast
    atomicAdd(&some, v);
  }

  // Of 8 bytes a half-warp is a pass: 4 while both have lanes left, then 2. How
  // long that is depends on who succeeds.
  // expect: shared looping atomic 8-byte at 0: 3 guessed in 2..4 wavefronts, ideal 3; because data-dependent-mask; warns shared-bank-conflict
  // expect: shared load 8-byte at 0: 1 wavefront, ideal 1; broadcast
  atomicAdd(&wide_sum, w);
  // expect: shared looping atomic 8-byte at 8*lane: 4 wavefronts, ideal 4; conflict-free
  // expect: shared load 8-byte at 8*lane: 2 wavefronts, ideal 2; conflict-free
  atomicAdd(&wide_by_lane[lane], w);
  __syncthreads();
  // expect: shared load 'sum' at 0: 1 wavefront, ideal 1; broadcast
  // expect: shared load 'some' at 0: 1 wavefront, ideal 1; broadcast
  // expect: shared load at 4*lane: 1 wavefront, ideal 1; conflict-free
  // expect: shared load at 4*(tid // 8): 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum + some + by_lane[lane] + by_eight[t / 8];
  // expect: shared load 8-byte at 0: 1 wavefront, ideal 1; broadcast
  // expect: shared load 8-byte at 8*lane: 2 wavefronts, ideal 2; conflict-free
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  wide_out[t] = wide_sum + wide_by_lane[lane];
}

void run(const float *in, const double *wide, float *out, double *wide_out,
         float limit) {
  sums<<<1, 256>>>(in, wide, out, wide_out, limit);
}
