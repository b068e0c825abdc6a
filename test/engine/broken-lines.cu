// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// An access whose expression is broken over lines is reported on the line that
// nvcc's line table gives it, where a profiler shows its counters: that of the
// last operand of the subscript or pointer. Taken from the .loc lines of nvcc
// 13.0's PTX for this file. A record's copy stands where it copies from.

struct Record {
  int b;
};

__global__ void broken(float *f, const float *g, Record *p, const Record *q,
                       int n) {
  const int t = threadIdx.x;
  f[t] = // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
      *(g +
        t // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
      );
  *(f +
    t +
    n) = 1; // expect: global store at 4*tid + 4096: 4 sectors, ideal 4; coalesced
  f[
      t // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  ]
      = g[
          t +
          64 // expect: global load at 4*tid + 256: 4 sectors, ideal 4; coalesced
  ];
  f[t + 400] = // expect: global store at 4*tid + 1600: 4 sectors, ideal 4; coalesced
      q[
          t // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
      ]
          .b;
  *((int4 *)(f + 1024 * n) + t) =
      // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
      // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
      *((int4 *)g + t);
}

// Where the code of an inlined call begins, nvcc's line table has the call's
// line first and a profiler shows the instruction there.
__device__ void raise(float &slot, float by) {
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  slot = slot * 2.f + by;
}
__global__ void entered(float *f) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  raise(f[t], 1.f);
}

void run(float *f, const float *g, Record *p, const Record *q) {
  broken<<<1, 256>>>(f, g, p, q, 1024);
  entered<<<1, 256>>>(f);
}
