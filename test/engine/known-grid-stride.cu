// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A grid-stride loop of which everything is known: 2048 elements, a grid of
// 2048 threads. The bound is a multiple of the warp, so no warp is cut by it.

__global__ void scale_known(const float *__restrict__ in,
                            float *__restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    // expect: global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access; 32 lanes
    const float v = in[2 * i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
    out[i] = v;
  }
}

// Two rounds of the block, no grid: 512 elements by 256 threads.
__global__ void two_rounds(const float *__restrict__ in,
                           float *__restrict__ out) {
  for (int i = threadIdx.x; i < 512; i += blockDim.x) {
    // expect: global load at 8*(tid + 256*k) for k in range(2): 8 sectors, ideal 4; strided; warns strided-access; 32 lanes
    const float v = in[2 * i];
    // expect: global store at 4*(tid + 256*k) for k in range(2): 4 sectors, ideal 4; coalesced; 32 lanes
    out[i] = v;
  }
}

// The bound cuts a warp: 300 = 9 * 32 + 12.
__global__ void cut(const float *__restrict__ in, float *__restrict__ out) {
  for (int i = threadIdx.x; i < 300; i += blockDim.x) {
    // expect: global load at 4*(tid + 256*k) for k in range(2) if tid + 256*k < 300: 3.8 in 2..4 sectors, ideal 3.8; coalesced; 30 lanes
    const float v = in[i];
    // expect: global store at 4*(tid + 256*k) for k in range(2) if tid + 256*k < 300: 3.8 in 2..4 sectors, ideal 3.8; coalesced; 30 lanes
    out[i] = v;
  }
}

void run(const float *in, float *out) {
  scale_known<<<8, 256>>>(in, out, 2048);
  two_rounds<<<1, 256>>>(in, out);
  cut<<<1, 256>>>(in, out);
}
