// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The inner product of two 32x32 tiles. threadIdx.x as the row of C reads the
// tile of A down a column, 32-way; as the column of C it reads it by broadcast.

#include "../harness.cuh"

namespace {

constexpr int N = 1024, T = 32;

// block: 32x32
template <bool XIsRow>
__global__ void gemm_tiled(float *__restrict__ C, const float *__restrict__ A,
                           const float *__restrict__ B) {
  __shared__ float a[T][T], b[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = XIsRow ? x : y, column = XIsRow ? y : x;
  const int top = blockIdx.y * T, left = blockIdx.x * T;
  float sum = 0.f;
  for (int k = 0; k < N; k += T) {
    // expect: global load at 4096*y + 4*x + 128*k for k in range(32): 4 sectors, ideal 4; coalesced
    // expect: shared store at 128*y + 4*x: 1 wavefront, ideal 1; conflict-free
    a[y][x] = A[(top + y) * N + k + x];
    // expect: global load at 4096*(y + 32*k) + 4*x for k in range(32): 4 sectors, ideal 4; coalesced
    // expect: shared store at 128*y + 4*x: 1 wavefront, ideal 1; conflict-free
    b[y][x] = B[(k + y) * N + left + x];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < T; ++j) {
      // expect(<true>): shared load 16-byte at 128*x + 16*j for j in range(8): 32 wavefronts, ideal 4; conflict; warns shared-bank-conflict
      // expect(<false>): shared load 16-byte at 128*y + 16*j for j in range(8): 2 wavefronts, ideal 2; broadcast
      const float aj = a[row][j];
      // expect(<true>): shared load at 128*j + 4*y for j in range(32): 1 wavefront, ideal 1; broadcast
      // expect(<false>): shared load at 128*j + 4*x for j in range(32): 1 wavefront, ideal 1; conflict-free
      sum += aj * b[j][column];
    }
    __syncthreads();
  }
  // expect(<true>): global store at 4096*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global store at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  C[(top + row) * N + left + column] = sum;
}

void slow(float *C, const float *A, const float *B) {
  gemm_tiled<true><<<dim3(N / T, N / T), dim3(T, T)>>>(C, A, B);
}
void fast(float *C, const float *A, const float *B) {
  gemm_tiled<false><<<dim3(N / T, N / T), dim3(T, T)>>>(C, A, B);
}
void reference(float *C, const float *A, const float *B) {
  for (int r = 0; r < N; ++r) {
    for (int c = 0; c < N; ++c)
      C[r * N + c] = 0.f;
    for (int k = 0; k < N; ++k)
      for (int c = 0; c < N; ++c)
        C[r * N + c] += A[r * N + k] * B[k * N + c];
  }
}

corpus::Enlisted pair =
    corpus::pair("shared/matmul_tile", slow, fast, reference)
        .output(N * N)
        .input<0>(N * N)
        .input<1>(N * N);

} // namespace
