// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint --show-absorbed %s -- %cuda_stub_flags | FileCheck %s
// RUN: not warplint %s -- %cuda_stub_flags | FileCheck %s --check-prefix=USUAL
// RUN: not warplint --format=json %s -- %cuda_stub_flags | FileCheck %s --check-prefix=JSON

struct Particle { float x, y, z; };

// 32 lanes x 12 bytes = 384 bytes = 12 sectors; 128 bytes = 4 sectors asked for.
__global__ void one_field(const Particle *p, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x;
}
// CHECK: aos.cu:[[@LINE-2]]:{{[0-9]+}}: warning: lanes read 'p[i].x' 12 bytes apart: 12 sectors a request, 4 would do (33 %) [warplint-aos-field-access]
// CHECK-NEXT: {{11}} |   out[i] = p[i].x;
// CHECK-NEXT: | {{[~^]+$}}
// CHECK-NEXT: note: lane stride 12 bytes: 32 lanes x 12 = 384 bytes; 12 sectors of 32 bytes are 384 bytes moved, 128 of them asked for
// CHECK-NEXT: note: fix: keep each field of 'Particle' in an array of its own (structure of arrays): 4 sectors a request
// CHECK: note: severity medium; the kernel is estimated to be 1.{{[1-4]}} times as fast without this waste ({{memory|L2}} {{[0-9]+}} cycles a warp, {{[0-9]+}} at the ideal; waiting for memory {{[0-9]+}} cycles a warp); 100 % of what this kernel spends above the ideal in global memory
// CHECK-NEXT: aos.cu:9:{{[0-9]+}}: note: declared here: const Particle *p
// CHECK: aos.cu:[[@LINE+23]]:{{[0-9]+}}: note: kernel 'one_field' launched with block 64x1x1 here

// All fields: the cache absorbs it, so it is low, and not shown unless asked for.
__global__ void all_fields(const Particle *p, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = p[i].x + p[i].y + p[i].z;
}
// CHECK: warning: lanes read 'p[i].{{[xyz]}}' 12 bytes apart
// CHECK: note: this kernel uses all 12 bytes of each record, so the cache absorbs most of it
// CHECK: note: severity low; estimated to gain under 5 % of the kernel's time
// CHECK-SAME: 33 %
// CHECK: 4 findings;
// USUAL-NOT: warning: lanes read 'p[i].{{[yz]}}'
// USUAL: 1 finding, 3 more that caches absorb (--show-absorbed);
// JSON: "severity": "medium"
// JSON: "shown": true
// JSON-NEXT: "estimate": {
// JSON-NEXT: "gain": 1.
// JSON-NEXT: "basis": "{{memory|L2}} {{.*}} cycles a warp, {{.*}} at the ideal
// JSON: "severity": "low"
// JSON: "shown": false

void run(const Particle *p, float *out) {
  one_field<<<4, 64>>>(p, out);
  all_fields<<<4, 64>>>(p, out);
}
