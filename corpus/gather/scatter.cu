// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The same for stores, by a permutation, and for atomics, in a histogram.

__global__ void permute(const float *__restrict__ in,
                        const unsigned *__restrict__ to,
                        float *__restrict__ out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[i];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned j = to[i];
  // expect: global store 'out[j]': 1..32 sectors, ideal 4; indirect; because data-dependent-address
  out[j] = v;
}

__global__ void histogram(const unsigned char *__restrict__ values,
                          unsigned *__restrict__ bins) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 1-byte at tid: 1 sector, ideal 1; coalesced
  const unsigned bin = values[i];
  // expect: global atomic: 1..32 sectors, ideal 4; indirect; because data-dependent-address
  atomicAdd(&bins[bin], 1u);
}

void run(const float *in, const unsigned *to, float *out,
         const unsigned char *values, unsigned *bins) {
  permute<<<64, 256>>>(in, to, out);
  histogram<<<64, 256>>>(values, bins);
}
