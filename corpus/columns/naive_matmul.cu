// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// C = A * B with threadIdx.x as the column: A is a broadcast, B and C are
// coalesced. With threadIdx.x as the row only B is well read, by broadcast.

template <bool XIsColumn>
__global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int N) {
  const int tx = blockIdx.x * blockDim.x + threadIdx.x;
  const int ty = blockIdx.y * blockDim.y + threadIdx.y;
  const int row = XIsColumn ? ty : tx, col = XIsColumn ? tx : ty;
  float sum = 0.f;
  for (int k = 0; k < N; ++k) {
    // expect(<true> 32x8): global load at 2048*y + 4*k for k in range(9): 1 sector, ideal 1; broadcast
    // expect(<false> 32x8): global load at 2048*x + 4*k for k in range(9): 32 sectors, ideal 4; strided; warns strided-access
    const float a = A[row * N + k];
    // expect(<true> 32x8): global load at 2048*k + 4*x for k in range(9): 4 sectors, ideal 4; coalesced
    // expect(<false> 32x8): global load at 2048*k + 4*y for k in range(9): 1 sector, ideal 1; broadcast
    sum += a * B[k * N + col];
  }
  // expect(<true> 32x8): global store at 2048*y + 4*x: 4 sectors, ideal 4; coalesced
  // expect(<false> 32x8): global store at 2048*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  C[row * N + col] = sum;
}

void run(const float *A, const float *B, float *C) {
  const int N = 512;
  dim3 block(32, 8);
  matmul<true><<<dim3(N / 32, N / 8), block>>>(A, B, C, N);
  matmul<false><<<dim3(N / 32, N / 8), block>>>(A, B, C, N);
}
