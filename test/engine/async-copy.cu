// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// cp.async is two accesses at one place: a global load and a shared store.
#include <cuda_pipeline.h>

__global__ void stage(const float4 *__restrict__ in, float4 *__restrict__ out) {
  __shared__ float4 s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: shared store 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
  __pipeline_memcpy_async(&s[t], &in[i], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  const float4 v = s[255 - t];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: shared load 16-byte at 16*(255 - tid): 4 wavefronts, ideal 4; conflict-free
  out[i] = v;
}

// 4 bytes each, from a column into a row.
// block: 32
__global__ void stage_column(const float *__restrict__ in,
                             float *__restrict__ out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  // expect: global load at 256*tid: 32 sectors, ideal 4; strided; warns strided-access
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  __pipeline_memcpy_async(&s[t], &in[64 * t], sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  // expect: shared load at 4*(31 - tid): 1 wavefront, ideal 1; conflict-free
  const float v = s[31 - t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(const float4 *in, float4 *out) {
  stage<<<4, 256>>>(in, out);
  stage_column<<<1, 32>>>((const float *)in, (float *)out);
}
