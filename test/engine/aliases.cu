// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// nvcc does not tell memory apart by the types in it: after a store of a float
// it loads an int again (cubin of nvcc 13.0 for sm_90), unless __restrict__
// says that they are two arrays.

__global__ void again(const int *a, float *b, int *c) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int before = a[t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  b[t] = 1.f;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int after = a[t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  c[t] = before + after;
}

__global__ void once(const int *__restrict__ a, float *__restrict__ b,
                     int *__restrict__ c) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int before = a[t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  b[t] = 1.f;
  const int after = a[t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  c[t] = before + after;
}

void run(int *a, float *b, int *c) {
  again<<<1, 256>>>(a, b, c);
  once<<<1, 256>>>(a, b, c);
}
