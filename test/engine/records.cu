// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Fields of records by every way of naming them: a reference, a pointer, a
// dereference, a member of a view.

struct Vec3 {
  float x, y, z;
};
struct Body {
  Vec3 position, velocity;
  float mass;
};
struct Bodies {
  Body *items;
  // expect: global load 'items[i].mass' at 28*tid + 24: 28 sectors, ideal 4; aos; warns aos-field-access
  __device__ float mass(int i) const { return items[i].mass; }
};

__global__ void momentum(Body *__restrict__ bodies, Bodies view,
                         float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body &body = bodies[i];
  const Body *pointer = bodies + i;
  // expect: global load at 28*tid + 12: 28 sectors, ideal 4; aos; warns aos-field-access
  const float vx = body.velocity.x;
  // expect: global load at 28*tid + 16: 28 sectors, ideal 4; aos; warns aos-field-access
  const float vy = pointer->velocity.y;
  // expect: global load at 28*tid + 20: 28 sectors, ideal 4; aos; warns aos-field-access
  const float vz = (*pointer).velocity.z;
  const float mass = view.mass(i);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = mass * (vx + vy + vz);
}

// Shared records: 12 bytes are 3 words, and 3 is odd: conflict-free. 16 bytes
// are 4 words: 4-way.
// block: 64
template <class Record>
__global__ void exchange(const float *__restrict__ in,
                         float *__restrict__ out) {
  __shared__ Record s[64];
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<Vec3>): shared store at 12*tid: 1 wavefront, ideal 1; conflict-free
  // expect(<float4>): shared store at 16*tid: 4 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  s[t].x = in[t];
  __syncthreads();
  // expect(<Vec3>): shared load at 12*(63 - tid): 1 wavefront, ideal 1; conflict-free
  // expect(<float4>): shared load at 16*(63 - tid): 4 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float v = s[63 - t].x;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(Body *bodies, const float *in, float *out) {
  momentum<<<4, 256>>>(bodies, {bodies}, out);
  exchange<Vec3><<<1, 64>>>(in, out);
  exchange<float4><<<1, 64>>>(in, out);
}
