// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Doubles one element behind an aligned base, read and written: 9 sectors for
// 8, of which the neighbours use the rest.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 23;

__global__ void shift(double *__restrict__ out, const double *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 8-byte at 8*tid + 8: 9 sectors, ideal 8; misaligned; warns misaligned-access (absorbed)
  const double v = in[i];
  // expect: global store 8-byte at 8*tid + 8: 9 sectors, ideal 8; misaligned; warns misaligned-access (absorbed)
  out[i] = v + 1.0;
}
__global__ void shift_aligned(double *__restrict__ out,
                              const double *__restrict__ in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const double v = in[i];
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = v + 1.0;
}

void slow(double *out, const double *in) {
  shift<<<N / 256, 256>>>(out + 1, in + 1);
}
void fast(double *out, const double *in) {
  shift_aligned<<<N / 256, 256>>>(out, in);
}
void reference(double *out, const double *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[i + 1] + 1.0;
}
void moved(double *to, const double *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[i + 1];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/doubles_behind_word", slow, fast, reference)
        .output(N)
        .input<0>(N + 1)
        .layout<corpus::Fast, 0>(N, moved)
        .restore<corpus::Slow>(N + 1, moved);

} // namespace
