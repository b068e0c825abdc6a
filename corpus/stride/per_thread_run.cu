// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Each thread owns a run of 8 elements ("blocked" arrangement) and reads the
// first: lanes are 32 bytes apart, one sector a lane, the worst there is.

constexpr int ItemsPerThread = 8;

__global__ void first_of_run(const float *__restrict__ in,
                             float *__restrict__ heads) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const float *run = in + thread * ItemsPerThread;
  // expect: global load at 32*tid: 32 sectors, ideal 4; strided; warns strided-access
  const float head = *run;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  heads[thread] = head;
}

void run(const float *in, float *heads, int runs) {
  first_of_run<<<runs / 256, 256>>>(in, heads);
}
