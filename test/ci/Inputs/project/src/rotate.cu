#include "views.h"

__global__ void rotate(View in, View out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in.data[y * 32 + x];
  __syncthreads();
  out.data[(31 - y) * 32 + x] = transposed(tile);
}

void runRotate(View in, View out) { rotate<<<1, dim3(32, 32)>>>(in, out); }
