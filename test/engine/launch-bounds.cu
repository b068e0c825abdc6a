// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Without a launch the block comes from __launch_bounds__, one-dimensional;
// where there is none, 256 threads are assumed.

// block: 64
extern "C" __global__ void __launch_bounds__(64)
    bounded(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[64 * 2];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[blockIdx.x * blockDim.x + threadIdx.x];
  // expect: shared store at 8*tid: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  s[2 * threadIdx.x] = v;
  __syncthreads();
  // expect: shared load at 8*(63 - tid): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float w = s[2 * (63 - threadIdx.x)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * blockDim.x + threadIdx.x] = w;
}

// block: 256
extern "C" __global__ void unbounded(const float *__restrict__ in,
                                     float *__restrict__ out) {
  // expect: global load at 16*tid: 16 sectors, ideal 4; strided; warns strided-access
  const float v = in[4 * (blockIdx.x * blockDim.x + threadIdx.x)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
