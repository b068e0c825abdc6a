// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The same with a pitch that only run time knows, taken for a multiple of the
// sector (8 floats). Columns by threadIdx.x: 4 sectors (5 on some rows where it
// is none). Rows by threadIdx.x: a sector a lane for every such pitch.

// block: 32x8
__global__ void scale_rows(const float *__restrict__ a, float *__restrict__ out,
                           int pitch, float f) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 8 + threadIdx.y;
  // expect: global load at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  const float v = a[row * pitch + col];
  // expect: global store at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  out[row * pitch + col] = f * v;
}

__global__ void scale_columns(const float *__restrict__ a,
                              float *__restrict__ out, int pitch, float f) {
  const int row = blockIdx.x * 32 + threadIdx.x;
  const int col = blockIdx.y * 8 + threadIdx.y;
  // expect: global load at 4096*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  const float v = a[row * pitch + col];
  // expect: global store at 4096*x + 4*y: 32 sectors, ideal 4; strided; warns strided-access
  out[row * pitch + col] = f * v;
}

void run(const float *a, float *out, int width, int height, int pitch) {
  const dim3 block(32, 8);
  scale_rows<<<dim3(width / 32, height / 8), block>>>(a, out, pitch, 2.f);
  scale_columns<<<dim3(height / 32, width / 8), block>>>(a, out, pitch, 2.f);
}
