// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// What nvcc takes and clang by itself does not: launches torn apart by a
// formatter, __shared__ objects whose constructors never run.

#include <cuda/barrier>

template <class T> struct box {
  T value;
};
struct stream {
  template <class T> stream &operator<< (T) { return *this; }
};

__global__ void torn(const float *__restrict__ in, float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
  out[i] = in[2 * i]; // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
}

__global__ void with_barrier(float *p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  __shared__ float tile[256];
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = p[t];
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  tile[t] = v;
  ready.arrive_and_wait();
  // expect: shared load at 4*(255 - tid): 1 wavefront, ideal 1; conflict-free
  const float w = tile[255 - t];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  p[t] = w;
}

void run(const float *x, float *y) {
  stream s;
  s.operator<< <int>(3);
  box<box<box<int>> > b;
  torn << <dim3{4}, 256 >> > (x, y);
  torn <<< 4, 256>> > (x, y);
  with_barrier<<<1, 256>>>(y);
}
