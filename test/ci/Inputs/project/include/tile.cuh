#pragma once

// Bad: the 32 lanes of a warp read one bank, 32 wavefronts.
__device__ inline float transposed(const float (&tile)[32][32]) {
  return tile[threadIdx.x][threadIdx.y];
}
