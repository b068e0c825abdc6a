// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// float4: 32 lanes * 16 bytes = 512 bytes = 16 sectors, all used: four times
// the payload an instruction, not four times the cost.

__device__ inline float4 operator*(float s, float4 v) {
  return make_float4(s * v.x, s * v.y, s * v.z, s * v.w);
}

__global__ void scale4(const float4 *__restrict__ in, float4 *__restrict__ out,
                       float s, int n4) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) {
    // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
    const float4 v = in[i];
    // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
    out[i] = s * v;
  }
}

// Only .w is used: what is left is a 4-byte load every 16 bytes.
__global__ void charges(const float4 *__restrict__ atoms, float *__restrict__ q,
                        int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 4-byte at 16*tid + 12: 16 sectors, ideal 4; aos; warns aos-field-access
    const float w = atoms[i].w;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    q[i] = w;
  }
}

void run(const float4 *in, float4 *out, float *q, int n) {
  scale4<<<(n + 255) / 256, 256>>>(in, out, 0.5f, n);
  charges<<<(n + 255) / 256, 256>>>(in, q, n);
}
