// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// Loads and stores with a cache operator are loads and stores; they are placed
// at the call, not in the toolkit's header.

__global__ void stream(const float *__restrict__ in,
                       const float4 *__restrict__ vectors,
                       float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
  const float a = __ldg(&in[2 * i]);
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float b = __ldcs(in + i);
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const float4 c = __ldg(vectors + i);
  // expect: global load at 4*tid + 4: 5 sectors, ideal 4; misaligned
  const float d = __ldcg(&in[i + 1]);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  __stcs(&out[i], a + b + c.x + c.y + c.z + c.w + d);
}

// Volatile and atomic accesses are made one by one.
__global__ void flags(const volatile int *in, volatile int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int v = in[i];
  // expect: global store at 128*tid: 32 sectors, ideal 4; strided; warns strided-access
  out[32 * i] = v;
}

void run(const float *in, const float4 *vectors, float *out) {
  stream<<<8, 256>>>(in, vectors, out);
  flags<<<8, 256>>>((const int *)in, (int *)out);
}
