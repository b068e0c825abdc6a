// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lanes that take part in other iterations of a long loop: what no sample of
// its 18801 iterations shows must not be called exact.

// Lane t is there for the 6 iterations from 184 * t on.
// block: 32
__global__ void band(const float *__restrict__ in, float *__restrict__ out) {
  const int t = threadIdx.x;
  for (int c = 0; c <= 601600; c += 32)
    if (c >= 184 * t && c < 184 * t + 184) {
      // expect: global load 'in[c]' at 0: 1 sector, ideal 1; broadcast
      // expect: global load 'out[t]': 1..4 sectors, ideal 4; coalesced; because data-dependent-mask
      // expect: global store 'out[t]': 1..4 sectors, ideal 4; coalesced; because data-dependent-mask
      out[t] += in[c];
    }
}

// `(uintptr_t)p % 16` of bytes in shared memory is 0: they begin there.
// block: 256
__global__ void whole_words(const float *__restrict__ in,
                            float *__restrict__ out) {
  extern __shared__ char bytes[];
  float *s = reinterpret_cast<float *>(bytes);
  const int t = threadIdx.x;
  const float *from = &in[4 * t];
  float *to = &s[4 * t];
  if (reinterpret_cast<unsigned long long>(from) % 16 == 0 &&
      reinterpret_cast<unsigned long long>(to) % 16 == 0)
    // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
    // expect: shared store 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
    *reinterpret_cast<float4 *>(to) = *reinterpret_cast<const float4 *>(from);
  else
    for (int k = 0; k < 4; ++k)
      to[k] = from[k];
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[t];
}

// Four words from one address make one access, though the loop adds its 8 in
// two steps (LDS.128 in nvcc 13.0's SASS; 2 wavefronts of a broadcast 16
// bytes, counted in HeCBench's quant3MatMul).
// block: 256
__global__ void two_steps(const int *__restrict__ in, float *__restrict__ out,
                          int w) {
  __shared__ float b[256];
  const int t = threadIdx.x;
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  b[t] = w;
  float r = 0;
  int k = 0;
  __syncthreads();
  while (k < w) {
    // expect: shared load 16-byte at 0: 2 wavefronts, ideal 2; broadcast
    r += w * b[k + 0];
    r += w * b[k + 1];
    r += w * b[k + 2];
    r += w * b[k + 3];
    k += 4;
    // expect: shared load 16-byte at 0: 2 wavefronts, ideal 2; broadcast
    r += w * b[k + 0];
    r += w * b[k + 1];
    r += w * b[k + 2];
    r += w * b[k + 3];
    k += 4;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = r;
}

int main() {
  float *a, *b;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  band<<<1, 32>>>(a, b);
  whole_words<<<1, 256, 4096>>>(a, b);
}
