// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck --implicit-check-not=verified %s
//
// A vector of which one component is used stays whole and aligned: compilers
// may load all of it. An element reached from its neighbour's address stays
// behind it.

#define FILL(T)                                                                \
  T[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];            \
  __syncthreads()
#define COLUMN(T) out[threadIdx.y * 32 + threadIdx.x] = T[threadIdx.x][threadIdx.y]

__global__ void component(const float *in, float *out) {
  __shared__ alignas(16) float a[32][32];
  FILL(a);
  COLUMN(a);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] accesses several elements at once of 'a'
  float4 v = *reinterpret_cast<float4 *>(&a[threadIdx.y][threadIdx.x % 8 * 4]);
  out[0] = v.x;
}

// There is room for columns to change places, and none for longer rows.
__global__ void neighbour(const float *in, float *out) {
  __shared__ float b[32][32], rest[11264];
  rest[threadIdx.y * 32 + threadIdx.x] = 0;
  b[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  // CHECK-DAG: no edit is offered: a block would need 49280 bytes
  COLUMN(b);
  out[4] += (&b[threadIdx.y][threadIdx.x & 15])[3];
}

void run(float *in, float *out) {
  component<<<1, dim3(32, 32)>>>(in, out);
  neighbour<<<1, dim3(32, 32)>>>(in, out);
}
