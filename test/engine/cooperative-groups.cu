// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Ranks of cooperative groups are thread indices in other words.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void ranks(const float *__restrict__ in, float *__restrict__ out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto quarter = cg::tiled_partition<8>(block);
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  float v = in[block.thread_rank()];
  // expect: global load at 4*(64*warp + 2*lane): 8 sectors, ideal 4; strided; warns strided-access (absorbed)
  v += in[64 * warp.meta_group_rank() + 2 * warp.thread_rank()];
  // Four groups of 8 lanes, 16 floats apart: one sector each.
  // expect: global load at 4*(16*(tid//8) + tid%8): 4 sectors, ideal 4; coalesced
  v += in[16 * quarter.meta_group_rank() + quarter.thread_rank()];
  for (int o = warp.size() / 2; o > 0; o /= 2)
    v += warp.shfl_down(v, o);
  if (warp.thread_rank() == 0) {
    // expect: global store at 4*warp if lane == 0: 1 sector, ideal 1; 1 lanes
    out[warp.meta_group_rank()] = v;
  }
}

__global__ void grid_rank(const float *__restrict__ in, float *__restrict__ out,
                          unsigned long long n) {
  const auto grid = cg::this_grid();
  for (auto i = grid.thread_rank(); i < n; i += grid.size()) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    const float v = in[i];
    // expect: global store at 16*tid: 16 sectors, ideal 4; strided; warns strided-access
    out[4 * i] = v;
  }
}

void run(const float *in, float *out, unsigned long long n) {
  ranks<<<1, 256>>>(in, out);
  grid_rank<<<8, 256>>>(in, out, n);
}
