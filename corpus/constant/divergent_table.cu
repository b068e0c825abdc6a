// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A table in constant memory indexed by the lane: 32 addresses, 32 passes. By a
// quarter-warp index: 4 passes. The fix is shared memory.

__constant__ float weights[256];

__global__ void weigh(const float *__restrict__ x, float *__restrict__ y) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = x[i];
  // expect: constant load 'weights[t]' at 4*tid: 32 wavefronts, ideal 1; warns divergent-constant
  const float each = weights[t];
  // expect: constant load 'weights[t / 8]' at 4*(tid // 8): 4 wavefronts, ideal 1; warns divergent-constant
  const float eighth = weights[t / 8];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[i] = each * v + eighth;
}

__global__ void weigh_shared(const float *__restrict__ x, float *__restrict__ y,
                             const float *__restrict__ global_weights) {
  __shared__ float w[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  w[t] = global_weights[t];
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = x[i];
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  const float each = w[t];
  // expect: shared load at 4*(tid // 8): 1 wavefront, ideal 1; conflict-free
  const float eighth = w[t / 8];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[i] = each * v + eighth;
}

void run(const float *x, float *y, const float *w) {
  weigh<<<64, 256>>>(x, y);
  weigh_shared<<<64, 256>>>(x, y, w);
}
