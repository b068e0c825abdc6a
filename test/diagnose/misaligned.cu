// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s

// Bytes 4 to 131: sectors 0 to 4.
__global__ void shifted(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x + 1];
}
// CHECK-DAG: misaligned.cu:[[@LINE-2]]:{{[0-9]+}}: warning: warps read 'in[threadIdx.x + 1]' from 4 bytes past a 32-byte sector: 5 sectors a request, 4 would do (80 %) [warplint-misaligned-access]
// CHECK-DAG: note: fix: let the data begin at a multiple of 32 bytes

// The same, visible only at the launch.
__global__ void payload(float *p) { p[threadIdx.x] = 1; }
// CHECK-DAG: misaligned.cu:[[@LINE-1]]:{{[0-9]+}}: warning: warps write 'p[threadIdx.x]' from 8 bytes past a 32-byte sector: 5 sectors a request
// CHECK-DAG: note: fix: the launch passes a pointer 8 bytes past the start of its allocation

// A stencil's neighbours need the extra sector.
__global__ void stencil(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 32;
  out[i] = in[i - 1] + in[i] + in[i + 1];
}

void run(const float *in, float *out) {
  shifted<<<1, 32>>>(in, out);
  payload<<<1, 32>>>(out + 2);
  stencil<<<4, 64>>>(in, out);
}
// CHECK: 2 findings
