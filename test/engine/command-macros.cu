// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: not warplint %s -- %cuda_flags -DN=64 -DT=float -DX=2 -DNAME=walk '-DAT(i)=i*X' | FileCheck %s
// RUN: not warplint-clang-tidy --checks=-*,warplint-* --warnings-as-errors=* %s -- %cuda_flags -DN=64 -DT=float -DX=2 -DNAME=walk '-DAT(i)=i*X' | FileCheck %s
// RUN: not warplint %s -- -arch=sm_90 --cuda-path=%cuda_path -DN=64 -DT=float -DX=2 -DNAME=walk '-DAT(i)=i*X' | FileCheck %s
//
// Macros of the command line are the user's: headers that clang reads and nvcc
// does not have parameters of such names.

__global__ void NAME(T *a) {
  // CHECK: command-macros.cu:[[#@LINE+2]]:{{[0-9]+}}: {{warning|error}}: lanes write 'a[AT(threadIdx.x)]' 8 bytes apart
  // CHECK: note: fix: pad the rows of 's' from 64 to 65 elements (verified
  a[AT(threadIdx.x)] = 1;
  __shared__ T s[32][N];
  s[threadIdx.x][threadIdx.y] = a[threadIdx.y];
  __syncthreads();
  a[threadIdx.x + 32 * threadIdx.y] = s[threadIdx.y][threadIdx.x];
}

void run(float *a) { walk<<<1, dim3(32, 32)>>>(a); }
