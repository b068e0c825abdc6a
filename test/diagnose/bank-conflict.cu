// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s

// Lane t reads word 32t + c: bank c for all of them.
__global__ void column(const float *in, float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
  __syncthreads();
  out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
// CHECK: bank-conflict.cu:[[@LINE-2]]:{{[0-9]+}}: warning: 32 lanes meet in one bank at 'tile[threadIdx.x][threadIdx.y]': 32 wavefronts a request, 1 would do [warplint-shared-bank-conflict]
// CHECK: note: bank = (32*lane + c) mod 32: the first words of the lanes lie in 1 of 32 banks
// CHECK: note: fix: pad the rows of 'tile' from 32 to 33 elements (verified: 32 -> 1 wavefronts a request, 128 more bytes of shared memory a block)
// CHECK: note: severity high; the kernel is estimated to be {{[0-9.]+}} times as fast without this waste (L1 and shared memory {{.*}}); 100 % of what this kernel spends above the ideal in shared memory
// CHECK: bank-conflict.cu:6:{{[0-9]+}}: note: declared here: __shared__ float tile[32][32]

// The same, padded: nothing.
__global__ void padded(const float *in, float *out) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
  __syncthreads();
  out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void run(const float *in, float *out) {
  column<<<1, dim3(32, 32)>>>(in, out);
  padded<<<1, dim3(32, 32)>>>(in, out);
}
// CHECK: {{^}}1 finding;
