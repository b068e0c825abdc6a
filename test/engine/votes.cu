// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Votes: the lanes that pass are numbered by the bits below them.
// block: 32
__global__ void compact_even(const float *__restrict__ in,
                             float *__restrict__ out) {
  const unsigned lane = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[lane];
  const unsigned even = __ballot_sync(~0u, lane % 2 == 0);
  if (lane % 2 == 0) {
    const int slot = __builtin_popcount(even & ((1u << lane) - 1));
    // expect: global store at 4*(tid // 2) if tid % 2 == 0: 2 sectors, ideal 2; coalesced; 16 lanes
    out[slot] = v;
  }
}

// The same where the data votes: how many pass is not known.
// block: 32
__global__ void compact_positive(const float *__restrict__ in,
                                 float *__restrict__ out) {
  const unsigned lane = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[lane];
  const unsigned keep = __ballot_sync(~0u, v > 0.f);
  if (v > 0.f) {
    const int slot = __builtin_popcount(keep & ((1u << lane) - 1));
    // expect: global store: any sectors; because data-dependent-address; indirect
    out[slot] = v;
  }
}

void run(const float *in, float *out) {
  compact_even<<<1, 32>>>(in, out);
  compact_positive<<<1, 32>>>(in, out);
}
