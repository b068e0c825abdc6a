// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// What a kernel is given by value: structs with pointers and extents, nested
// and in arrays, references to them, and several pointers into one allocation.

template <class T> struct Span {
  T *data;
  int size;
  __device__ T &operator[](int i) const { return data[i]; }
};

struct Grid {
  Span<float> cells;
  int pitch;
};
struct Problem {
  Grid grids[2];
  Span<const float> source;
  float dt;
};

// block: 32x8
__global__ void relax(Problem p) {
  const int x = threadIdx.x, y = threadIdx.y;
  const Grid &from = p.grids[0], &to = p.grids[1];
  // expect: global load at 4*(128*y + x): 4 sectors, ideal 4; coalesced
  const float v = from.cells.data[from.pitch * y + x];
  // expect: global load at 4*x: 4 sectors, ideal 4; coalesced
  const float s = p.source.data[x];
  // expect: global store at 4*(33*x + y): 32 sectors, ideal 4; strided; warns strided-access
  to.cells.data[to.pitch * x + y] = v + p.dt * s;
}

// Fixed arrays of pointers, as multi-tensor kernels take them.
template <int N> struct TensorList {
  float *tensors[N];
  int sizes[N];
};

// block: 256
template <int N> __global__ void scale_all(TensorList<N> list, float f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (i < list.sizes[k]) {
      float *tensor = list.tensors[k];
      // expect: global load at 4*tid for k in range(3): 4 sectors, ideal 4; coalesced
      const float v = tensor[i];
      // expect: global store at 4*tid for k in range(3): 4 sectors, ideal 4; coalesced
      tensor[i] = f * v;
    }
  }
}

// The tensor is the block's: one of several unknown pointers, all allocations.
template <int N> __global__ void scale_block(TensorList<N> list, float f) {
  float *tensor = list.tensors[blockIdx.y];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = tensor[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  tensor[i] = f * v;
}

// Through a member function returning a reference.
__global__ void increment(Span<int> counters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int &counter = counters[3 * i];
  // expect: global load at 12*tid: 12 sectors, ideal 4; strided; warns strided-access
  const int c = counter;
  // expect: global store at 12*tid: 12 sectors, ideal 4; strided; warns strided-access
  counter = c + 1;
}

// The launch passes the middle of an array: 5 floats off.
__global__ void average(const float *a, const float *b, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float x = a[i];
  // expect: global load at 4*tid + 20: 5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
  const float y = b[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = 0.5f * (x + y);
}

void run(float *a, float *b, const float *s, TensorList<3> list) {
  Problem p = {{{{a, 1024}, 128}, {{b, 1056}, 33}}, {s, 32}, 0.1f};
  relax<<<1, dim3(32, 8)>>>(p);
  scale_all<<<16, 256>>>(list, 0.5f);
  scale_block<<<dim3(16, 3), 256>>>(list, 0.5f);
  increment<<<4, 256>>>(Span<int>{(int *)a, 4096});
  average<<<4, 256>>>(b, s + 5, a);
}
