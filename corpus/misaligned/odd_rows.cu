// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Rows of 8191 floats, kept one after the other or padded to 8192.

#include "../harness.cuh"

namespace {

constexpr int Width = 8191, Height = 4096;
constexpr int Used =
    8160; // whole warps: what is left of a row is no matter here

// block: 32x8
template <int Pitch>
__global__ void brighten(float *__restrict__ out, const float *__restrict__ in,
                         float by) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x < Used) {
    // One row of eight starts at a sector: (4 + 7*5) / 8.
    // expect(<8191>): global load at 32764*y + 4*x: 4.875 in 4..5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
    // expect(<8192>): global load at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
    const float v = in[y * Pitch + x];
    // expect(<8191>): global store at 32764*y + 4*x: 4.875 in 4..5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
    // expect(<8192>): global store at 32768*y + 4*x: 4 sectors, ideal 4; coalesced
    out[y * Pitch + x] = v + by;
  }
}

void slow(float *out, const float *in) {
  brighten<Width><<<dim3(255, Height / 8), dim3(32, 8)>>>(out, in, 0.1f);
}
void fast(float *out, const float *in) {
  brighten<Width + 1><<<dim3(255, Height / 8), dim3(32, 8)>>>(out, in, 0.1f);
}
void reference(float *out, const float *in) {
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Used; ++x)
      out[y * Used + x] = in[y * Width + x] + 0.1f;
}
void padded(float *to, const float *from) {
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Width; ++x)
      to[y * (Width + 1) + x] = from[y * Width + x];
}
template <int Pitch> static void cropped(float *to, const float *from) {
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Used; ++x)
      to[y * Used + x] = from[y * Pitch + x];
}

corpus::Enlisted pair =
    corpus::pair("misaligned/odd_rows", slow, fast, reference)
        .output(Used * Height)
        .input<0>(Width * Height)
        .layout<corpus::Fast, 0>((Width + 1) * Height, padded)
        .restore<corpus::Slow>(Width * Height, cropped<Width>)
        .restore<corpus::Fast>((Width + 1) * Height, cropped<Width + 1>);

} // namespace
