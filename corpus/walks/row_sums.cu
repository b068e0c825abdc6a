// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Sums of rows of 1024 floats: a thread a row, lanes 4096 bytes apart, or a
// warp a row, lane by lane.

#include "../harness.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

namespace {

constexpr int Rows = 1 << 16, Columns = 1024;

__global__ void thread_a_row(float *__restrict__ sums,
                             const float *__restrict__ m) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (int c = 0; c < Columns; ++c) {
    // expect: global load at 4096*tid + 4*c for c in range(64): 32 sectors, ideal 4; strided; warns strided-access
    sum += m[row * Columns + c];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  sums[row] = sum;
}

__global__ void warp_a_row(float *__restrict__ sums,
                           const float *__restrict__ m) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  const int lane = warp.thread_rank();
  float sum = 0.f;
  for (int c = lane; c < Columns; c += 32) {
    // expect: global load at 4096*warp + 4*(lane + 32*k) for k in range(32): 4 sectors, ideal 4; coalesced
    sum += m[row * Columns + c];
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (lane == 0) {
    // expect: global store at 4*warp if lane == 0: 1 sector, ideal 1; 1 lanes
    sums[row] = sum;
  }
}

void slow(float *sums, const float *m) {
  thread_a_row<<<Rows / 256, 256>>>(sums, m);
}
void fast(float *sums, const float *m) {
  warp_a_row<<<Rows / 8, 256>>>(sums, m);
}
void reference(float *sums, const float *m) {
  for (int r = 0; r < Rows; ++r) {
    double sum = 0;
    for (int c = 0; c < Columns; ++c)
      sum += m[r * Columns + c];
    sums[r] = sum;
  }
}

corpus::Enlisted pair = corpus::pair("walks/row_sums", slow, fast, reference)
                            .output(Rows)
                            .input<0>(Rows * Columns);

} // namespace
