// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A volume of 512x512x128 by blocks of 8x8x4 threads. Lanes that run along z
// first are a whole plane apart; along x, eight lanes fill a sector.

#include "../harness.cuh"

namespace {

constexpr int NX = 512, NY = 512, NZ = 128;

__device__ __forceinline__ int voxel(int x, int y, int z) {
  return (z * NY + y) * NX + x;
}

// block: 8x8x4
template <bool XIsDepth>
__global__ void threshold(float *__restrict__ out, const float *__restrict__ in,
                          float level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int j = blockIdx.y * blockDim.y + threadIdx.y;
  const int k = blockIdx.z * blockDim.z + threadIdx.z;
  const int at = XIsDepth ? voxel(k, j, i) : voxel(i, j, k);
  // expect(<true>): global load at 4*((x*512 + y)*512 + z): 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global load at 4*((z*512 + y)*512 + x): 4 sectors, ideal 4; coalesced
  const float v = in[at];
  // expect(<true>): global store at 4*((x*512 + y)*512 + z): 32 sectors, ideal 4; strided; warns strided-access
  // expect(<false>): global store at 4*((z*512 + y)*512 + x): 4 sectors, ideal 4; coalesced
  out[at] = v > level ? 1.f : 0.f;
}

void slow(float *out, const float *in) {
  threshold<true>
      <<<dim3(NZ / 8, NY / 8, NX / 4), dim3(8, 8, 4)>>>(out, in, 0.1f);
}
void fast(float *out, const float *in) {
  threshold<false>
      <<<dim3(NX / 8, NY / 8, NZ / 4), dim3(8, 8, 4)>>>(out, in, 0.1f);
}
void reference(float *out, const float *in) {
  for (int i = 0; i < NX * NY * NZ; ++i)
    out[i] = in[i] > 0.1f ? 1.f : 0.f;
}

corpus::Enlisted pair = corpus::pair("columns/volume", slow, fast, reference)
                            .output(NX * NY * NZ)
                            .input<0>(NX * NY * NZ);

} // namespace
