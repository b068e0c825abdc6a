// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A pointer that comes from anywhere, and the alignment it is promised to have.
// block: 256
__global__ void aligned(float *__restrict__ out, int first) {
  const float *p =
      static_cast<const float *>(__builtin_assume_aligned(out + first, 32));
  // expect: global load at 4*(255 - tid): 4 sectors, ideal 4; coalesced
  const float v = p[255 - threadIdx.x];
  __syncthreads();
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = v;
}

void run(float *out, int first) { aligned<<<1, 256>>>(out, first); }
