// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Each thread takes a chunk of 64 neighbouring elements, as threads of a CPU
// would; or the grid strides over the array.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 25, Chunk = 64;

template <class F>
__global__ void map_chunks(float *__restrict__ out,
                           const float *__restrict__ in, F f) {
  const int first = Chunk * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < Chunk; ++k) {
    // expect: global load at 256*tid + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    const float v = in[first + k];
    // expect: global store at 256*tid + 4*k for k in range(64): 32 sectors, ideal 4; strided; warns strided-access
    out[first + k] = f(v);
  }
}

template <class F>
__global__ void map_strides(float *__restrict__ out,
                            const float *__restrict__ in, F f) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += step) {
    // expect: global load at 4*tid + 524288*4*k for k in range(64): 4 sectors, ideal 4; coalesced
    const float v = in[i];
    // expect: global store at 4*tid + 524288*4*k for k in range(64): 4 sectors, ideal 4; coalesced
    out[i] = f(v);
  }
}

struct Soften {
  __device__ float operator()(float v) const {
    return v * (1.5f - 0.5f * v * v);
  }
};

void slow(float *out, const float *in) {
  map_chunks<<<N / Chunk / 256, 256>>>(out, in, Soften{});
}
void fast(float *out, const float *in) {
  map_strides<<<N / Chunk / 256, 256>>>(out, in, Soften{});
}
void reference(float *out, const float *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[i] * (1.5f - 0.5f * in[i] * in[i]);
}

corpus::Enlisted pair =
    corpus::pair("walks/chunk_a_thread", slow, fast, reference)
        .output(N)
        .input<0>(N);

} // namespace
