// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: warplint --print-requests %s -- %cuda_flags | FileCheck %s
//
// The trace shows every request as it is made: here the steps of a reduction,
// whose stride doubles while its lanes drop out. bank = 2*k*lane mod 32.

__global__ void sum(const float *in, float *out) {
  __shared__ float s[64];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    if (2 * k * t < blockDim.x)
      s[2 * k * t] += s[2 * k * t + k];
    __syncthreads();
  }
  out[t] = s[0];
}

void run(const float *in, float *out) { sum<<<1, 64>>>(in, out); }

// CHECK: kernel 'sum(float const*, float*)' block 64x1x1
// CHECK: trace.cu:10:10: global load 4 bytes at {{.*}}4*lane, 32 lanes: 4 sectors, ideal 4
// CHECK: trace.cu:10:8: shared store 4 bytes at {{.*}}4*lane, 32 lanes: 1 wavefront
//
// k = 1: 32 lanes, every second bank.
// CHECK: trace.cu:14:23: shared load 4 bytes at {{.*}}8*lane + 4, 32 lanes: 2 wavefronts, ideal 1
// CHECK: trace.cu:14:20: shared store 4 bytes at {{.*}}8*lane, 32 lanes: 2 wavefronts, ideal 1
//
// k = 2: 16 lanes in 8 banks.
// CHECK: trace.cu:14:23: shared load 4 bytes at {{.*}}16*lane + 8, 16 lanes: 2 wavefronts, ideal 1
//
// k = 4: 8 lanes in 4 banks.
// CHECK: trace.cu:14:23: shared load 4 bytes at {{.*}}32*lane + 16, 8 lanes: 2 wavefronts, ideal 1
//
// k = 8: 4 lanes in 2 banks.
// CHECK: trace.cu:14:23: shared load 4 bytes at {{.*}}64*lane + 32, 4 lanes: 2 wavefronts, ideal 1
//
// k = 16: 2 lanes in 1 bank.
// CHECK: trace.cu:14:23: shared load 4 bytes at {{.*}}128*lane + 64, 2 lanes: 2 wavefronts, ideal 1
//
// k = 32: 1 lane.
// CHECK: trace.cu:14:23: shared load 4 bytes at {{.*}}, 1 lanes: 1 wavefront
// CHECK: trace.cu:17:12: shared load {{.*}} 32 lanes: 1 wavefront
// CHECK: trace.cu:17:10: global store 4 bytes at {{.*}}4*lane, 32 lanes: 4 sectors, ideal 4
