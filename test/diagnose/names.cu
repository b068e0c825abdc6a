// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint --no-fixes --checks='warplint-*' %s -- %cuda_flags | FileCheck %s
// Advice says it in the names of the code it is about.

// CHECK-DAG: fix: each lane walks a row of its own; let threadIdx.x drive 'k', the contiguous part of the index 'row * n + k', or stage
__global__ void walk(const float *in, float *out, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[row * n + k];
  out[row] = sum;
}

// 'k' differs from lane to lane here, 'row' does not: nothing to say.
// CHECK-NOT: let threadIdx.x drive 'lane'
__global__ void along(const float *in, float *out, int n) {
  const int lane = threadIdx.x;
  for (int row = 0; row < n; ++row)
    out[row * n + lane] = in[row * n + lane];
}

struct Particle {
  float x, y, z;
};
// CHECK-DAG: fix: keep each field of 'Particle' in an array of its own (structure of arrays): 4 sectors a request; 'x[i]' then is what 'p[i].x' is now
__global__ void field(const Particle *p, float *out) {
  const int i = threadIdx.x;
  out[i] = p[i].x;
}

// CHECK-DAG: advice: sort or bucket the indices ('list[threadIdx.x]') so that
__global__ void gather(const float *in, const int *list, float *out) {
  out[threadIdx.x] = in[list[threadIdx.x]];
}

// CHECK-DAG: fix: store column c of row r of 'tile' at column c ^ (r % 32), as 'tile[threadIdx.x + 32 * j][threadIdx.y ^ ((threadIdx.x + 32 * j) % 32)]' for 'tile[threadIdx.x + 32 * j][threadIdx.y]' and so at each use: 1 wavefront a request without padding
__global__ void full(const float *in, float *out) {
  __shared__ float tile[384][32];
  for (int j = 0; j < 12; ++j)
    tile[threadIdx.y + 32 * j][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  for (int j = 0; j < 12; ++j)
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x + 32 * j][threadIdx.y];
}

// Comments are no part of an expression, and a function's static has its own name.
// CHECK-DAG: lanes write 'out[2 * threadIdx.x]' 8 bytes apart
// CHECK-DAG: note: the address depends on order[...]
__global__ void commented(const float *in, const int *list, float *out) {
  __shared__ int order[64];
  order[threadIdx.x] = list[threadIdx.x];
  __syncthreads();
  out[2 * // every other
      threadIdx.x /* alone */] = 1;
  out[1024 + threadIdx.x] = in[order[63 - threadIdx.x]];
}

void run(float *in, int *list, float *out, int n) {
  walk<<<8, 256>>>(in, out, n);
  along<<<8, 256>>>(in, out, n);
  field<<<1, 256>>>((Particle *)in, out);
  gather<<<1, 256>>>(in, list, out);
  commented<<<1, 64>>>(in, list, out);
  full<<<1, dim3(32, 32)>>>(in, out);
}
