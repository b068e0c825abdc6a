// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The row is data but the same for the whole warp (one node a warp, its feature
// vector across the lanes): 64 floats a row keep every row aligned. Exact.

// block: 32x4
__global__ void gather_rows(const float *__restrict__ features,
                            const int *__restrict__ node,
                            float *__restrict__ out) {
  constexpr int Width = 64;
  const int row = blockIdx.x * 4 + threadIdx.y;
  // expect: global load 'node[row]' at 4*y: 1 sector, ideal 1; broadcast
  const int from = node[row];
  // expect: global load at 256*17 + 4*x: 4 sectors, ideal 4; coalesced
  const float low = features[from * Width + threadIdx.x];
  // expect: global load at 256*17 + 4*x + 128: 4 sectors, ideal 4; coalesced
  const float high = features[from * Width + threadIdx.x + 32];
  // expect: global store at 128*y + 4*x: 4 sectors, ideal 4; coalesced
  out[row * 32 + threadIdx.x] = low + high;
}

void run(const float *features, const int *node, float *out) {
  gather_rows<<<256, dim3(32, 4)>>>(features, node, out);
}
