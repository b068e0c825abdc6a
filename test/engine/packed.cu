// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Packed: 5 bytes a record, the float in it at an odd address. The compiler
// reads it byte by byte.
struct __attribute__((packed)) Tagged {
  unsigned char tag;
  float value;
};

__global__ void untag(const Tagged *__restrict__ in, float *__restrict__ out,
                      unsigned char *__restrict__ tags) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 1-byte 'in[i].tag' at 5*tid: 5 sectors, ideal 1; aos; warns aos-field-access (absorbed)
  const unsigned char tag = in[i].tag;
  // expect: global load 1-byte at 5*tid + 1 + k for k in range(4): 5 sectors, ideal 1; aos; warns aos-field-access (absorbed)
  const float value = in[i].value;
  // expect: global store 1-byte at tid: 1 sector, ideal 1; coalesced
  tags[i] = tag;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = value;
}

void run(const Tagged *in, float *out, unsigned char *tags) {
  untag<<<4, 256>>>(in, out, tags);
}
