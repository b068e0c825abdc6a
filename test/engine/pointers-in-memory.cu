// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Pointers that the host keeps in memory: the pointer is data, but uniform.
__global__ void indirect_table(float *const *__restrict__ tables,
                               float *__restrict__ out) {
  // expect: global load 8-byte at 8*b for b in range(4): 1 sector, ideal 1; broadcast
  const float *table = tables[blockIdx.x];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = table[threadIdx.x];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}

void run(float *const *tables, float *out) {
  indirect_table<<<4, 256>>>(tables, out);
}
