// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Sixteen neighbouring bytes a thread, one by one, or as one uint4.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 27, Each = 16;

template <class F>
__global__ void map_bytes(unsigned char *__restrict__ out,
                          const unsigned char *__restrict__ in, F f) {
  const int i = Each * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
  for (int k = 0; k < Each; ++k) {
    // expect: global load 1-byte at 16*tid + k for k in range(16): 16 sectors, ideal 1; strided; warns strided-access
    const unsigned char c = in[i + k];
    // expect: global store 1-byte at 16*tid + k for k in range(16): 16 sectors, ideal 1; strided; warns strided-access
    out[i + k] = f(c);
  }
}

template <class F>
__global__ void map_words(uint4 *__restrict__ out, const uint4 *__restrict__ in,
                          F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const uint4 v = in[i];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[i] = make_uint4(f(v.x), f(v.y), f(v.z), f(v.w));
}

struct Invert {
  template <class T> __device__ T operator()(T bits) const { return T(~bits); }
};

void slow(unsigned char *out, const unsigned char *in) {
  map_bytes<<<N / Each / 256, 256>>>(out, in, Invert{});
}
void fast(unsigned char *out, const unsigned char *in) {
  map_words<<<N / Each / 256, 256>>>(reinterpret_cast<uint4 *>(out),
                                     reinterpret_cast<const uint4 *>(in),
                                     Invert{});
}
void reference(unsigned char *out, const unsigned char *in) {
  for (int i = 0; i < N; ++i)
    out[i] = ~in[i];
}

corpus::Enlisted pair =
    corpus::pair("width/scalar_bytes", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
