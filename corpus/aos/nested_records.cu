// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A field two records deep: sizeof(Body) is 40, velocity.y lies at byte 16. 32
// lanes, 40 bytes apart, never share a sector: 32 sectors.

struct Vec3 {
  float x, y, z;
};
struct Body {
  Vec3 position;
  Vec3 velocity;
  double mass;
  float charge[2];
};

__global__ void apply_gravity(Body *__restrict__ bodies, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Body &body = bodies[i];
  // expect: global load at 40*tid + 16: 32 sectors, ideal 4; aos; warns aos-field-access
  const float v = body.velocity.y;
  // expect: global store at 40*tid + 16: 32 sectors, ideal 4; aos; warns aos-field-access
  body.velocity.y = v - 9.81f * dt;
}

// block: 128
__global__ void second_charge(const Body *__restrict__ bodies,
                              float *__restrict__ q) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 40*tid + 36: 32 sectors, ideal 4; aos; warns aos-field-access
  const float c = bodies[i].charge[1];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  q[i] = c;
}

void run(Body *b, float *q, int n) {
  apply_gravity<<<(n + 255) / 256, 256>>>(b, 1e-3f, n);
  second_charge<<<n / 128, 128>>>(b, q);
}
