// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One extern array, sized at the launch, carved into several by hand.

// block: 128
__global__ void carve(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  extern __shared__ float4 pool[];
  float4 *vectors = pool;
  float *scalars = reinterpret_cast<float *>(vectors + 128);
  double *doubles = reinterpret_cast<double *>(scalars + 256);
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[t];
  // expect: shared store 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
  vectors[t] = make_float4(v, v, v, v);
  // expect: shared store at 2048 + 8*tid: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  scalars[2 * t] = v;
  // expect: shared store 8-byte at 3072 + 8*tid: 2 wavefronts, ideal 2; conflict-free
  doubles[t] = v;
  __syncthreads();
  // expect: shared load at 16*(127 - tid) + 4: 4 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float a = vectors[127 - t].y;
  // expect: shared load at 2048 + 4*(tid ^ 1): 1 wavefront, ideal 1; conflict-free
  const float b = scalars[t ^ 1];
  // expect: shared load 8-byte at 3072 + 8*(tid ^ 1): 2 wavefronts, ideal 2; conflict-free
  const double c = doubles[t ^ 1];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = a + b + (float)c;
}

// The width of the tile is a run-time number. One array behind it starts at a
// multiple of it: same bank for all lanes or not, the lanes stay neighbours.
// block: 32x8
__global__ void two_tiles(const float *__restrict__ in, float *__restrict__ out,
                          int rows) {
  extern __shared__ float4 pool[];
  float *first = reinterpret_cast<float *>(pool), *second = first + 32 * rows;
  const int x = threadIdx.x, y = threadIdx.y;
  // expect: global load at 4*(32*y + x): 4 sectors, ideal 4; coalesced
  const float v = in[32 * y + x];
  // expect: shared store at 4*(32*y + x): 1 wavefront, ideal 1; conflict-free
  first[32 * y + x] = v;
  // expect: shared store at 4*(32*y + 2*x): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  second[32 * y + 2 * x] = v;
  __syncthreads();
  // expect: shared load at 4*(32*x + y): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  const float w = first[32 * x + y];
  // expect: shared load at 4*(33*x + y): 1 wavefront, ideal 1; conflict-free
  const float u = second[33 * x + y];
  // expect: global store at 4*(32*y + x): 4 sectors, ideal 4; coalesced
  out[32 * y + x] = w + u;
}

// A typed view, as libraries wrap it (an extern array cannot be a template's).
template <class T> struct SharedPool {
  __device__ T *get() const {
    extern __shared__ float4 pool[];
    return reinterpret_cast<T *>(pool);
  }
};

// block: 64
template <class T>
__global__ void reverse(const T *__restrict__ in, T *__restrict__ out) {
  T *s = SharedPool<T>().get();
  const int t = threadIdx.x;
  // expect(<float>): global load 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<double>): global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect(<float>): shared store 4-byte at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect(<double>): shared store 8-byte at 8*tid: 2 wavefronts, ideal 2; conflict-free
  s[t] = in[t];
  __syncthreads();
  // expect(<float>): shared load 4-byte at 4*(63 - tid): 1 wavefront, ideal 1; conflict-free
  // expect(<double>): shared load 8-byte at 8*(63 - tid): 2 wavefronts, ideal 2; conflict-free
  const T v = s[63 - t];
  // expect(<float>): global store 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<double>): global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[t] = v;
}

void run(const float *in, float *out, int rows) {
  carve<<<1, 128, 4096>>>(in, out, 128);
  two_tiles<<<1, dim3(32, 8), 2 * 32 * 33 * sizeof(float)>>>(in, out, rows);
  reverse<float><<<1, 64, 64 * sizeof(float)>>>(in, out);
  reverse<double>
      <<<1, 64, 64 * sizeof(double)>>>((const double *)in, (double *)out);
}
