// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck --implicit-check-not=verified %s
//
// No edit of an array whose rows are counted on where no run looked: in code
// that no launch in sight comes to, through a reference, by inline PTX, in
// text that another file holds.

#define FILL(T)                                                                \
  T[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];            \
  __syncthreads()
#define COLUMN(T) out[threadIdx.y * 32 + threadIdx.x] = T[threadIdx.x][threadIdx.y]

__global__ void included(const float *in, float *out) {
  // CHECK-DAG: no edit is offered: line 2 may use 'a' too; it is not compiled here
  __shared__ float a[32 * 32];
  a[threadIdx.y * 32 + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
#include "Inputs/dump-part.inc"
  out[threadIdx.y * 32 + threadIdx.x] = a[threadIdx.x * 32 + threadIdx.y];
}

// The launch below has n = 20.
__global__ void rare(const float *in, float *out, int n) {
  __shared__ float b[32][32];
  FILL(b);
  if (n == 21)
    // CHECK-DAG: no edit is offered: no launch that is known here comes to line [[#@LINE+1]], whose index may count on rows of this length
    out[2] = b[threadIdx.y][threadIdx.x + n];
  COLUMN(b);
}

__device__ float beside(float &x, int n) { return (&x)[n]; }
__device__ float through(float &x, int n) { return beside(x, n); }
__device__ float alone(float &x) { return x + atomicAdd(&x, 1.0f); }

__global__ void bound(const float *in, float *out, int n) {
  __shared__ float c[32][32];
  FILL(c);
  float &corner = c[0][0];
  // CHECK-DAG: no edit is offered: line [[#@LINE-1]] takes the address of an element of 'c'
  COLUMN(c);
  out[1] = (&corner)[n];
}

__global__ void handed_on(const float *in, float *out, int n) {
  __shared__ float d[32][32];
  FILL(d);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'd'
  COLUMN(d) + through(d[0][0], n);
}

__global__ void addressof(const float *in, float *out, int n) {
  __shared__ float e[32][32];
  FILL(e);
  COLUMN(e);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'e'
  out[1] = __builtin_addressof(e[0][0])[n];
}

// CHECK-DAG: fix: pad the rows of 'f' from 32 to 33 elements (verified
__global__ void one_element(const float *in, float *out) {
  __shared__ float f[32][32];
  FILL(f);
  COLUMN(f) + alone(f[threadIdx.y][0]);
}

__shared__ float named[32][32];
__global__ void by_name(const float *in, float *out) {
  FILL(named);
  float x;
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] uses 'named' in inline PTX
  asm volatile("ld.shared.f32 %0, [named+128];" : "=f"(x));
  COLUMN(named) + x;
}

void run(float *in, float *out, int n) {
  included<<<1, dim3(32, 32)>>>(in, out);
  rare<<<1, dim3(32, 32)>>>(in, out, 20);
  bound<<<1, dim3(32, 32)>>>(in, out, n);
  handed_on<<<1, dim3(32, 32)>>>(in, out, n);
  addressof<<<1, dim3(32, 32)>>>(in, out, n);
  one_element<<<1, dim3(32, 32)>>>(in, out);
  by_name<<<1, dim3(32, 32)>>>(in, out);
}
