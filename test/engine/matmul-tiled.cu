// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The textbook tiled product, with tiles of 16 and of 32. In both the B tile is
// read along a row and the A tile by broadcast: a 16-wide row is half a warp,
// so two rows of A are read, two words of different banks.

template <int Tile>
__global__ void matmul(const float *__restrict__ A, const float *__restrict__ B,
                       float *__restrict__ C, int N) {
  __shared__ float As[Tile][Tile], Bs[Tile][Tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
  float sum = 0.f;
  for (int m = 0; m < N / Tile; ++m) {
    // expect(16x16): global load at 4*(512*y + 16*m + x) for m in range(4): 4 sectors, ideal 4; coalesced
    // expect(32x32): global load at 4*(512*y + 32*m + x) for m in range(4): 4 sectors, ideal 4; coalesced
    // expect(16x16 32x32): shared store at 4*tid for m in range(4): 1 wavefront, ideal 1; conflict-free
    As[ty][tx] = A[row * N + m * Tile + tx];
    // expect(16x16): global load at 4*(512*(16*m + y) + x) for m in range(4): 4 sectors, ideal 4; coalesced
    // expect(32x32): global load at 4*(512*(32*m + y) + x) for m in range(4): 4 sectors, ideal 4; coalesced
    // expect(16x16 32x32): shared store at 4*tid for m in range(4): 1 wavefront, ideal 1; conflict-free
    Bs[ty][tx] = B[(m * Tile + ty) * N + col];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < Tile; ++k) {
      // expect(16x16): shared load at 4*(16*y + k) for k in range(16): 1 wavefront, ideal 1; conflict-free
      // expect(32x32): shared load at 4*(32*y + k) for k in range(32): 1 wavefront, ideal 1; broadcast
      const float a = As[ty][k];
      // expect(16x16): shared load at 4*(16*k + x) for k in range(16): 1 wavefront, ideal 1; conflict-free
      // expect(32x32): shared load at 4*(32*k + x) for k in range(32): 1 wavefront, ideal 1; conflict-free
      sum += a * Bs[k][tx];
    }
    __syncthreads();
  }
  // expect(16x16 32x32): global store at 4*(512*y + x): 4 sectors, ideal 4; coalesced
  C[row * N + col] = sum;
}

void run(const float *A, const float *B, float *C) {
  const int N = 512;
  matmul<16><<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, C, N);
  matmul<32><<<dim3(N / 32, N / 32), dim3(32, 32)>>>(A, B, C, N);
}
