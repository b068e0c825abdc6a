// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// From the end: a stride of -4 bytes is as good as 4, one of -12 is as bad as
// 12. (Neither kernel is flagged for its direction.)

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

template <int Step> class Backwards {
  const float *last;

public:
  __host__ __device__ explicit Backwards(const float *last) : last(last) {}
  // expect(<3>): global load at 12*((1 << 24) - 1 - tid): 12 sectors, ideal 4; strided; warns strided-access
  // expect(<1>): global load at 4*((1 << 24) - 1 - tid): 4 sectors, ideal 4; coalesced
  __device__ float operator[](int i) const { return *(last - Step * i); }
};

template <int Step>
__global__ void reverse(float *__restrict__ out, const float *__restrict__ in) {
  const Backwards<Step> from(in + Step * (N - 1));
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = from[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

void slow(float *out, const float *in) {
  reverse<3><<<N / 256, 256>>>(out, in);
}
void fast(float *out, const float *in) {
  reverse<1><<<N / 256, 256>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[3 * (N - 1 - i)];
}
void packed(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[3 * i];
}

corpus::Enlisted pair = corpus::pair("stride/backwards", slow, fast, reference)
                            .output(N)
                            .input<0>(3 * N)
                            .layout<corpus::Fast, 0>(N, packed);

} // namespace
