// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Every access is accounted for; where a number cannot be had the report says
// why, with a reason from a closed list.

__device__ inline unsigned opaque_ptx(unsigned x) {
  unsigned y;
  asm("bfind.u32 %0, %1;" : "=r"(y) : "r"(x));
  return y;
}

__global__ void from_ptx(const float *__restrict__ in,
                         float *__restrict__ out) {
  const unsigned t = threadIdx.x;
  // expect: global load: any sectors; unknown; because inline-assembly
  const float v = in[opaque_ptx(t)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// A texture look-up: the index went through a float.
__global__ void from_float(const float *__restrict__ table,
                           const float *__restrict__ x,
                           float *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load 'x[t]' at 4*tid: 4 sectors, ideal 4; coalesced
  const float position = x[t] * 255.f;
  // expect: global load: any sectors; unknown; because float-index
  const float v = table[(int)position];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

__global__ void float_index(const float *__restrict__ table, float scale,
                            float *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load: any sectors; unknown; because float-index
  const float v = table[(int)((float)t * scale)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// Recursion stays a call.
__device__ int collatz(int n) {
  return n <= 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2);
}
__global__ void recursive(const float *__restrict__ table,
                          float *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load: any sectors; unknown; because opaque-call
  const float v = table[collatz(t)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// A recurrence without a closed form that is ours: a linear congruence.
__global__ void random_walk(const float *__restrict__ table,
                            float *__restrict__ out, int steps) {
  unsigned state = threadIdx.x;
  float sum = 0.f;
  for (int k = 0; k < steps; ++k) {
    // expect: global load: any sectors; unknown; because loop-carried
    sum += table[state % 65536u];
    state = 1664525u * state + 1013904223u;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = sum;
}

// Neighbours a run-time width apart.
// block: 32x8
__global__ void symbolic(const float *__restrict__ in, float *__restrict__ out,
                         int w) {
  const int x = threadIdx.x, y = threadIdx.y;
  // expect: global load at 4*1024*x: 32 guessed sectors, ideal 4; strided; because symbolic-stride; warns strided-access
  const float v = in[x * w];
  // A column of rows w long: a sector a lane, w being a multiple of the sector.
  // expect: global load at 4*(1024*x + y): 32 sectors, ideal 4; strided; warns strided-access
  const float u = in[x * w + y];
  // expect: global store at 4*(32*y + x): 4 sectors, ideal 4; coalesced
  out[32 * y + x] = v + u;
}

// An offset that nothing is known of: the sector the warp starts in decides.
// block: 256
__global__ void offset(const float *__restrict__ in, float *__restrict__ out,
                       int first) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 guessed in 4..5 sectors, ideal 4; coalesced; because unknown-alignment
  const float v = in[first + t];
  // The offset is a multiple of 8 floats: it is known again.
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[8 * first + t] = v;
}

// One of two arrays, by a run-time flag that is the same for all lanes: both
// start at an allocation, so the number is the same.
__global__ void either(const float *a, const float *b, float *out, bool flag) {
  const float *p = flag ? a : b;
  const int t = threadIdx.x;
  // expect: global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
  const float v = p[2 * t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// Data decides which lanes load. All of them is the assumption that is stated.
__global__ void masked_by_data(const float *__restrict__ in,
                               const unsigned char *__restrict__ mask,
                               float *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load 1-byte at tid: 1 sector, ideal 1; coalesced
  if (mask[t]) {
    // expect: global load at 4*tid: 4 guessed in 1..4 sectors, ideal 4; coalesced; because data-dependent-mask
    const float v = in[t];
    // expect: global store at 8*tid: 8 guessed in 1..8 sectors, ideal 4; strided; because data-dependent-mask
    out[2 * t] = v;
  }
}

void run(const float *in, const float *x, float *out, int n, int w, bool flag) {
  from_ptx<<<1, 256>>>(in, out);
  from_float<<<1, 256>>>(in, x, out);
  float_index<<<1, 256>>>(in, 0.5f, out);
  recursive<<<1, 256>>>(in, out);
  random_walk<<<1, 256>>>(in, out, n);
  symbolic<<<1, dim3(32, 8)>>>(in, out, w);
  offset<<<1, 256>>>(in, out, n);
  either<<<1, 256>>>(in, x, out, flag);
  masked_by_data<<<1, 256>>>(in, (const unsigned char *)x, out);
}
