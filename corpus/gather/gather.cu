// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The index is data: anything from one sector (all lanes alike) to a sector a
// lane. No number can be claimed; the index itself is read well.

__global__ void gather(const float *__restrict__ table,
                       const int *__restrict__ index, float *__restrict__ out,
                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 'index[i]' at 4*tid: 4 sectors, ideal 4; coalesced
    const int j = index[i];
    // expect: global load 'table[j]': 1..32 sectors, ideal 4; indirect; because data-dependent-address; clean
    const float v = table[j];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = v;
  }
}

void run(const float *table, const int *index, float *out, int n) {
  gather<<<(n + 255) / 256, 256>>>(table, index, out, n);
}
