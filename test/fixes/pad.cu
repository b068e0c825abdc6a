// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck --implicit-check-not='no edit' %s
// RUN: %python %S/Inputs/apply.py %t '%nvcc' %s -- %cuda_flags
//
// A column of a tile of 32 words a row lies in one bank; rows of 33 spread it.
// The edit goes where the length of the row is written, however it is.

#define SIDE 32
#define HALF 16 + 16
constexpr int Side = 32;
constexpr bool Wide = false;

// Findings come by what they cost.
// CHECK: fix: pad the rows of 'e' from 32 to 36 elements (verified: 32 -> 4 wavefronts a request, 512 more bytes
// CHECK-NEXT: | -__shared__ alignas(16) float e[32][32];
// CHECK-NEXT: | +__shared__ alignas(16) float e[32][36];
// CHECK: fix: pad the rows of 'd' from {{32|64}} to {{33|65}} elements (verified: 32 -> 1
// CHECK-NEXT: | -__shared__ T d[2][32][N];
// CHECK-NEXT: | +__shared__ T d[2][32][N + 1];
// CHECK: fix: pad the rows of 'a' from 32 to 33 elements (verified: 32 -> 1 wavefronts a request, 128 more bytes of shared memory a block)
// CHECK-NEXT: | -__shared__ float a[32][32];
// CHECK-NEXT: | +__shared__ float a[32][33];
__global__ void literal(const float *in, float *out) {
  __shared__ float a[32][32];
  a[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = a[threadIdx.x][threadIdx.y];
}

// CHECK: fix: pad the rows of 'b' from 32 to 33 elements (verified: 32 -> 1
// CHECK-NEXT: | -__shared__ float b[SIDE][SIDE], other[32];
// CHECK-NEXT: | +__shared__ float b[SIDE][SIDE + 1], other[32];
__global__ void macro(const float *in, float *out) {
  __shared__ float b[SIDE][SIDE], other[32];
  b[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  other[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] =
      b[threadIdx.x][threadIdx.y] + other[threadIdx.x];
}

// What binds looser than a sum gets parentheses.
// CHECK: fix: pad the rows of 'c' from 32 to 33 elements (verified: 32 -> 1
// CHECK-NEXT: | -__shared__ float c[HALF][Wide ? 64 : Side];
// CHECK-NEXT: | +__shared__ float c[HALF][(Wide ? 64 : Side) + 1];
__global__ void conditional(const float *in, float *out) {
  __shared__ float c[HALF][Wide ? 64 : Side];
  c[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = c[threadIdx.x][threadIdx.y];
}

// One edit for both instantiations, and for the three dimensions of the array.
template <class T, int N>
__global__ void dependent(const T *in, T *out) {
  __shared__ T d[2][32][N];
  for (int k = 0; k < 2; ++k)
    d[k][threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 2; ++k)
    out[threadIdx.y * 32 + threadIdx.x] = d[k][threadIdx.x][threadIdx.y];
}

// Atomics and vectors take an address and use the element that lies there.
// Rows that are read 16 bytes at a time grow by 16 bytes.
__global__ void vectors(const float4 *in, float4 *out) {
  __shared__ alignas(16) float e[32][32];
  for (int k = 0; k < 8; ++k)
    *reinterpret_cast<float4 *>(&e[threadIdx.x][4 * k]) =
        in[32 * k + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    out[32 * k + threadIdx.x] =
        *reinterpret_cast<float4 *>(&e[31 - threadIdx.x][4 * k]);
}

void run(float *in, float *out) {
  literal<<<1, dim3(32, 32)>>>(in, out);
  macro<<<1, dim3(32, 32)>>>(in, out);
  conditional<<<1, dim3(32, 32)>>>(in, out);
  dependent<float, 32><<<1, dim3(32, 32)>>>(in, out);
  dependent<int, 64><<<1, dim3(32, 32)>>>((int *)in, (int *)out);
  vectors<<<1, 32>>>((float4 *)in, (float4 *)out);
}
