// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: warplint --format=json %s -- %cuda_flags | FileCheck %s
//
// A block whose size the command line gives is guessed. What the guess decides
// is not exact; what is the same with half as many threads is.

#include <cstdlib>

__global__ void groups(const long *in, long *out) {
  // Blocks of 256 hold 252 threads that work, 2016 bytes, whole sectors: 7
  // warps take 8 sectors, the one of 28 lanes 7. Blocks of 128 hold 126, 1008
  // bytes: every other block begins within a sector, (3*8 + 8)/4 and
  // (3*9 + 8)/4 sectors.
  const int work = blockDim.x / 6 * 6;
  if (threadIdx.x >= work)
    return;
  // CHECK: "line": [[#@LINE+9]]
  // CHECK: "op": "load"
  // CHECK: "mean": 7.875,
  // CHECK: "max": 9
  // CHECK: "exact": false
  // CHECK: "unknown_reason": "unknown-shape"
  // CHECK: "unknown_detail": "7.88 with block 256x1x1, 8.38 with 128x1x1"
  // CHECK: "op": "store"
  // CHECK: "unknown_reason": "unknown-shape"
  out[work * blockIdx.x + threadIdx.x] = in[work * blockIdx.x + threadIdx.x];
}

__global__ void plain(const long *in, long *out) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  // CHECK: "line": [[#@LINE+3]]
  // CHECK: "mean": 8,
  // CHECK: "exact": true
  out[i] = in[i];
}

int main(int argc, char **argv) {
  long *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  groups<<<1024, atoi(argv[1])>>>(in, out);
  plain<<<1024, atoi(argv[1])>>>(in, out);
}
