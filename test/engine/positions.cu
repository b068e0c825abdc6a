// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// What hangs on the position alone, of the block, the warp or the iteration, is
// counted position by position: how often each side of a test is taken, which
// blocks pass a bounds check, where a remainder puts the first lane. b is the
// block, k the iteration.

// block: 64
__global__ void every_other_block(const float *in, float *out) {
  const int t = threadIdx.x, b = blockIdx.x;
  const int stride = b % 2 ? 1 : 8;
  // expect: global load at 4*tid*(1 if b % 2 else 8) for b in range(6): 18 in 4..32 sectors, ideal 4; strided; warns strided-access
  const float v = in[t * stride];
  // expect: global store at 4*tid + 256*b for b in range(6): 4 sectors, ideal 4; coalesced
  out[b * 64 + t] = v;
}

__global__ void three_strides(const float *q, const float *k, const float *v,
                              float *out) {
  const int t = threadIdx.x, b = blockIdx.z;
  const float *from = b == 0 ? q : b == 1 ? k : v;
  const int stride = b == 0 ? 16 : b == 1 ? 8 : 1;
  // expect: global load at 4*tid*(16, 8, 1)[b] for b in range(3): 22.6667 in 4..32 sectors, ideal 4; strided; warns strided-access
  const float x = from[t * stride];
  // expect: global store at 4*tid + 256*b for b in range(3): 4 sectors, ideal 4; coalesced
  out[b * 64 + t] = x;
}

__global__ void switched(const float *in, float *out) {
  const int t = threadIdx.x, b = blockIdx.x;
  int stride;
  switch (b) {
  case 0:
    stride = 1;
    break;
  case 1:
    stride = 2;
    break;
  case 2:
    stride = 8;
    break;
  default:
    stride = 4;
  }
  // expect: global load at 4*tid*(1, 2, 8, 4)[b] for b in range(4): 15 in 4..32 sectors, ideal 4; strided; warns strided-access
  const float v = in[t * stride];
  // expect: global store at 4*tid + 256*b for b in range(4): 4 sectors, ideal 4; coalesced
  out[b * 64 + t] = v;
}

__global__ void one_further(const float *in, float *out) {
  const int t = threadIdx.x;
  const float *from = blockIdx.y == 0 ? in : in + 1;
  // expect: global load at 4*tid + 4*b for b in range(2): 4.5 in 4..5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
  const float v = from[t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t + 64 * blockIdx.x] = v;
}

// block: 128
__global__ void triangle(const float *in, float *out) {
  float sum = 0;
  for (int k = 0; k <= blockIdx.x; k++)
    // expect: global load at 4*tid*(k + 1) for b in range(8) for k in range(b + 1): 13.3333 in 4..32 sectors, ideal 4; strided; warns strided-access
    sum += in[threadIdx.x * (k + 1)];
  // expect: global store at 4*tid + 512*b for b in range(8): 4 sectors, ideal 4; coalesced
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void two_places(const double *in, double *out) {
  const int t = threadIdx.x, b = blockIdx.x;
  // expect: global load 8-byte at 8*tid + 48 - 8*(b % 2) for b in range(3): 9 sectors, ideal 8; misaligned; warns misaligned-access (absorbed)
  const double v = in[t + 6 - b % 2];
  // expect: global store 8-byte at 8*tid + 1024*b for b in range(3): 8 sectors, ideal 8; coalesced
  out[b * 128 + t] = v;
}

// The same of a loop too long to go through.
__global__ void two_places_of_a_loop(const float *in, float *out) {
  float sum = 0;
  for (int k = 0; k < 1024; ++k)
    // expect: global load at 4*tid + 4*(k % 2) for k in range(1024): 4.5 in 4..5 sectors, ideal 4; misaligned
    sum += in[threadIdx.x + (k & 1)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = sum;
}

// block: 64
// Only the first block comes to the store, and its is aligned.
__global__ void idle_blocks(float *out) {
  const int i = blockIdx.x * 100 + threadIdx.x;
  if (i >= 100)
    return;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[blockIdx.x * 65 + threadIdx.x] = 1;
}

__global__ void bounded_and_swizzled(const float *in, float *out) {
  const int i = blockIdx.x * 100 + threadIdx.x;
  if (i >= 333)
    return;
  // expect: global load at 4*((b*100 + tid) ^ 16) + 12 if b*100 + tid < 333 for b in range(4): 5.5 in 1..7 sectors, ideal 3.625; misaligned; warns misaligned-access
  const float v = in[(i ^ 16) + 3];
  // expect: global store at 4*tid if b*100 + tid < 333 for b in range(4): 3.625 in 1..4 sectors, ideal 3.625; coalesced
  out[threadIdx.x] = v;
}

// block: 32x8
__global__ void rim(float *out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
    // expect: global store at 4*((c*8 + y)*128 + b*32 + x) if b*32 + x in (0, 127) or c*8 + y in (0, 63) for b in range(4) for c in range(8): 1.1818 in 1..4 sectors, ideal 1.1818; broadcast
    out[y * width + x] = 0;
}

void run(float *a, float *b) {
  every_other_block<<<6, 64>>>(a, b);
  three_strides<<<dim3(1, 1, 3), 64>>>(a, a, a, b);
  switched<<<4, 64>>>(a, b);
  one_further<<<dim3(4, 2), 64>>>(a, b);
  triangle<<<8, 128>>>(a, b);
  two_places<<<3, 128>>>((double *)a, (double *)b);
  two_places_of_a_loop<<<1, 128>>>(a, b);
  idle_blocks<<<5, 64>>>(b);
  bounded_and_swizzled<<<4, 64>>>(a, b);
  rim<<<dim3(4, 8), dim3(32, 8)>>>(b, 128, 64);
}
