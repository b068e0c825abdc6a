// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The ways libraries hide an index: functors, lambdas, CRTP, policies, operator
// overloads, iterators, references and arrays in wrappers. Each expectation
// stands beside the access itself; the call is in the report's inlined_at.

template <class Body> __global__ void for_each(int n, Body body) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    body(i);
}

// A functor with a layout policy.
struct RowMajor {
  int pitch;
  __device__ int operator()(int r, int c) const { return r * pitch + c; }
};
template <class Layout> struct View {
  float *data;
  Layout layout;
  __device__ float &operator()(int r, int c) const {
    return data[layout(r, c)];
  }
};
struct ZeroDiagonal {
  View<RowMajor> m;
  __device__ void operator()(int i) const {
    // A pitch of 1024 and one more for each lane: 4100 bytes apart.
    // expect: global store at 4100*tid: 32 sectors, ideal 4; strided; warns strided-access
    m(i, i) = 0.f;
  }
};

// CRTP: the base iterates, the derived indexes.
template <class Derived> struct Expression {
  __device__ float operator[](int i) const {
    return static_cast<const Derived *>(this)->eval(i);
  }
};
struct Vector : Expression<Vector> {
  const float *data;
  __device__ explicit Vector(const float *d) : data(d) {}
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  __device__ float eval(int i) const { return data[i]; }
};
template <class A, class B> struct Sum : Expression<Sum<A, B>> {
  const A &a;
  const B &b;
  __device__ Sum(const A &a, const B &b) : a(a), b(b) {}
  __device__ float eval(int i) const { return a[i] + b[i]; }
};

__global__ void evaluate(const float *x, const float *y, float *out) {
  const Vector a(x), b(y);
  const Sum<Vector, Vector> sum(a, b);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = sum[i];
}

// An iterator with a stride, as ranges give a column.
template <class T> struct StridedIterator {
  T *at;
  int stride;
  __device__ StridedIterator operator+(int n) const {
    return {at + n * stride, stride};
  }
  __device__ T &operator*() const { return *at; }
};

template <class T, int N> struct Array {
  T items[N];
  __device__ T &operator[](int i) { return items[i]; }
  __device__ const T &operator[](int i) const { return items[i]; }
};

__global__ void dot_columns(StridedIterator<const float> a, float *out) {
  const int t = threadIdx.x;
  // expect: global load at 64*tid: 32 sectors, ideal 4; strided; warns strided-access
  const float v = *(a + t);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// A record that is an array of a wrapper: row i, its 4 floats one by one. The
// alignment of the type is 4, so nothing can be merged.
__global__ void sum_rows(const Array<float, 4> *rows, float *out) {
  const int t = threadIdx.x;
  const Array<float, 4> &row = rows[t];
  float sum = 0.f;
  for (int k = 0; k < 4; ++k) {
    // expect: global load at 16*tid + 4*k for k in range(4): 16 sectors, ideal 4; strided; warns strided-access (absorbed)
    sum += row[k];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = sum;
}

// Inheritance: a derived grid adds a field before the one that is indexed.
struct Extent {
  int width;
};
struct Shifted : Extent {
  float *base;
  int shift;
  __device__ float *cell(int i) const { return base + shift + i * width; }
};

__global__ void fill(Shifted s) {
  // expect: global store at 4*(3 + 2*tid): 9 sectors, ideal 4; strided; warns strided-access
  *s.cell(threadIdx.x) = 1.f;
}

void run(float *a, const float *b, float *out) {
  for_each<<<8, 256>>>(2048, ZeroDiagonal{{a, {1024}}});
  evaluate<<<4, 256>>>(b, a, out);
  dot_columns<<<1, 256>>>({b, 16}, out);
  sum_rows<<<1, 256>>>((const Array<float, 4> *)b, out);
  fill<<<1, 256>>>(Shifted{{2}, a, 3});
}
