// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A store to one place in every iteration is made once, behind the loop, by all
// lanes that entered it: so nvcc (PTX of nvcc 13.0), unless something in the
// loop may touch that place, or an iteration may go without.

// block: 96
__global__ void sum(const float *in, float *out) {
  __shared__ double s[64][33];
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = t & 31; k < 40; k += 32) {
    // expect: global load at 4*(tid + lane + 32*j) for j in range(2) if lane + 32*j < 40: 5 in 2..8 sectors, ideal 2.5; strided; 20 lanes; warns strided-access
    acc += in[t + k];
    // expect: shared store 8-byte at 8*(33*(tid // 8) + tid % 8): 4 wavefronts, ideal 2; conflict; warns shared-bank-conflict
    s[t / 8][t % 8] = acc;
  }
  __syncthreads();
  // expect: shared load 8-byte at 8*(33*(tid // 32) + tid % 32): 2 wavefronts, ideal 2; conflict-free
  const double v = s[t / 32][t % 32];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// block: 64
// in may be out: each iteration stores.
__global__ void perhaps_the_same(const float *in, float *out) {
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = t & 31; k < 40; k += 32) {
    // expect: global load at 4*(tid + lane + 32*j) for j in range(2) if lane + 32*j < 40: 5 in 2..8 sectors, ideal 2.5; strided; 20 lanes; warns strided-access
    acc += in[t + k];
    // expect: global store at 4*tid for j in range(2) if lane + 32*j < 40: 2.5 in 1..4 sectors, ideal 2.5; coalesced; 20 lanes
    out[t] = acc;
  }
}

__global__ void not_the_same(const float *__restrict__ in,
                             float *__restrict__ out) {
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = t & 31; k < 40; k += 32) {
    // expect: global load at 4*(tid + lane + 32*j) for j in range(2) if lane + 32*j < 40: 5 in 2..8 sectors, ideal 2.5; strided; 20 lanes; warns strided-access
    acc += in[t + k];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[t] = acc;
  }
}

// Lanes that do not enter store nothing.
__global__ void some_enter(const float *__restrict__ in,
                           float *__restrict__ out) {
  const int t = threadIdx.x;
  float acc = 0;
  for (int k = t & 31; k < 20; k += 16) {
    // expect: global load at 4*(tid + lane + 16*j) for j in range(2) if lane + 16*j < 20: 3 in 1..5 sectors, ideal 2; strided; 12 lanes
    acc += in[t + k];
    // expect: global store at 4*tid if lane < 20: 3 sectors, ideal 3; coalesced; 20 lanes
    out[t] = acc;
  }
}

void run(float *a, float *b) {
  sum<<<1, 96>>>(a, b);
  perhaps_the_same<<<1, 64>>>(a, b);
  not_the_same<<<1, 64>>>(a, b);
  some_enter<<<1, 64>>>(a, b);
}
