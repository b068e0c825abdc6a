// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: cuda-toolkit
// RUN: %expect %s
//
// A virtual call reaches the overrides of the classes that are made in the
// file. nvcc leaves a function of each, so that what the caller has loaded is
// loaded again, and the first access of a function stands on its own line, not
// on the call's. Where the object is made in sight it inlines the function.
// Lines and loads from the cubin of nvcc 13.0 for sm_90 (which loads 4 bytes of
// an entry of a table). Statements are broken where a line is told from the
// next.
// clang-format off
#include <new>

struct Shape {
  int tag;
  __device__ virtual void put(int e) = 0;
  __device__ virtual float get(int e) const = 0;
};

struct Row : Shape {
  float *data;
  __device__ Row(float *d)
      // expect(make): global store 8-byte: any sectors; indirect; because data-dependent-address
      // expect(shared): shared store 8-byte at 16 if tid == 0: 1 wavefront, ideal 1; broadcast; 1 lanes
      : data(d)
  // expect(make): global store 8-byte: any sectors; indirect; because data-dependent-address
  // expect(shared): shared store 8-byte at 0 if tid == 0: 1 wavefront, ideal 1; broadcast; 1 lanes
  {
  }
  __device__ void put(int e) override {
    const int i = e ^ 1;
    // expect(use): global load 8-byte at 16: 1 sector, ideal 1; broadcast
    // expect(use): global store at 4*(tid ^ 1): 4 sectors, ideal 4; coalesced
    // expect(shared): shared load 8-byte at 16: 1 wavefront, ideal 1; broadcast
    // expect(shared): global store at 4*(tid ^ 1): 4 sectors, ideal 4; coalesced
    // (known: ptxas gives all of this line the call's.)
    // expect(known): global store at 4*(tid ^ 1): 4 sectors, ideal 4; coalesced
    data[i] = 1.f;
  }
  __device__ float get(int e) const override {
    return tag; // expect(use): global load at 8: 1 sector, ideal 1; broadcast
  }
};

struct Column : Shape {
  float *data;
  // expect(make): global store 8-byte: any sectors; indirect; because data-dependent-address
  __device__ Column(float *d) : data(d)
  // expect(make): global store 8-byte: any sectors; indirect; because data-dependent-address
  {
  }
  __device__ void put(int e) override {
    // expect(use): global load 8-byte at 16: 1 sector, ideal 1; broadcast
    // expect(use): global store at 128*tid: 32 sectors, ideal 4; strided; warns strided-access
    // expect(shared): shared load 8-byte at 16: 1 wavefront, ideal 1; broadcast
    // expect(shared): global store at 128*tid: 32 sectors, ideal 4; strided; warns strided-access
    data[32 * e] = 1.f;
  }
  __device__ float get(int e) const override {
    // expect(use): global load 8-byte at 16: 1 sector, ideal 1; broadcast
    // expect(use): global load at 128*tid: 32 sectors, ideal 4; strided; warns strided-access
    return data[32 * e];
  }
};

__global__ void make(Shape **s, float *d) {
  // expect: global store 8-byte at 0: 1 sector, ideal 1; broadcast
  s[0] =
      new Row(d);
  // expect: global store 8-byte at 8: 1 sector, ideal 1; broadcast
  s[1] =
      new Column(d);
}

__global__ void use(Shape **s, float *out) {
  // expect: global load 8-byte at 8*b for b in range(2): 1 sector, ideal 1; broadcast
  Shape *p = s[blockIdx.x];
  // expect: global load 8-byte at 0: 1 sector, ideal 1; broadcast
  // expect: global load 8-byte at 0: 1 sector, ideal 1; broadcast
  p->put(threadIdx.x);
  // expect: global load 8-byte at 0: 1 sector, ideal 1; broadcast
  // expect: global load 8-byte at 8: 1 sector, ideal 1; broadcast
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = p->get(threadIdx.x);
}

__global__ void known(float *d) {
  Row row(d);
  Shape *p = &row;
  p->put(threadIdx.x);
}

// The object is in shared memory, and so is the pointer to it.
__global__ void shared(float *d) {
  __shared__ __align__(8) char buffer[sizeof(Row)];
  __shared__ Shape *p;
  if (threadIdx.x == 0)
    // expect: shared store 8-byte at 24 if tid == 0: 1 wavefront, ideal 1; broadcast; 1 lanes
    p = new (buffer) Row(d);
  __syncthreads();
  // expect: shared load 8-byte at 24: 1 wavefront, ideal 1; broadcast
  // expect: shared load 8-byte at 0: 1 wavefront, ideal 1; broadcast
  // expect: global load 8-byte at 0: 1 sector, ideal 1; broadcast
  p->put(threadIdx.x);
}

// A function by itself, as the program asks for: first[t] is loaded again.
__device__ __noinline__ void add(int *slots, const int *first, int t) {
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  slots[t] += first[t];
}
__global__ void apart(int *slots, const int *first) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const int f = first[t];
  add(slots, first, t);
  // expect: global store at 4*tid + 2048: 4 sectors, ideal 4; coalesced
  slots[t + 512] = f;
}

void run(Shape **s, float *d, int *i) {
  make<<<1, 256>>>(s, d);
  use<<<2, 256>>>(s, d);
  known<<<1, 256>>>(d);
  shared<<<1, 256>>>(d);
  apart<<<1, 256>>>(i, i);
}
