// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Every fourth element, by the rank in the grid: as they lie, or packed.

#include "../harness.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

constexpr int N = 1 << 24;

template <int Step>
__global__ void halve(double *__restrict__ out, const double *__restrict__ in) {
  const auto block = cg::this_thread_block();
  const int i = block.group_index().x * block.size() + block.thread_rank();
  // expect(<4>): global load 8-byte at 32*tid: 32 sectors, ideal 8; strided; warns strided-access
  // expect(<1>): global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const double v = in[Step * i];
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = 0.5 * v;
}

void slow(double *out, const double *in) {
  halve<4><<<N / 256, 256>>>(out, in);
}
void fast(double *out, const double *in) {
  halve<1><<<N / 256, 256>>>(out, in);
}
void reference(double *out, const double *in) {
  for (int i = 0; i < N; ++i)
    out[i] = 0.5 * in[4 * i];
}
void packed(double *to, const double *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[4 * i];
}

corpus::Enlisted pair =
    corpus::pair("groups/block_ranks", slow, fast, reference)
        .output(N)
        .input<0>(4 * N)
        .layout<corpus::Fast, 0>(N, packed);

} // namespace
