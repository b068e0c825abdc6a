// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Conditions on positions leave other lanes in each warp and block; the number
// is the mean over the launch, as the hardware counts it.

// Four blocks for 1000 elements: the last warp has 8 lanes.
__global__ void border(const float *__restrict__ in, float *__restrict__ out,
                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load at 8*(256*b + tid) for b in range(4) if 256*b + tid < 1000: 7.8125 in 2..8 sectors, ideal 3.90625; strided; warns strided-access; 31.25 lanes
    const float v = in[2 * i];
    // expect: global store at 4*(256*b + tid) for b in range(4) if 256*b + tid < 1000: 3.90625 in 1..4 sectors, ideal 3.90625; coalesced; 31.25 lanes
    out[i] = v;
  }
}

// Eighteen channels, four cases: 72 threads, which no block divides. Nine
// blocks later the pattern is the same, so a launch of unknown size has the
// mean of nine blocks.
__global__ void by_case(const float *__restrict__ in,
                        float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int which = i % 72 / 18, channel = i % 18;
  if (which == 1) {
    // expect: global load at 4*((256*b + tid) // 72 * 18 + (256*b + tid) % 18) for b in range(9) if (256*b + tid) % 72 // 18 == 1: 2.166667 in 1..3 sectors, ideal 2; misaligned; 12 lanes
    const float v = in[i / 72 * 18 + channel];
    // expect: global store at 4*(256*b + tid) for b in range(9) if (256*b + tid) % 72 // 18 == 1: 2 in 1..3 sectors, ideal 2; coalesced; 12 lanes
    out[i] = v;
  }
}

// What is true is 1, also as an argument.
__global__ void flags(const float *__restrict__ in, float *__restrict__ out,
                      bool doubled, bool never) {
  const int t = threadIdx.x;
  if (never)
    out[0] = in[31 * t];
  // expect: global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
  const float v = in[doubled ? 2 * t : t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(const float *x, float *y, int blocks) {
  border<<<4, 256>>>(x, y, 1000);
  by_case<<<9, 256>>>(x, y);
  by_case<<<blocks, 256>>>(x, y);
  flags<<<1, 256>>>(x, y, true, false);
}
