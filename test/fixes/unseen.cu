// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck --implicit-check-not=verified %s
//
// No edit of an array that text may use which this compilation leaves out: the
// edited index or row would be wrong there.

#define W 32
__global__ void conditional(const float *in, float *out) {
  __shared__ float a[W * W];
  a[threadIdx.y * W + threadIdx.x] = in[threadIdx.y * W + threadIdx.x];
  __syncthreads();
#ifdef DUMP
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] may use 'a' too; it is not compiled here
  out[0] = a[threadIdx.x + W];
#endif
  out[threadIdx.y * W + threadIdx.x] = a[threadIdx.x * W + threadIdx.y];
}

#ifdef DUMP
// CHECK-DAG: no edit is offered: line [[#@LINE+1]] may use 'b' too; it is not compiled here
#define PEEK(x) x = b[threadIdx.x + W]
#else
#define PEEK(x)
#endif
__global__ void by_macro(const float *in, float *out) {
  __shared__ float b[W * W];
  b[threadIdx.y * W + threadIdx.x] = in[threadIdx.y * W + threadIdx.x];
  __syncthreads();
  PEEK(out[0]);
  out[threadIdx.y * W + threadIdx.x] = b[threadIdx.x * W + threadIdx.y];
}

template <bool Check> __global__ void discarded(const float *in, float *out) {
  __shared__ float c[W * W];
  c[threadIdx.y * W + threadIdx.x] = in[threadIdx.y * W + threadIdx.x];
  __syncthreads();
  if constexpr (Check)
    // CHECK-DAG: no edit is offered: line [[#@LINE+1]] may use 'c' too; it is not compiled here
    out[0] = c[threadIdx.x + W];
  out[threadIdx.y * W + threadIdx.x] = c[threadIdx.x * W + threadIdx.y];
}

void run(float *in, float *out) {
  conditional<<<1, dim3(32, 32)>>>(in, out);
  by_macro<<<1, dim3(32, 32)>>>(in, out);
  discarded<false><<<1, dim3(32, 32)>>>(in, out);
}
