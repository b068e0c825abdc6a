// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Groups of eight threads sum records of 64 floats: each member takes a run of
// eight of its own, or every eighth element.

#include "../harness.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

namespace {

constexpr int Records = 1 << 19, Size = 64, Group = 8;

template <bool Runs>
__global__ void sums(float *__restrict__ out, const float *__restrict__ in) {
  const auto group = cg::tiled_partition<Group>(cg::this_thread_block());
  const int record = blockIdx.x * (256 / Group) + group.meta_group_rank();
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < Size / Group; ++k) {
    const int element = Runs ? group.thread_rank() * (Size / Group) + k
                             : k * Group + group.thread_rank();
    // expect(<true>): global load at 256*(tid//8) + 32*(tid%8) + 4*k for k in range(8): 32 sectors, ideal 4; strided; warns strided-access
    // expect(<false>): global load at 256*(tid//8) + 32*k + 4*(tid%8) for k in range(8): 4 sectors, ideal 4; coalesced
    sum += in[record * Size + element];
  }
  sum = cg::reduce(group, sum, cg::plus<float>());
  if (group.thread_rank() == 0) {
    // expect: global store at 4*(tid//8) if tid % 8 == 0: 1 sector, ideal 1; coalesced
    out[record] = sum;
  }
}

void slow(float *out, const float *in) {
  sums<true><<<Records * Group / 256, 256>>>(out, in);
}
void fast(float *out, const float *in) {
  sums<false><<<Records * Group / 256, 256>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int r = 0; r < Records; ++r) {
    out[r] = 0.f;
    for (int k = 0; k < Size; ++k)
      out[r] += in[r * Size + k];
  }
}

corpus::Enlisted pair =
    corpus::pair("groups/group_of_eight", slow, fast, reference)
        .output(Records)
        .input<0>(Records * Size);

} // namespace
