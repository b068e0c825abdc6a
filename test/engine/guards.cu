// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Which lanes take part: guards, early returns, else, switch, break.

// Threads 0..39: a full warp and one of 8 lanes.
// block: 64
__global__ void forty_of_sixty_four(const float *__restrict__ in,
                                    float *__restrict__ out) {
  const int t = threadIdx.x;
  if (t >= 40)
    return;
  // expect: global load at 4*tid if tid < 40: 2.5 in 1..4 sectors, ideal 2.5; coalesced; 20 lanes
  const float v = in[t];
  // expect: global store at 4*tid if tid < 40: 2.5 in 1..4 sectors, ideal 2.5; coalesced; 20 lanes
  out[t] = v;
}

// Both sides of a divergent branch run, each with its lanes.
// block: 256
__global__ void odd_even(const float *__restrict__ in,
                         float *__restrict__ out) {
  const int t = threadIdx.x;
  float v;
  if (t % 2 == 0) {
    // expect: global load at 4*tid if tid % 2 == 0: 4 sectors, ideal 2; strided; warns strided-access; 16 lanes
    v = in[t];
  } else {
    // expect: global load at 4*(tid // 2) if tid % 2 == 1: 2 sectors, ideal 2; coalesced; 16 lanes
    v = -in[t / 2];
  }
  // All lanes are back.
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = v;
}

__global__ void four_ways(const float *__restrict__ a,
                          float *__restrict__ out) {
  const int t = threadIdx.x;
  float v = 0.f;
  switch (t & 3) {
  case 0:
    // expect: global load 'a[t]' at 4*tid if tid % 4 == 0: 4 sectors, ideal 1; strided; warns strided-access (absorbed); 8 lanes
    v = a[t];
    break;
  case 1:
    // expect: global load at 4*(tid // 4) if tid % 4 == 1: 1 sector, ideal 1; coalesced; 8 lanes
    v = a[t / 4];
    break;
  case 2:
    // expect: global load at 16 if tid % 4 == 2: 1 sector, ideal 1; broadcast; 8 lanes
    v = a[4];
    break;
  default:
    break;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[t] = v;
}

// A guard the interior passes: the tile's last columns are an edge, not the
// rule.
__global__ void interior(const float *__restrict__ in, float *__restrict__ out,
                         int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && i + 32 < m && i >= 0) {
    // expect: global load at 4*tid + 128: 4 sectors, ideal 4; coalesced; 32 lanes
    const float v = in[i + 32];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
    out[i] = v;
  }
}

// Only a whole warp's choice: no lane is lost, other warps go the other way.
__global__ void by_warp(const float *__restrict__ in, float *__restrict__ out) {
  const int t = threadIdx.x;
  float v;
  if (t < 128) {
    // expect: global load at 8*tid if tid < 128: 8 sectors, ideal 4; strided; warns strided-access; 32 lanes
    v = in[2 * t];
  } else {
    // expect: global load at 4*tid if tid >= 128: 4 sectors, ideal 4; coalesced; 32 lanes
    v = in[t];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(const float *in, float *out, int n, int m) {
  forty_of_sixty_four<<<4, 64>>>(in, out);
  odd_even<<<4, 256>>>(in, out);
  four_ways<<<4, 256>>>(in, out);
  interior<<<4, 256>>>(in, out, n, m);
  by_warp<<<4, 256>>>(in, out);
}
