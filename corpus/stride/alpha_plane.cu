// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The alpha of four interleaved colours, 16 bytes between lanes; or the alpha
// of a planar image, a plane being N floats.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

struct Interleaved {
  __device__ static int at(int pixel, int channel) {
    return 4 * pixel + channel;
  }
};
struct Planar {
  __device__ static int at(int pixel, int channel) {
    return N * channel + pixel;
  }
};

template <class Layout>
__global__ void opacity(float *__restrict__ out,
                        const float *__restrict__ image) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(Interleaved): global load at 16*tid + 12: 16 sectors, ideal 4; strided; warns strided-access
  // expect(Planar): global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float alpha = image[Layout::at(i, 3)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = 1.f - alpha;
}

void slow(float *out, const float *image) {
  opacity<Interleaved><<<N / 256, 256>>>(out, image);
}
void fast(float *out, const float *image) {
  opacity<Planar><<<N / 256, 256>>>(out, image);
}
void reference(float *out, const float *image) {
  for (int i = 0; i < N; ++i)
    out[i] = 1.f - image[4 * i + 3];
}
void planar(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    for (int c = 0; c < 4; ++c)
      to[c * N + i] = from[4 * i + c];
}

corpus::Enlisted pair =
    corpus::pair("stride/alpha_plane", slow, fast, reference)
        .output(N)
        .input<0>(4 * N)
        .layout<corpus::Fast, 0>(4 * N, planar);

} // namespace
