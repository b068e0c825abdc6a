// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Helpers that take a plain pointer do not know its memory; inlined, they do.

__device__ float sum_strided(const float *p, int n, int stride) {
  float sum = 0.f;
  for (int k = 0; k < n; ++k) {
    // The first load begins the inlined code: it stands at the call.
    // expect(from_shared 32): shared load at 4*(tid + 32*k) for k in range(1, 2): 1 wavefront, ideal 1; conflict-free
    // expect(from_global 256): global load at 4*(2*tid + 512*k) for k in range(1, 2): 8 sectors, ideal 4; strided; warns strided-access
    sum += p[k * stride];
  }
  return sum;
}

// block: 32
__global__ void from_shared(const float *__restrict__ in,
                            float *__restrict__ out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect: shared store 8-byte at 8*tid: 2 wavefronts, ideal 2; conflict-free
  reinterpret_cast<float2 *>(s)[t] = reinterpret_cast<const float2 *>(in)[t];
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum_strided(s + t, 2, 32);
}

// block: 256
__global__ void from_global(const float *__restrict__ in,
                            float *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load at 8*tid: 8 sectors, ideal 4; strided
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum_strided(in + 2 * t, 2, 512);
}

__device__ float device_table[1024];
__device__ inline void exchange(float &a, float &b) {
  const float old = a; // at the call, too
  // expect(globals): global load at 4*(2*tid): 8 sectors, ideal 4; strided; warns strided-access
  // expect(globals): global store at 4*(tid + 512): 4 sectors, ideal 4; coalesced
  a = b;
  // expect(globals): global store at 4*(2*tid): 8 sectors, ideal 4; strided; warns strided-access
  b = old;
}

// A __device__ variable, by references.
__global__ void globals() {
  // expect: global load at 4*(tid + 512): 4 sectors, ideal 4; coalesced
  exchange(device_table[512 + threadIdx.x], device_table[2 * threadIdx.x]);
}

void run(const float *in, float *out) {
  from_shared<<<1, 32>>>(in, out);
  from_global<<<1, 256>>>(in, out);
  globals<<<1, 256>>>();
}
