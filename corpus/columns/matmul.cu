// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// C = A * B, 1024 squared, with threadIdx.x as the row of C or as its column.

#include "../harness.cuh"

namespace {

constexpr int N = 1024;

// block: 32x8
template <bool XIsRow>
__global__ void gemm(float *__restrict__ C, const float *__restrict__ A,
                     const float *__restrict__ B) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int row = XIsRow ? x : y, column = XIsRow ? y : x;
  float sum = 0.f;
  for (int k = 0; k < N; ++k) {
    // expect(<true>): global load at 4096*x + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<false>): global load at 4096*y + 4*k for k in range(64): 1 sector, ideal 1; broadcast
    const float a = A[row * N + k];
    // expect(<true>): global load at 4096*k + 4*y for k in range(64): 1 sector, ideal 1; broadcast
    // expect(<false>): global load at 4096*k + 4*x for k in range(64): 4 sectors, ideal 4; coalesced
    sum += a * B[k * N + column];
  }
  // expect(<true>): global store at 4096*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global store at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  C[row * N + column] = sum;
}

void slow(float *C, const float *A, const float *B) {
  gemm<true><<<dim3(N / 32, N / 8), dim3(32, 8)>>>(C, A, B);
}
void fast(float *C, const float *A, const float *B) {
  gemm<false><<<dim3(N / 32, N / 8), dim3(32, 8)>>>(C, A, B);
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

corpus::Enlisted pair = corpus::pair("columns/matmul", slow, fast, reference)
                            .output(N * N)
                            .input<0>(N * N)
                            .input<1>(N * N);

} // namespace
