// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Results go to messages in scattered order, a warp each, behind a word that
// holds their number: both ends of a message are sectors written in part.

#include "../harness.cuh"

namespace {

constexpr int Messages = 1 << 20, Words = 32;

template <int Words, int Header> struct Mailbox {
  unsigned *slots;
  __device__ unsigned *message(int i) const {
    return slots + i * Words + Header;
  }
};

// block: 32x8
template <class Box>
__global__ void post(Box box, const unsigned *__restrict__ words) {
  const int i = blockIdx.x * 8 + threadIdx.y;
  // expect: global load at 128*(y + 8*b) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  const unsigned word = words[i * Words + threadIdx.x];
  const int to = (i * 40503u) & (Messages - 1);
  // expect(Mailbox<40): global store at 160*((40503*(y + 8*b)) % (1 << 20)) + 4*x + 4 for b in range(64): 5 sectors, ideal 4; misaligned; warns misaligned-access
  // expect(Mailbox<32): global store at 128*((40503*(y + 8*b)) % (1 << 20)) + 4*x for b in range(64): 4 sectors, ideal 4; coalesced
  box.message(to)[threadIdx.x] = word + 1;
}

void slow(unsigned *slots, const unsigned *words) {
  post<<<Messages / 8, dim3(32, 8)>>>(Mailbox<40, 1>{slots}, words);
}
void fast(unsigned *slots, const unsigned *words) {
  post<<<Messages / 8, dim3(32, 8)>>>(Mailbox<32, 0>{slots}, words);
}
void reference(unsigned *out, const unsigned *words) {
  for (long long i = 0; i < Messages; ++i)
    for (int k = 0; k < Words; ++k)
      out[(i * 40503 & (Messages - 1)) * Words + k] = words[i * Words + k] + 1;
}
void payloads(unsigned *to, const unsigned *slots) {
  for (int i = 0; i < Messages; ++i)
    for (int k = 0; k < Words; ++k)
      to[i * Words + k] = slots[i * 40 + 1 + k];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/scattered_store", slow, fast, reference)
        .output(Messages * Words)
        .input<0>(Messages * Words)
        .restore<corpus::Slow>(Messages * 40, payloads);

} // namespace
