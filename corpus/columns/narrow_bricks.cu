// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Bricks of 2x4x32 threads give pieces of 8 bytes; bricks of 32x4x2 whole rows.

#include "../harness.cuh"

namespace {

constexpr int Size = 256;

struct Volume {
  float *cells;
  __device__ float &at(int x, int y, int z) const {
    return cells[(z * Size + y) * Size + x];
  }
};

// block: 2x4x32 32x4x2
__global__ void scale(Volume out, const float *__restrict__ in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  // expect(2x4x32): global load at 4*x + 1024*y + 262144*z: 16 sectors, ideal 4; strided; warns strided-access
  // expect(32x4x2): global load at 4*x + 1024*y + 262144*z: 4 sectors, ideal 4; coalesced
  const float v = in[(z * Size + y) * Size + x];
  // expect(2x4x32): global store at 4*x + 1024*y + 262144*z: 16 sectors, ideal 4; strided; warns strided-access
  // expect(32x4x2): global store at 4*x + 1024*y + 262144*z: 4 sectors, ideal 4; coalesced
  out.at(x, y, z) = 3.f * v;
}

void slow(float *out, const float *in) {
  scale<<<dim3(Size / 2, Size / 4, Size / 32), dim3(2, 4, 32)>>>({out}, in);
}
void fast(float *out, const float *in) {
  scale<<<dim3(Size / 32, Size / 4, Size / 2), dim3(32, 4, 2)>>>({out}, in);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < Size * Size * Size; ++i)
    out[i] = 3.f * in[i];
}

corpus::Enlisted pair =
    corpus::pair("columns/narrow_bricks", slow, fast, reference)
        .output(Size * Size * Size)
        .input<0>(Size * Size * Size);

} // namespace
