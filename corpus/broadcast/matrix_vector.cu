// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A row a block: the warp walks the row, the scalar of the row is a broadcast.
// One lane writes: 4 bytes, one sector, ideal.

// block: 32
__global__ void row_dot(const float *__restrict__ m,
                        const float *__restrict__ v,
                        const float *__restrict__ alpha,
                        float *__restrict__ y) {
  const int row = blockIdx.x;
  constexpr int Columns = 1024;
  float sum = 0.f;
  for (int c = threadIdx.x; c < Columns; c += 32) {
    // expect: global load at 4096*row + 4*(tid + 32*k) for k in range(32) for row in (0, 1, 2): 4 sectors, ideal 4; coalesced
    const float mc = m[row * Columns + c];
    // expect: global load at 4*(tid + 32*k) for k in range(32): 4 sectors, ideal 4; coalesced
    sum += mc * v[c];
  }
  for (int o = 16; o > 0; o >>= 1)
    sum += __shfl_down_sync(0xffffffffu, sum, o);
  // expect: global load at 4*row for row in range(8): 1 sector, ideal 1; broadcast
  const float a = alpha[row];
  if (threadIdx.x == 0) {
    // expect: global store at 4*row for row in range(8) if tid == 0: 1 sector, ideal 1; broadcast; 1 lanes
    y[row] = a * sum;
  }
}

void run(const float *m, const float *v, const float *alpha, float *y) {
  row_dot<<<1024, 32>>>(m, v, alpha, y);
}
