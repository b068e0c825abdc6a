// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s
//
// Global memory before shared, and by what a warp spends above the ideal.

__global__ void f(float *a, float *b) {
  __shared__ float s[32 * 32];
  s[32 * threadIdx.x] = 1; // 31 wavefronts over
  __syncthreads();
  a[2 * threadIdx.x] = s[threadIdx.x]; // 4 sectors over
  b[8 * threadIdx.x] = 1;              // 28 sectors over
}
void run(float *a, float *b) { f<<<1, 32>>>(a, b); }
// CHECK: warning: lanes write 'b[8 * threadIdx.x]'
// CHECK: note: severity high; {{.*}}; 88 % of what this kernel spends above the ideal in global memory
// CHECK: warning: lanes write 'a[2 * threadIdx.x]'
// CHECK: note: severity {{high|medium|low}}; {{.*}}; 13 %
// CHECK: warning: 32 lanes meet in one bank at 's[32 * threadIdx.x]'
// CHECK: 3 findings
