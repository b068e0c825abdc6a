// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array in a header: the edit is of the header, and for a person to look at,
// as kernels of other files were not run. Also by way of a symbolic link.
// RUN: rm -rf %t && mkdir -p %t && ln -s %S %t/link
// RUN: not warplint %s -- %cuda_flags | FileCheck %s
// RUN: not warplint --format=json %t/link/header.cu -- %cuda_flags | FileCheck --check-prefix=JSON %s
#include "Inputs/tile.h"
// CHECK: fix: pad the rows of 'tile' from 32 to 33 elements (verified: 32 -> 1 wavefronts a request, 128 more bytes of shared memory a block; to be reviewed)
// CHECK-NEXT: -__shared__ float tile[N][N];
// CHECK-NEXT: +__shared__ float tile[N][N + 1];
// JSON: "safety": "review",
// JSON-NEXT: "diff": [
// JSON-NEXT: "-__shared__ float tile[N][N];",
// JSON-NEXT: "+__shared__ float tile[N][N + 1];"
// JSON-NEXT: ],
// JSON-NEXT: "edits": [
// JSON-NEXT: {
// JSON-NEXT: "file": "{{.*}}/test/fixes/Inputs/tile.h",
// JSON-NEXT: "offset": 96,
// JSON-NEXT: "length": 1,
// JSON-NEXT: "text": "N + 1"
void run(const float *in, float *out) {
  turn<32><<<1, dim3(32, 32)>>>(in, out);
}
