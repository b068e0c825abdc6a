// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// 1024 elements between lanes are no worse than 8: a sector a lane either way.

template <unsigned Stride>
__global__ void sample(const float *__restrict__ field,
                       float *__restrict__ probes) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(sample<8u>): global load at 32*tid: 32 sectors, ideal 4; strided; warns strided-access
  // expect(sample<1024u>): global load at 4096*tid: 32 sectors, ideal 4; strided; warns strided-access
  const float v = field[Stride * i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  probes[i] = v;
}

void run(const float *field, float *probes) {
  sample<8><<<64, 256>>>(field, probes);
  sample<1024><<<64, 256>>>(field, probes);
}
