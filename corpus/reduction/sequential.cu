// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Sequential addressing: s[t] += s[t + k], k halving. Neighbouring lanes,
// neighbouring words, in every step: conflict-free.

template <unsigned Threads>
__global__ void sum_sequential(const float *__restrict__ in,
                               float *__restrict__ out) {
  __shared__ float s[Threads];
  const unsigned t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[blockIdx.x * Threads + t];
  __syncthreads();
  for (unsigned k = Threads / 2; k > 0; k >>= 1) {
    if (t < k) {
      // expect: shared load at 4*(tid + k) for k in (128, 64, 32, 16, 8, 4, 2, 1) if tid < k: 1 wavefront, ideal 1; conflict-free
      const float other = s[t + k];
      // expect: shared load at 4*tid for k in (128, 64, 32, 16, 8, 4, 2, 1) if tid < k: 1 wavefront, ideal 1; conflict-free
      const float mine = s[t];
      // expect: shared store at 4*tid for k in (128, 64, 32, 16, 8, 4, 2, 1) if tid < k: 1 wavefront, ideal 1; conflict-free
      s[t] = mine + other;
    }
    __syncthreads();
  }
  if (t == 0) {
    // expect: shared load at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    // expect: global store at 4*b for b in range(8) if tid == 0: 1 sector, ideal 1; 1 lanes
    out[blockIdx.x] = s[0];
  }
}

void run(const float *in, float *out) {
  sum_sequential<256><<<64, 256>>>(in, out);
}
