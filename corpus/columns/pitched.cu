// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// cudaMallocPitch rounds rows up to the device's pitch alignment, 512 bytes on
// current parts: every row starts at a sector, whatever the width. The pitch is
// unknown and its divisor is not: 4 sectors, exact.

template <class T>
__device__ inline T *row_of(T *base, size_t pitch_bytes, int row) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(base) +
                               row * pitch_bytes);
}

// block: 32x8
__global__ void invert(float *image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float *row = row_of(image, pitch, y);
  // expect: global load at 512*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = row[x];
  // expect: global store at 512*y + 4*x: 4 sectors, ideal 4; coalesced
  row[x] = 1.f - v;
}

void run(int width, int height) {
  float *image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  invert<<<grid, block>>>(image, pitch, width, height);
  cudaFree(image);
}
