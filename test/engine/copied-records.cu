// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// A record of a declared alignment that only stops in a local is copied where
// the local is stored, if its origin cannot have been written since: from the
// cubin of nvcc 13.0 for sm_90.

__global__ void throughLocal(const float4 *p, float4 *q) {
  const float4 v = p[threadIdx.x];
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  q[threadIdx.x] = v;
}

// Under the condition of the store, too.
__global__ void underCondition(const float4 *p, float4 *q, int n) {
  __shared__ float4 s[256];
  const float4 v = p[threadIdx.x];
  if (threadIdx.x < 128)
    // expect: global load 16-byte at 16*tid if tid < 128: 16 sectors, ideal 16; coalesced
    // expect: shared store 16-byte at 16*tid if tid < 128: 4 wavefronts, ideal 4; conflict-free
    s[threadIdx.x] = v;
  __syncthreads();
  // expect: shared load 16-byte at 16*(tid ^ 1): 4 wavefronts, ideal 4; conflict-free
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  q[threadIdx.x] = s[threadIdx.x ^ 1];
}

// A parameter that is read is no stop.
__device__ float sum(float4 a) { return a.x + a.y + a.z + a.w; }
__global__ void passed(const float4 *p, float *f) {
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const float4 v = p[threadIdx.x];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  f[threadIdx.x] = sum(v);
}

// Read otherwise, too; and where something may have been written.
__global__ void read(const float4 *p, float4 *q, float *f) {
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const float4 v = p[threadIdx.x];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  f[threadIdx.x] = v.x;
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  q[threadIdx.x] = v;
}
__global__ void written(const float4 *p, float4 *q, float *f) {
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  const float4 v = p[threadIdx.x];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  f[threadIdx.x] = 1;
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  q[threadIdx.x] = v;
}

// Without a declared alignment it is copied member by member.
struct Pair {
  double x, y;
};
__global__ void members(const Pair *p, Pair *q) {
  // expect: global load 8-byte at 16*tid: 16 sectors, ideal 8; aos; warns aos-field-access (absorbed)
  // expect: global load 8-byte at 16*tid + 8: 16 sectors, ideal 8; aos; warns aos-field-access (absorbed)
  const Pair v = p[threadIdx.x];
  // expect: global store 8-byte at 16*tid: 16 sectors, ideal 8; aos; warns aos-field-access (absorbed)
  // expect: global store 8-byte at 16*tid + 8: 16 sectors, ideal 8; aos; warns aos-field-access (absorbed)
  q[threadIdx.x] = v;
}

void run(const float4 *p, float4 *q, float *f) {
  throughLocal<<<1, 256>>>(p, q);
  underCondition<<<1, 256>>>(p, q, 4);
  passed<<<1, 256>>>(p, f);
  read<<<1, 256>>>(p, q, f);
  written<<<1, 256>>>(p, q, f);
  members<<<1, 256>>>((const Pair *)p, (Pair *)q);
}
