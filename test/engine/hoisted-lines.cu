// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Loads that a loop does not change, on the line on which a profiler shows
// them. What nvcc's LICM moves before the loop loses its line and has that of
// the instruction before it; what its GVN moves keeps it. From the .loc lines
// of nvcc 13.0's PTX for this file (sm_90), and where those say 0, its cubin's.

// Behind the loop's own test stands only what was moved there. That is the
// pointer too, of which nvcc makes a global one where the kernel begins, if
// nothing else uses it ...
__global__ void pointer(const float *__restrict__ a,
                        const float *__restrict__ b, float *__restrict__ o,
                        int n) {
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  int t = threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; ++j) {
    s += a[t];
    // expect: global load at 32*j + 4*tid for j in range(4): 4 sectors, ideal 4; coalesced
    s *= b[8 * j + t];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  o[t] = s;
}

// ... and the index, if nothing else does.
__global__ void index(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ o, int n) {
  int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  int g = 256 * blockIdx.x + t;
  float s = 0;
  for (int j = 0; j < n; ++j) {
    s += a[g];
    // expect: global load at 32*j + 4*tid for j in range(4): 4 sectors, ideal 4; coalesced
    s *= b[8 * j + t];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  o[t] = s;
}

// Else the test's line goes on.
__global__ void guarded(const float *__restrict__ a,
                        const float *__restrict__ b, float *__restrict__ o,
                        int n) {
  int t = threadIdx.x;
  // expect: global load at 4*tid + 4*256: 4 sectors, ideal 4; coalesced
  float s = a[t + 256];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  for (int j = 0; j < n; ++j) {
    s += a[t];
    // expect: global load at 32*j + 4*tid for j in range(4): 4 sectors, ideal 4; coalesced
    s *= b[8 * j + t];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  o[t] = s;
}

// No test where the trips are known: the line before the loop.
__global__ void straight(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ o,
                         int n) {
  int t = threadIdx.x;
  float s = n;
  // expect: global load at 4*tid + 4*256: 4 sectors, ideal 4; coalesced
  s += a[t + 256];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  s *= s;
  for (int j = 0; j < 1000; ++j) {
    s += a[t];
    // expect: global load at 32*j + 4*tid for j in range(4): 4 sectors, ideal 4; coalesced
    s *= b[8 * j + t];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  o[t] = s;
}

// Once k is unrolled, GVN knows the addresses of its first trip that are
// no more than was computed before the loop over j, and moves those loads with
// their line. The others are LICM's, and share the last one.
__global__ void unrolled(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ o) {
  int t = threadIdx.x;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 100; ++j) {
      float x = 0;
      for (int k = 0; k < 4; ++k) {
        // expect: global load at 0*tid: 1 sector, ideal 1; broadcast
        x += a[i * 8 + k];
        // expect: global load at 0*tid: 1 sector, ideal 1; broadcast
        // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
        x += a[4096 + i * 8 + k];
        x += a[32 * (i * 8 + k) + t];
        // expect: global load at 32*j + 4*tid for j in range(4): 4 sectors, ideal 4; coalesced
        x *= b[8 * (4 * j + k) + t];
      }
      // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
      o[64 * j + t] = x;
    }
  }
}

// The first in its block stands before its first user.
__global__ void first(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ o, int n) {
  for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < 4; ++j) {
      // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
      // expect: global load at 0*tid: 1 sector, ideal 1; broadcast
      s += b[8 * (4 * i + j) + threadIdx.x];
      s *= a[i];
    }
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    o[8 * i + threadIdx.x] = s;
  }
}

void run(const float *a, const float *b, float *o, int n) {
  pointer<<<4, 256>>>(a, b, o, n);
  index<<<4, 256>>>(a, b, o, n);
  guarded<<<4, 256>>>(a, b, o, n);
  straight<<<4, 256>>>(a, b, o, n);
  unrolled<<<4, 256>>>(a, b, o);
  first<<<4, 256>>>(a, b, o, n);
}
