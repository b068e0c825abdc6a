// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The kernel is innocent: the launch gives it `packet + 1`, behind a header of
// one word. Only the launch shows it.

__global__ void checksum(const unsigned *__restrict__ payload,
                         unsigned *__restrict__ sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'payload[i]' at 4*tid + 4: 5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
  const unsigned word = payload[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  sums[i] = word ^ (word >> 16);
}

void run(const unsigned *packet, unsigned *sums, int words) {
  checksum<<<words / 256, 256>>>(packet + 1, sums);
}
