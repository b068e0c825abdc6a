// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck %s
// RUN: %python %S/Inputs/apply.py %t '%nvcc' %s -- %cuda_flags
//
// Arrays of one extent that are used as rows: every index and the declaration
// change together. All lanes of a column lie 32 words apart, in one bank.

#define TILE 32
constexpr int W = 32;

// CHECK-DAG: fix: pad the rows of 'a' from 32 to 33 elements (verified: 32 -> 1 wavefronts a request, 128 more bytes of shared memory a block)
// CHECK-DAG: | -__shared__ float a[TILE * TILE];
// CHECK-DAG: | +__shared__ float a[TILE * (TILE + 1)];
// CHECK-DAG: | +a[threadIdx.y * (TILE + 1) + threadIdx.x] = in[threadIdx.y * TILE + threadIdx.x];
// CHECK-DAG: | +out[threadIdx.y * TILE + threadIdx.x] = a[threadIdx.x * (TILE + 1) + threadIdx.y];
__global__ void macro(const float *in, float *out) {
  __shared__ float a[TILE * TILE];
  a[threadIdx.y * TILE + threadIdx.x] = in[threadIdx.y * TILE + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * TILE + threadIdx.x] = a[threadIdx.x * TILE + threadIdx.y];
}

// Rows are told by the number, whatever its name.
// CHECK-DAG: | +__shared__ float b[1056];
// CHECK-DAG: | +b[33 * (threadIdx.y + j) + threadIdx.x] = in[(threadIdx.y + j) * W + threadIdx.x];
// CHECK-DAG: | +out[(threadIdx.y + j) * W + threadIdx.x] = b[threadIdx.x * (W + 1) + threadIdx.y + j];
__global__ void number(const float *in, float *out) {
  __shared__ float b[1024];
  for (int j = 0; j < 32; j += 8)
    b[32 * (threadIdx.y + j) + threadIdx.x] = in[(threadIdx.y + j) * W + threadIdx.x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    out[(threadIdx.y + j) * W + threadIdx.x] = b[threadIdx.x * W + threadIdx.y + j];
}

// CHECK-DAG: | +__shared__ T c[32 * (N + 1)];
// CHECK-DAG: | +c[threadIdx.y * (N + 1) + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
template <class T, int N>
__global__ void dependent(const T *in, T *out) {
  __shared__ T c[32 * N];
  c[threadIdx.y * N + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = c[threadIdx.x * N + threadIdx.y];
}

// The end of a row by another name is the start of the next: column 32 of row 0
// is column 0 of row 1, and would be another element of longer rows. The whole
// index tells which element is meant.
__global__ void overlapping(const float *in, float *out) {
  __shared__ float d[33 * 32];
  for (int k = threadIdx.x; k < 33 * 32; k += 32)
    d[k] = in[k];
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < 40; ++k)
    // CHECK-DAG: | +out[32 * k + threadIdx.x] = d[threadIdx.x * 32 + k + (threadIdx.x * 32 + k) / 32];
    out[32 * k + threadIdx.x] = d[threadIdx.x * 32 + k];
}

// Where no row is written, places are counted by the index as a whole. 8 words
// a lane: lanes 0, 4, 8 ... meet.
// CHECK-DAG: fix: leave one element free after every 32 elements of 'e' (verified:
// CHECK-DAG: | +__shared__ float e[264];
// CHECK-DAG: | +const float mine = e[i + i / 32];
__global__ void no_rows(const float *in, float *out) {
  __shared__ float e[256];
  const unsigned t = threadIdx.x;
  e[t] = in[t];
  __syncthreads();
  if (t < 32) {
    const unsigned i = t << 3;
    const float mine = e[i];
    out[t] = mine;
  }
}

void run(float *in, float *out) {
  macro<<<1, dim3(32, 32)>>>(in, out);
  number<<<1, dim3(32, 8)>>>(in, out);
  dependent<float, 32><<<1, dim3(32, 32)>>>(in, out);
  dependent<int, 64><<<1, dim3(32, 32)>>>((int *)in, (int *)out);
  overlapping<<<1, 32>>>(in, out);
  no_rows<<<1, 256>>>(in, out);
}
