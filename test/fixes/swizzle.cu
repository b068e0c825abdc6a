// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck %s
// RUN: %python %S/Inputs/apply.py %t '%nvcc' %s -- %cuda_flags
//
// Where there is no room to pad, columns change places within their row: lane l
// reads column y of row l, which lies at y ^ l, in another bank for each l.

// 12288 floats fill the 48 KiB of a block.
// CHECK-DAG: fix: keep column c of row r of 'a' at column c ^ (r % 32) (verified: 32 -> 1 wavefronts a request, no more shared memory)
// CHECK-DAG: | +a[threadIdx.y + 32 * k][threadIdx.x ^ ((threadIdx.y + 32 * k) % 32)] = in[threadIdx.y * 32 + threadIdx.x];
// CHECK-DAG: | +out[threadIdx.y * 32 + threadIdx.x] = a[threadIdx.x + 32 * k][threadIdx.y ^ ((threadIdx.x + 32 * k) % 32)];
__global__ void full(const float *in, float *out) {
  __shared__ float a[384][32];
  for (int k = 0; k < 12; ++k)
    a[threadIdx.y + 32 * k][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 12; ++k)
    out[threadIdx.y * 32 + threadIdx.x] = a[threadIdx.x + 32 * k][threadIdx.y];
}

// Four floats at a time stay together: a row of 32 has 8 such columns. Eight
// lanes on one column of eight rows are 8 x 16 bytes, all banks.
// CHECK-DAG: fix: keep column c of row r of 'b' at column c ^ (r % 8), in units of 4 elements (verified: 32 -> 4 wavefronts a request, no more shared memory)
// CHECK-DAG: | +*reinterpret_cast<float4 *>(&b[r][(threadIdx.x % 8 * 4) ^ (r % 8 * 4)]) =
__global__ void vectors(const float4 *in, float4 *out) {
  __shared__ alignas(16) float b[384][32];
  for (int r = threadIdx.x / 8; r < 384; r += 4)
    *reinterpret_cast<float4 *>(&b[r][threadIdx.x % 8 * 4]) =
        in[8 * r + threadIdx.x % 8];
  __syncthreads();
  for (int k = 0; k < 8; ++k)
    out[32 * k + threadIdx.x] =
        *reinterpret_cast<const float4 *>(&b[threadIdx.x][4 * k]);
}

// An address that is kept shows all elements behind it.
__device__ float corner(const float *row) { return row[31]; }
__global__ void kept(const float *in, float *out) {
  __shared__ float c[384][32];
  for (int k = 0; k < 12; ++k)
    c[threadIdx.y + 32 * k][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'c'
  const float last = corner(&c[threadIdx.y][0]);
  for (int k = 0; k < 12; ++k)
    out[threadIdx.y * 32 + threadIdx.x] =
        c[threadIdx.x + 32 * k][threadIdx.y] + last;
}

void run(float *in, float *out) {
  full<<<1, dim3(32, 32)>>>(in, out);
  vectors<<<1, 32>>>((float4 *)in, (float4 *)out);
  kept<<<1, dim3(32, 32)>>>(in, out);
}
