// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: warplint %s -- %cuda_stub_flags | FileCheck %s --check-prefix=OFF
// RUN: warplint --checks=warplint-indirect-access %s -- %cuda_stub_flags | FileCheck %s
//
// A gather never makes a warning, nor a number.

__global__ void gather(const int *idx, const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[idx[i]];
}
void run(const int *idx, const float *in, float *out) {
  gather<<<4, 64>>>(idx, in, out);
}
// OFF: {{^}}0 findings; 3 accesses: 2 exact, 0 range, 1 unknown (data-dependent-address 1)
// CHECK: indirect.cu:[[@LINE-6]]:{{[0-9]+}}: remark: lanes read 'in[idx[i]]' at addresses that loaded data decides: 1 to 32 sectors a request [warplint-indirect-access]
// CHECK: note: advice: sort or bucket the indices
// CHECK: {{^}}0 findings; 3 accesses
