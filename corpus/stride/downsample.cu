// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A picture at half its size, every second pixel of every second row, from a
// picture of 8192 floats a row. The fast side keeps even and odd pixels apart.

#include "../harness.cuh"

namespace {

constexpr int Width = 8192, Height = 8192;

struct Mixed {
  __device__ static int column(int x) { return 2 * x; }
};
struct EvenFirst {
  __device__ static int column(int x) { return x; }
};

// block: 32x8
template <class Columns>
__global__ void half_size(float *__restrict__ out,
                          const float *__restrict__ in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  // expect(Mixed): global load at 65536*y + 8*x: 8 sectors, ideal 4; strided; warns strided-access
  // expect(EvenFirst): global load at 65536*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = in[2 * y * Width + Columns::column(x)];
  // expect: global store at 16384*y + 4*x: 4 sectors, ideal 4; coalesced
  out[y * (Width / 2) + x] = v;
}

void slow(float *out, const float *in) {
  half_size<Mixed><<<dim3(Width / 64, Height / 16), dim3(32, 8)>>>(out, in);
}
void fast(float *out, const float *in) {
  half_size<EvenFirst><<<dim3(Width / 64, Height / 16), dim3(32, 8)>>>(out, in);
}
void reference(float *out, const float *in) {
  for (int y = 0; y < Height / 2; ++y)
    for (int x = 0; x < Width / 2; ++x)
      out[y * (Width / 2) + x] = in[2 * y * Width + 2 * x];
}
void even_first(float *to, const float *from) {
  for (int y = 0; y < Height; ++y)
    for (int x = 0; x < Width; ++x)
      to[y * Width + x % 2 * (Width / 2) + x / 2] = from[y * Width + x];
}

corpus::Enlisted pair =
    corpus::pair("stride/downsample", slow, fast, reference)
        .output(Width / 2 * Height / 2)
        .input<0>(Width * Height)
        .layout<corpus::Fast, 0>(Width * Height, even_first);

} // namespace
