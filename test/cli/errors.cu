// A file that does not parse never ends in 0, and its good kernels are still
// analysed.
// RUN: %status 2 warplint %s -- %cuda_stub_flags | FileCheck %s
// RUN: %status 2 warplint --format=json %s -- %cuda_stub_flags | FileCheck %s --check-prefix=JSON

#include "there-is-no-such-header.h"

__global__ void bad(float *a) { Unknown x; a[2 * threadIdx.x] = x; }

__global__ void good(float *a) { a[2 * threadIdx.x] = 1; }
void run(float *a) { good<<<1, 32>>>(a); }

// CHECK: errors.cu:[[@LINE-3]]:{{[0-9]+}}: warning: lanes write 'a[2 * threadIdx.x]' 8 bytes apart
// CHECK: note: kernel 'bad' could not be analysed: {{.+}}
// CHECK: errors.cu: note: the file was analysed only in part (2 errors)
// CHECK: 1 finding; 1 access: 1 exact, 0 range, 0 unknown; 1 kernel not or only partly analysed; 1 file not or only partly analysed
// CHECK: errors.cu:[[@LINE-11]]:10: error: 'there-is-no-such-header.h' file not found
// CHECK-NEXT: errors.cu:[[@LINE-10]]:33: error: unknown type name 'Unknown'
// CHECK-NEXT: exit status 2

// JSON: "status": "partial"
// JSON: "errors": [
// JSON-NEXT: there-is-no-such-header.h
// JSON: "refused": "
