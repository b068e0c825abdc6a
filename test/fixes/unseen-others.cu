// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck %s
//
// Others may bear the name in text that is left out: parameters of macros,
// members, variables of other functions, comments.
// CHECK: fix: pad the rows of 'tile' from 32 to 33 elements (verified

#define SQUARE(tile) ((tile) * (tile))
struct Box {
  float tile;
};
#ifdef OLD
__global__ void old(float *out) {
  __shared__ float tile[32][33];
  out[0] = tile[0][0];
}
#endif

template <typename T> __global__ void k(const T *in, T *out, Box box) {
  __shared__ T tile[32][32];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads(); // tile is full
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
#ifdef OLD
  out[0] = box.tile;
#endif
  {
    float tile = box.tile;
    if (tile > 0)
      out[1] = SQUARE(tile);
  }
}

void run(float *in, float *out) {
  k<float><<<1, dim3(32, 32)>>>(in, out, Box());
}
