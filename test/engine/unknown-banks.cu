// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Addresses in shared memory that are not known and yet have known banks: what
// all lanes are shifted by only turns the banks round, and whole rows of them
// move none.
// block: 256

// 32 words in a row of a ring of 8 rows: all banks once.
__global__ void ring(float *__restrict__ out, const int *__restrict__ start) {
  __shared__ float words[256];
  const int t = threadIdx.x;
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  words[t] = (float)t;
  __syncthreads();
  // expect: global load at 0: 1 sectors, ideal 1; broadcast
  const int s = start[0];
  // expect: shared load: 1 wavefront, ideal 1; conflict-free
  const float one = words[(t + s) & 255];
  // Every other word: 16 banks.
  // expect: shared load: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float other = words[(2 * t + s) & 255];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = one + other;
}

// A linear congruence picks records of 8 words: 13 * lane + ... goes through
// the 4 records in a row of banks, so 8 lanes meet in each bank, all on records
// of their own.
__global__ void congruence(float *__restrict__ out, unsigned seed) {
  __shared__ float pool[256 * 8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    // expect: shared store at 4*(tid + 256*k) for k in range(8): 1 wavefront, ideal 1; conflict-free
    pool[256 * i + t] = (float)i;
  float sum = 0;
  for (int i = 0; i < 1000; ++i) {
    __syncthreads();
    seed = 1664525u * seed + 1013904223u;
    const unsigned record = ((seed + t) * 13 + 59) & 255;
    // expect: shared load: 8 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    sum += pool[8 * record];
    __syncthreads();
    // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
    pool[t] = sum;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum;
}

// A histogram with a column for each lane: every bank once, whatever the bin.
__global__ void columns(const int *__restrict__ in, int *__restrict__ out) {
  __shared__ int bins[64][32];
  const int t = threadIdx.x, lane = t % 32;
  for (int i = 0; i < 8; ++i)
    // expect: shared store at 4*(tid + 256*k) for k in range(8): 1 wavefront, ideal 1; conflict-free
    bins[t / 32 + 8 * i][lane] = 0;
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int bin = in[t] & 63;
  // expect: shared atomic: 1 wavefront, ideal 1; conflict-free
  atomicAdd(&bins[bin][lane], t);
  __syncthreads();
  // Eight columns: in each bank four lanes, on one word or on four.
  // expect: shared load: 1 guessed in 1..4 wavefronts, ideal 1; indirect; because data-dependent-address
  const int v = bins[bin][lane % 8];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}
