// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s

__constant__ float taps[32];
__constant__ unsigned char signs[128];

__global__ void f(const unsigned *q, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < 32; ++k)
    s += taps[k]; // one address in all lanes
  s += taps[threadIdx.x % 32];
  // CHECK-DAG: constant.cu:[[@LINE-1]]:{{[0-9]+}}: warning: lanes read 'taps[threadIdx.x % 32]' at different addresses of constant memory: 32 passes a request, 1 would do [warplint-divergent-constant]
  s += signs[q[i] & 127];
  // CHECK-DAG: constant.cu:[[@LINE-1]]:{{[0-9]+}}: warning: lanes read 'signs[q[i] & 127]' at different addresses of constant memory: up to 32 passes a request, 1 would do
  out[i] = s;
}
void run(const unsigned *q, float *out) { f<<<4, 64>>>(q, out); }
// CHECK: 2 findings
