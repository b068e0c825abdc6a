// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Where the stride belongs: a whole grid between iterations, one element
// between lanes. The thread-chunked version has it the other way round.

__global__ void dot_grid_stride(const float *a, const float *b, float *partial,
                                int n) {
  float sum = 0.f;
  const int grid = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += grid) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    const float ai = a[i];
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    sum += ai * b[i];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  partial[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void dot_chunked(const float *a, const float *b, float *partial) {
  constexpr int Chunk = 64;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * Chunk;
  float sum = 0.f;
  // Opaque step: neither unrolled nor merged, as a long chunk is not.
#pragma unroll 1
  for (int k = 0; k < Chunk; ++k) {
    // expect: global load at 256*tid + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    const float ak = a[first + k];
    // expect: global load at 256*tid + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    sum += ak * b[first + k];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  partial[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void run(const float *a, const float *b, float *partial, int n) {
  dot_grid_stride<<<128, 256>>>(a, b, partial, n);
  dot_chunked<<<n / (256 * 64), 256>>>(a, b, partial);
}
