// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A block of 8x8x4 threads over a volume whose contiguous index is z: x of the
// block walks it in the fast version, z in the slow one.

#include "../harness.cuh"

namespace {

constexpr int Size = 256;

// block: 8x8x4
template <bool Deep>
__global__ void soften(float *__restrict__ out, const float *__restrict__ in) {
  const int a = blockIdx.x * 8 + threadIdx.x, b = blockIdx.y * 8 + threadIdx.y,
            c = blockIdx.z * 4 + threadIdx.z;
  const int at = Deep ? (a * Size + b) * Size + c : (c * Size + b) * Size + a;
  // expect(<true>): global load at 262144*x + 1024*y + 4*z: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global load at 262144*z + 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[at];
  // expect(<true>): global store at 262144*x + 1024*y + 4*z: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global store at 262144*z + 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  out[at] = 0.5f * v + 0.25f;
}

void slow(float *out, const float *in) {
  soften<true><<<dim3(Size / 8, Size / 8, Size / 4), dim3(8, 8, 4)>>>(out, in);
}
void fast(float *out, const float *in) {
  soften<false><<<dim3(Size / 8, Size / 8, Size / 4), dim3(8, 8, 4)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < Size * Size * Size; ++i)
    out[i] = 0.5f * in[i] + 0.25f;
}

corpus::Enlisted pair =
    corpus::pair("columns/depth_first_block", slow, fast, reference)
        .output(Size * Size * Size)
        .input<0>(Size * Size * Size);

} // namespace
