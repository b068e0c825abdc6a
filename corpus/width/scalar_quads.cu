// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Four neighbouring floats a thread. As scalars they are four requests, 16
// bytes between lanes; as float4 one request of 16 bytes.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25;

__global__ void axpy_scalars(float *__restrict__ out,
                             const float *__restrict__ in, float a) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    // expect: global load at 16*tid + 4*k for k in range(4): 16 sectors, ideal 4; strided; warns strided-access (absorbed)
    const float v = in[i + k];
    // expect: global store at 16*tid + 4*k for k in range(4): 16 sectors, ideal 4; strided; warns strided-access (absorbed)
    out[i + k] = a * v + 1.f;
  }
}

__global__ void axpy_vectors(float4 *__restrict__ out,
                             const float4 *__restrict__ in, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const float4 v = in[i];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[i] =
      make_float4(a * v.x + 1.f, a * v.y + 1.f, a * v.z + 1.f, a * v.w + 1.f);
}

void slow(float *out, const float *in) {
  axpy_scalars<<<N / 1024, 256>>>(out, in, 2.f);
}
void fast(float *out, const float *in) {
  axpy_vectors<<<N / 1024, 256>>>(reinterpret_cast<float4 *>(out),
                                  reinterpret_cast<const float4 *>(in), 2.f);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i)
    out[i] = 2.f * in[i] + 1.f;
}

corpus::Enlisted pair =
    corpus::pair("width/scalar_quads", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
