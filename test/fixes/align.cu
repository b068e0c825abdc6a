// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint --show-absorbed %s -- %cuda_flags | FileCheck --implicit-check-not="declare 'Triple'" --implicit-check-not="declare 'Inner'" --implicit-check-not="declare 'Partly'" --implicit-check-not="declare 'Own'" --implicit-check-not="declare 'Asserted'" %s
// RUN: %python %S/Inputs/apply.py %t '%nvcc' %s -- %cuda_flags
//
// A record of 16 bytes that nothing says to lie at a multiple of 16 is read field
// by field: 4 requests, each of which touches all 16 sectors of 32 records. Read
// whole it is 1 request of 16 sectors.

// CHECK-DAG: fix: declare 'Quad' alignas(16); its 16 bytes stay as they are, pointers to it must be multiples of 16, as cudaMalloc's are (verified: 4 requests of a warp become 1, 64 -> 16 sectors; to be reviewed)
// CHECK-DAG: | -struct Quad {
// CHECK-DAG: | +struct alignas(16) Quad {
struct Quad {
  float x, y, z, w;
};
__global__ void quads(const Quad *in, float *out) {
  const Quad q = in[threadIdx.x];
  out[threadIdx.x] = q.x * q.y + q.z * q.w;
}

// Three floats are no multiple of 8 bytes.
struct Triple {
  float x, y, z;
};
__global__ void triples(const Triple *in, float *out) {
  const Triple q = in[threadIdx.x];
  out[threadIdx.x] = q.x * q.y + q.z;
}

// Other instances have other sizes.
template <class T> struct Pattern {
  T x, y, z, w;
};
// CHECK-DAG: no edit is offered: 'Pattern' is a template
__global__ void patterns(const Pattern<float> *in, float *out) {
  const Pattern<float> q = in[threadIdx.x];
  out[threadIdx.x] = q.x * q.y + q.z * q.w;
}

// Its holder would move with it.
// CHECK-DAG: no edit is offered: 'Inner' is part of 'Outer', whose layout would change
struct Inner {
  float x, y, z, w;
};
struct Outer {
  int id;
  Inner inner;
};
__global__ void inners(const Inner *in, const Outer *other, float *out) {
  const Inner q = in[threadIdx.x];
  out[threadIdx.x] = q.x * q.y + q.z * q.w;
}

// Two alignments of one record are an error to nvcc.
struct __align__(8) Own {
  float x, y, z, w;
};
// CHECK-DAG: no edit is offered: 'Own' is given an alignment already
__global__ void owns(const Own *in, float *out) {
  const Own q = in[threadIdx.x];
  out[threadIdx.x] = q.x * q.y + q.z * q.w;
}

// The edited text must compile.
struct Asserted {
  float x, y, z, w;
};
static_assert(alignof(Asserted) == 4, "");
// CHECK-DAG: no edit is offered: the changed text does not compile
__global__ void asserted(const Asserted *in, float *out) {
  const Asserted q = in[threadIdx.x];
  out[threadIdx.x] = q.x * q.y + q.z * q.w;
}

// One field of four: nothing to join.
struct Partly {
  float x, y, z, w;
};
__global__ void parts(const Partly *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x].x;
}

void run(const float *in, float *out) {
  quads<<<1, 256>>>((const Quad *)in, out);
  triples<<<1, 256>>>((const Triple *)in, out);
  owns<<<1, 256>>>((const Own *)in, out);
  asserted<<<1, 256>>>((const Asserted *)in, out);
  patterns<<<1, 256>>>((const Pattern<float> *)in, out);
  inners<<<1, 256>>>((const Inner *)in, nullptr, out);
  parts<<<1, 256>>>((const Partly *)in, out);
}
