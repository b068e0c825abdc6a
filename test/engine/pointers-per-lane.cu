// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Each lane follows a pointer of its own: where it leads is data.
// block: 256
__global__ void rows(const float *const *__restrict__ table,
                     float *__restrict__ out) {
  const int t = threadIdx.x;
  // Pointers are 8 bytes: 32 of them are 256 bytes.
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const float *row = table[t];
  // expect: global load: any sectors; because data-dependent-address; indirect
  const float v = row[3];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(const float *const *table, float *out) { rows<<<1, 256>>>(table, out); }
