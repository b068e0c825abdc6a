// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Casts that change the width of an access, and neighbours that are merged.

// Four floats at a time through a cast: the programmer promises the alignment.
__global__ void vectorised(const float *__restrict__ in,
                           float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const float4 v = *reinterpret_cast<const float4 *>(in + 4 * i);
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  reinterpret_cast<float2 *>(out)[i] = make_float2(v.x + v.y, v.z + v.w);
}

// A byte stream read as words, a word written as bytes.
__global__ void bytes(const unsigned char *__restrict__ in,
                      unsigned char *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned word = reinterpret_cast<const unsigned *>(in)[i];
  // expect: global store 1-byte at 4*tid + 1: 4 sectors, ideal 1; strided; warns strided-access
  out[4 * i + 1] = word >> 8;
}

// Neighbours of a known alignment are merged: an aligned pair is one access,
// whatever the type says.
struct alignas(8) Pair {
  int key;
  float value;
};
__global__ void swap_pair(const Pair *__restrict__ in,
                          float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const Pair p = in[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = p.value + p.key;
}

// Blocked shared reads, unrolled: s[4*t + k], k = 0..3 become one of 16 bytes
// and the 4-way conflict is gone. The stores stay as they are.
// block: 64
__global__ void blocked(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ alignas(16) float s[256];
  const int t = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    // expect: global load at 256*k + 4*tid for k in range(4): 4 sectors, ideal 4; coalesced
    // expect: shared store at 256*k + 4*tid for k in range(4): 1 wavefront, ideal 1; conflict-free
    s[64 * k + t] = in[64 * k + t];
  }
  __syncthreads();
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    // expect: shared load 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
    sum += s[4 * t + k];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum;
}

void run(const float *in, float *out) {
  vectorised<<<4, 256>>>(in, out);
  bytes<<<4, 256>>>((const unsigned char *)in, (unsigned char *)out);
  swap_pair<<<4, 256>>>((const Pair *)in, out);
  blocked<<<1, 64>>>(in, out);
}
