// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// NHWC to NCHW with 256 channels: one thread a pixel and channel. By pixels
// first, lanes read 1024 bytes apart; by channels first they read neighbours,
// and it is the store that would stride, were the output not channels-last too.

#include "../harness.cuh"

namespace {

constexpr int Pixels = 1 << 17, Channels = 256;

// block: 64x4
template <bool PixelsFirst>
__global__ void add_bias(float *__restrict__ out, const float *__restrict__ in,
                         const float *__restrict__ bias) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int pixel = PixelsFirst ? x : y, channel = PixelsFirst ? y : x;
  // expect(<true>): global load at 1024*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global load at 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[pixel * Channels + channel];
  // expect(<true>): global load at 4*y: 1 sector, ideal 1; broadcast
  // expect(<false>): global load at 4*x: 4 sectors, ideal 4; coalesced
  const float b = bias[channel];
  // expect(<true>): global store at 1024*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global store at 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  out[pixel * Channels + channel] = v + b;
}

void slow(float *out, const float *in, const float *bias) {
  add_bias<true>
      <<<dim3(Pixels / 64, Channels / 4), dim3(64, 4)>>>(out, in, bias);
}
void fast(float *out, const float *in, const float *bias) {
  add_bias<false>
      <<<dim3(Channels / 64, Pixels / 4), dim3(64, 4)>>>(out, in, bias);
}
void reference(float *out, const float *in, const float *bias) {
  for (int i = 0; i < Pixels * Channels; ++i)
    out[i] = in[i] + bias[i % Channels];
}

corpus::Enlisted pair =
    corpus::pair("columns/channels_last", slow, fast, reference)
        .output(Pixels * Channels)
        .input<0>(Pixels * Channels)
        .input<1>(Channels);

} // namespace
