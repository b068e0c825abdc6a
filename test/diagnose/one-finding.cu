// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s
//
// One place is one finding: two instantiations, two launches, a read and a
// write, and a helper that is inlined. The worst decides the number.

template <int Step> __device__ void scale(float *a, int i) {
  a[Step * i] *= 2;
}
template <int Step> __global__ void all(float *a) {
  scale<Step>(a, blockIdx.x * blockDim.x + threadIdx.x);
}
void run(float *a) {
  all<1><<<1, 64>>>(a);
  all<2><<<1, 64>>>(a);
  all<8><<<1, 64>>>(a);
  all<8><<<1, 128>>>(a);
}
// CHECK: one-finding.cu:8:{{[0-9]+}}: warning: lanes read and write 'a[Step * i]' 32 bytes apart: 32 sectors a request, 4 would do (13 %)
// CHECK: note: the same in 1 other configuration of it
// CHECK-NEXT: note: also 4 sectors a request in 'all<1>' with block 64x1x1 (one-finding.cu:14)
// CHECK-NEXT: note: also 8 sectors a request in 'all<2>' with block 64x1x1 (one-finding.cu:15)
// CHECK: one-finding.cu:11:{{[0-9]+}}: note: reached through this call
// CHECK: one-finding.cu:{{16|17}}:{{[0-9]+}}: note: kernel 'all<8>' launched with block {{64|128}}x1x1 here
// CHECK: {{^}}1 finding; 8 accesses: 8 exact
