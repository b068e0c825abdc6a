// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Where all paths meet again nothing is left of the conditions that parted
// them, whatever data decided.

#include <cassert>

__device__ int grade(float v) {
  if (v > 100.f)
    return 3;
  if (v > 50.f) {
    if (v > 75.f)
      return 2;
  } else if (v < -50.f) {
    return -1;
  }
  return 1;
}

__global__ void after_returns(const float *__restrict__ in,
                              int *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int g = grade(in[t]);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = g;
}

__global__ void after_a_search(const int *__restrict__ in,
                               int *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  int v = in[t], steps = 0;
  while (v > 12) {
    if (v == 1000)
      break;
    v = v % 3 ? v - 1 : v / 3;
    ++steps;
  }
  switch (v & 3) {
  case 0:
    steps += 5;
    break;
  case 1:
    steps *= 3;
  case 2:
    steps += 1;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = steps;
}

// An assertion that fails ends the program.
__global__ void after_an_assert(const int *__restrict__ in,
                                int *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int v = in[t];
  assert(v >= 0);
  if (v > 1000)
    __trap();
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = v;
}

// One sector is one sector, for whichever lanes; four are not.
__global__ void some_lanes(const int *__restrict__ in,
                           unsigned char *__restrict__ flag,
                           int *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  if (in[t] > 0) {
    // expect: global store 1-byte at tid: 1 sector, ideal 1; coalesced
    flag[t] = 1;
    // expect: global store at 4*tid: 4 guessed in 1..4 sectors, ideal 4; coalesced; because data-dependent-mask
    out[t] = 1;
  }
}

// Each lane leaves when its data says so: half of them are there on average,
// and half the lanes still touch nearly all sectors.
__global__ void until_found(const float *__restrict__ table,
                            const float *__restrict__ wanted,
                            int *__restrict__ out, int rows) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float w = wanted[t];
  int r = 0;
  for (; r < rows; ++r) {
    // expect: global load: 1..4 sectors, ideal 2.375; coalesced; because data-dependent-mask
    if (table[256 * r + t] == w)
      break;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = r;
}

void run(const float *x, const int *n, int *y, unsigned char *f, int rows) {
  after_returns<<<1, 256>>>(x, y);
  after_a_search<<<1, 256>>>(n, y);
  after_an_assert<<<1, 256>>>(n, y);
  some_lanes<<<1, 256>>>(n, f, y);
  until_found<<<1, 256>>>(x, x, y, rows);
}
