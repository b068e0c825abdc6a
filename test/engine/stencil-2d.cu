// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Stencils: through the cache, and through a shared tile with a halo.

constexpr int Pitch = 1024;

// block: 32x8
__global__ void laplace(const float *__restrict__ u, float *__restrict__ out,
                        int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
    return;
  const float *p = u + y * Pitch + x;
  // expect: global load 'p[0]' at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  const float centre = p[0];
  // expect: global load 'p[-1]' at 4096*y + 4*x - 4: 5 sectors, ideal 4; misaligned; clean
  // expect: global load 'p[1]' at 4096*y + 4*x + 4: 5 sectors, ideal 4; misaligned; clean
  const float sides = p[-1] + p[1];
  // expect: global load 'p[-Pitch]' at 4096*y + 4*x - 4096: 4 sectors, ideal 4; coalesced
  // expect: global load 'p[Pitch]' at 4096*y + 4*x + 4096: 4 sectors, ideal 4; coalesced
  const float above_and_below = p[-Pitch] + p[Pitch];
  // expect: global store at 4096*y + 4*x: 4 sectors, ideal 4; coalesced
  out[y * Pitch + x] = 4.f * centre - sides - above_and_below;
}

// 16 x 16 cells and a halo of one in a tile of 18 columns: the two rows of a
// warp are 18 words apart and 16 banks wide, so two banks are met twice: 2-way.
// In a tile of 48 columns the second row lies 16 banks on: conflict-free.
// block: 16x16
template <int Width>
__global__ void laplace_tiled(const float *__restrict__ u,
                              float *__restrict__ out) {
  __shared__ float tile[18][Width];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256) {
    // expect: global load at 4*(128*((tid + k)//18) + (tid + k)%18) for k in (0, 256) if tid + k < 324: 5.5455 in 2..7 sectors, ideal 3.7273; strided; warns strided-access; 29.4545 lanes
    const float v = u[128 * (i / 18) + i % 18];
    // expect(<18>): shared store at 4*(tid + k) for k in (0, 256) if tid + k < 324: 1 wavefront, ideal 1; conflict-free; 29.4545 lanes
    // expect(<48>): shared store at 4*(48*((tid + k)//18) + (tid + k)%18) for k in (0, 256) if tid + k < 324: 1.9091 in 1..2 wavefronts, ideal 1; conflict; warns shared-bank-conflict; 29.4545 lanes
    tile[i / 18][i % 18] = v;
  }
  __syncthreads();
  // expect(<18>): shared load at 4*(18*(y + 1) + x + 1): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<48>): shared load at 4*(48*(y + 1) + x + 1): 1 wavefront, ideal 1; conflict-free
  const float centre = tile[y + 1][x + 1];
  // expect(<18>): shared load at 4*(18*(y + 1) + x): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<48>): shared load at 4*(48*(y + 1) + x): 1 wavefront, ideal 1; conflict-free
  const float left = tile[y + 1][x];
  // expect(<18>): shared load at 4*(18*(y + 2) + x + 1): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<48>): shared load at 4*(48*(y + 2) + x + 1): 1 wavefront, ideal 1; conflict-free
  const float below = tile[y + 2][x + 1];
  // expect: global store at 4*(16*y + x): 4 sectors, ideal 4; coalesced
  out[16 * y + x] = 2.f * centre - left - below;
}

void run(const float *u, float *out, int width, int height) {
  laplace<<<dim3(32, 128), dim3(32, 8)>>>(u, out, width, height);
  laplace_tiled<18><<<1, dim3(16, 16)>>>(u, out);
  laplace_tiled<48><<<1, dim3(16, 16)>>>(u, out);
}
