// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// All lanes on one word: one wavefront. Several lanes on one word, bytes or
// halves of one word: as good.

__global__ void shift_by_first(const float *__restrict__ in,
                               float *__restrict__ out) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[i];
  __syncthreads();
  // expect: shared load 's[0]' at 0: 1 wavefront, ideal 1; broadcast
  const float first = s[0];
  // Two lanes a word: 16 words in 16 banks.
  // expect: shared load at 4*(tid // 2): 1 wavefront, ideal 1; conflict-free
  const float pair = s[t / 2];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = pair - first;
}

// Bytes: four lanes read one word of the bank.
__global__ void reverse_bytes(const unsigned char *__restrict__ in,
                              unsigned char *__restrict__ out) {
  __shared__ unsigned char s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load 1-byte at tid: 1 sector, ideal 1; coalesced
  // expect: shared store 1-byte at tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[i];
  __syncthreads();
  // expect: shared load 1-byte at 255 - tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store 1-byte at tid: 1 sector, ideal 1; coalesced
  out[i] = s[255 - t];
}

void run(const float *in, float *out, const unsigned char *bytes,
         unsigned char *reversed) {
  shift_by_first<<<8, 256>>>(in, out);
  reverse_bytes<<<8, 256>>>(bytes, reversed);
}
