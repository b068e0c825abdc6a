// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lanes of one word are served one after another, unless they only count: then
// the hardware adds them up first.
// block: 256
__global__ void one_word(const unsigned *__restrict__ in,
                         unsigned *__restrict__ out) {
  __shared__ unsigned sum, count, by_eight[32];
  const int t = threadIdx.x;
  if (t < 32) {
    // expect: shared store at 4*tid if tid < 32: 1 wavefront, ideal 1; conflict-free
    by_eight[t] = 0;
  }
  if (t == 0) {
    // expect: shared store at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    sum = 0;
    // expect: shared store at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    count = 0;
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned v = in[t];
  // The compiler adds the lanes up (REDUX), one lane goes to memory.
  // expect: shared atomic at 0 if tid % 32 == 0: 1 wavefront, ideal 1; 1 lanes
  atomicAdd(&sum, v);
  // expect: shared counting atomic at 0: 1 wavefront, ideal 1
  atomicAdd(&count, 1u);
  // expect: shared atomic at 4*(tid // 8): 8 wavefronts, ideal 1; warns shared-bank-conflict
  atomicAdd(&by_eight[t / 8], v);
  __syncthreads();
  // expect: shared load at 0: 1 wavefront, ideal 1; broadcast
  const unsigned total = sum;
  // expect: shared load at 0: 1 wavefront, ideal 1; broadcast
  const unsigned threads = count;
  // expect: shared load at 4*(tid // 8): 1 wavefront, ideal 1; conflict-free
  const unsigned part = by_eight[t / 8];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = total / threads - part;
}

void run(const unsigned *in, unsigned *out) { one_word<<<1, 256>>>(in, out); }
