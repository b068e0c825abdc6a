// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The payload behind a header of one word: every warp touches a fifth sector,
// which its neighbour needs too. The launch, not the kernel, is to blame.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

__global__ void checksum(unsigned *__restrict__ sums,
                         const unsigned *__restrict__ payload) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'payload[i]' at 4*tid + 4: 5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
  const unsigned word = payload[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  sums[i] = word ^ (word >> 16);
}

__global__ void checksum_aligned(unsigned *__restrict__ sums,
                                 const unsigned *__restrict__ payload) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'payload[i]' at 4*tid + 256: 4 sectors, ideal 4; coalesced
  const unsigned word = payload[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  sums[i] = word ^ (word >> 16);
}

constexpr int Header = 64; // words, of which the first is used

void slow(unsigned *sums, const unsigned *packet) {
  checksum<<<N / 256, 256>>>(sums, packet + 1);
}
void fast(unsigned *sums, const unsigned *packet) {
  checksum_aligned<<<N / 256, 256>>>(sums, packet + Header);
}
void reference(unsigned *sums, const unsigned *packet) {
  for (int i = 0; i < N; ++i)
    sums[i] = packet[i + 1] ^ (packet[i + 1] >> 16);
}
void padded(unsigned *to, const unsigned *from) {
  for (int i = 0; i < N; ++i)
    to[i + Header] = from[i + 1];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/header_word", slow, fast, reference)
        .output(N)
        .input<0>(N + 1)
        .layout<corpus::Fast, 0>(N + Header, padded);

} // namespace
