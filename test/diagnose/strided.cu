// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s
//
// What warplint-strided-access says of the shapes a stride comes in.

// 32 lanes x 16 bytes = 512 bytes = 16 sectors; 128 asked for.
__global__ void by_four(float *a) { a[4 * threadIdx.x] = 1; }
// CHECK-DAG: strided.cu:[[@LINE-1]]:{{[0-9]+}}: warning: lanes write 'a[4 * threadIdx.x]' 16 bytes apart: 16 sectors a request, 4 would do (25 %) [warplint-strided-access]
// CHECK-DAG: note: lane stride 16 bytes: 32 lanes x 16 = 512 bytes; 16 sectors of 32 bytes are 512 bytes moved, 128 of them asked for
// CHECK-DAG: note: fix: let neighbouring lanes take neighbouring elements; the index grows by 4 from lane to lane

// A row of 1024 floats a lane.
__global__ void rows(const float *in, float *out) {
  float s = 0;
  for (int k = 0; k < 1024; ++k)
    s += in[threadIdx.x * 1024 + k];
  // CHECK-DAG: strided.cu:[[@LINE-1]]:{{[0-9]+}}: warning: lanes read 'in[threadIdx.x * 1024 + k]' 4096 bytes apart: 32 sectors a request, 4 would do (13 %)
  // CHECK-DAG: note: fix: each lane walks a row of its own;
  out[threadIdx.x] = s;
}

// The pitch is an argument that no launch tells: a guess, worded as one.
__global__ void pitch(const float *in, float *out, int n) {
  out[threadIdx.x] = in[threadIdx.x * n];
  // CHECK-DAG: strided.cu:[[@LINE-1]]:{{[0-9]+}}: warning: lanes read 'in[threadIdx.x * n]' {{.*}}n bytes apart: about {{[0-9]+}} sectors a request ({{.*}}n{{.*}}), 4 would do [warplint-strided-access]
}

// Four lanes in x: 8 rows of 16 bytes, each half a sector.
__global__ void narrow(float *a) { a[threadIdx.y * 1024 + threadIdx.x] = 1; }
// CHECK-DAG: strided.cu:[[@LINE-1]]:{{[0-9]+}}: warning: lanes write 'a[threadIdx.y * 1024 + threadIdx.x]' in 8 separate pieces of 16 bytes: 8 sectors a request, 4 would do (50 %)
// CHECK-DAG: note: fix: make the block wide enough in x that 32 bytes lie together

void run(float *a, const float *in, int n) {
  by_four<<<1, 32>>>(a);
  rows<<<1, 32>>>(in, a);
  pitch<<<1, 32>>>(in, a, n);
  narrow<<<1, dim3(4, 64)>>>(a);
}
// CHECK: 4 findings
