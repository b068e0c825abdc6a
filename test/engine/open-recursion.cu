// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: warplint --format=json %s -- %cuda_flags | FileCheck %s
// RUN: warplint --format=json %s -- %cuda_flags | FileCheck %s --check-prefix=NONE
// NONE-NOT: "line": 17,{{.*}}warplint-
//
// How many threads the last call of a recursion launches, the size of its input
// decides. Two words a thread are two wavefronts for a warp and one for a
// single thread: no number is exact, and nothing is found of it.

#include <cstdlib>

__global__ void scan(int *data, int last) {
  extern __shared__ int s[];
  // CHECK: "line": [[#@LINE+4]]
  // CHECK: "mean": 1,
  // CHECK: "exact": false
  // CHECK: "unknown_detail": "1.00 with block 1x1x1, 2.00 with 256x1x1"
  s[2 * threadIdx.x] = threadIdx.x;
  if (last)
    data[threadIdx.x] = s[0];
}
// CHECK: "findings": []

void recurse(int *data, int n) {
  int blocks = (n + 511) / 512, threads;
  if (blocks > 1)
    threads = 256;
  else
    threads = n / 2;
  if (blocks > 1)
    recurse(data, blocks);
  else
    scan<<<1, threads, 2 * threads * sizeof(int)>>>(data, n);
}

int main(int argc, char **argv) {
  int *data;
  cudaMalloc(&data, 1 << 20);
  recurse(data, atoi(argv[1]));
}
