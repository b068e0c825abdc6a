// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Row-major A[row][col]. threadIdx.x drives col: neighbours, 4 sectors. It
// drives row: neighbours are a whole row apart, 32 sectors, known pitch or not.

// block: 32x8
__global__ void add_bias(const float *__restrict__ a,
                         const float *__restrict__ b, float *__restrict__ out,
                         int pitch) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  // expect: global load at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = a[row * pitch + col];
  // expect: global load at 4*x: 4 sectors, ideal 4; coalesced
  const float bias = b[col];
  // expect: global store at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  out[row * pitch + col] = v + bias;
}

__global__ void add_bias_swapped(const float *__restrict__ a,
                                 const float *__restrict__ b,
                                 float *__restrict__ out, int pitch) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  // expect: global load at 4096*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  const float v = a[row * pitch + col];
  // expect: global load at 4*y: 1 sector, ideal 1; broadcast
  const float bias = b[col];
  // expect: global store at 4096*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  out[row * pitch + col] = v + bias;
}

void run(const float *a, const float *b, float *out) {
  const dim3 block(32, 8), grid(1024 / 32, 1024 / 8);
  add_bias<<<grid, block>>>(a, b, out, 1024);
  add_bias_swapped<<<grid, block>>>(a, b, out, 1024);
}
