// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lanes are numbered along x, then y, then z; a block whose extent is no
// multiple of 32 has warps that are not alike and a last one that is not full.

constexpr int Pitch = 256;

__global__ void plane(const float *__restrict__ in, float *__restrict__ out) {
  const int x = threadIdx.x, y = threadIdx.y;
  // Two rows of 16 floats: 2 * 64 bytes, 2 sectors each. Four of 8 floats: 1
  // each.
  // expect(16x16): global load at 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  // expect(8x32): global load at 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  // expect(32x8): global load at 1024*y + 4*x: 4 sectors, ideal 4; coalesced
  // expect(4x64): global load at 1024*y + 4*x: 8 sectors, ideal 4; strided; warns strided-access
  const float v = in[Pitch * y + x];
  // Rows of the block's own width: always contiguous.
  // expect(16x16 8x32 32x8 4x64): global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockDim.x * y + x] = v;
}

// block: 8x8x4
__global__ void volume(const float *__restrict__ in, float *__restrict__ out) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  // A warp is 8 x 4 x 1; z and half of y differ between warps only.
  // expect: global load at 4*(x + 64*y + 4096*z): 4 sectors, ideal 4; coalesced
  const float v = in[x + 64 * y + 4096 * z];
  // Against the grain, z fastest: 128 bytes between lanes in x, 16 in y: 8
  // times the 2 sectors of four lanes.
  // expect: global store at 4*(z + 4*y + 32*x): 16 sectors, ideal 4; strided; warns strided-access
  out[z + 4 * y + 32 * x] = v;
}

// A partial second warp: lanes 0..15 of threads 32..47.
// block: 48
__global__ void forty_eight(const float *__restrict__ in,
                            float *__restrict__ out) {
  // expect: global load at 8*tid: 6 in 4..8 sectors, ideal 3; strided; warns strided-access; 24 lanes
  const float v = in[2 * threadIdx.x];
  // expect: global store at 4*tid: 3 in 2..4 sectors, ideal 3; coalesced; 24 lanes
  out[threadIdx.x] = v;
}

// Rows of 20 threads: warp w starts in the middle of a row; 100 threads are
// three warps and 4 lanes.
// block: 20x5
__global__ void twenty_by_five(const float *__restrict__ in,
                               float *__restrict__ out) {
  __shared__ float s[5][32];
  const int x = threadIdx.x, y = threadIdx.y;
  // expect: global load at 4*tid: 3.25 in 1..4 sectors, ideal 3.25; coalesced; 25 lanes
  const float v = in[20 * y + x];
  // Lanes of two rows meet in the banks of columns 0..11.
  // expect: shared store at 128*y + 4*x: 1.75 in 1..2 wavefronts, ideal 1; conflict; warns shared-bank-conflict; 25 lanes
  s[y][x] = v;
  __syncthreads();
  // expect: shared load at 128*y + 4*(19 - x): 1.75 in 1..2 wavefronts, ideal 1; conflict; warns shared-bank-conflict; 25 lanes
  const float w = s[y][19 - x];
  // expect: global store at 128*y + 4*x: 4.25 in 1..6 sectors, ideal 3.25; strided; 25 lanes; clean
  out[32 * y + x] = w;
}

void run(const float *in, float *out) {
  plane<<<1, dim3(16, 16)>>>(in, out);
  plane<<<1, dim3(8, 32)>>>(in, out);
  plane<<<1, dim3(32, 8)>>>(in, out);
  plane<<<1, dim3(4, 64)>>>(in, out);
  volume<<<1, dim3(8, 8, 4)>>>(in, out);
  forty_eight<<<1, 48>>>(in, out);
  twenty_by_five<<<1, dim3(20, 5)>>>(in, out);
}
