// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck --implicit-check-not=verified %s
//
// No edit where something besides the declaration counts on the length of a
// row, where there is no room, or where another kernel pays for it.

#define FILL(T)                                                                \
  T[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];            \
  __syncthreads()
#define COLUMN(T) out[threadIdx.y * 32 + threadIdx.x] = T[threadIdx.x][threadIdx.y]

__device__ float corner(const float *tile, int pitch) {
  return tile[31 * pitch + 31];
}

__global__ void passed(const float *in, float *out) {
  __shared__ float a[32][32];
  FILL(a);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'a'
  COLUMN(a) + corner(&a[0][0], 32);
}

__global__ void measured(const float *in, float *out) {
  __shared__ float b[32][32];
  FILL(b);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] uses more than one element of 'b'
  COLUMN(b) + sizeof(b);
}

__global__ void as_one_row(const float *in, float *out) {
  __shared__ float c[32][32];
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] may run over the end of a row of 'c'
  c[0][threadIdx.y * 32 + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  COLUMN(c);
}

__global__ void as_a_row(const float *in, float *out) {
  __shared__ float d[32][32];
  FILL(d);
  const float *row = d[threadIdx.x];
  // CHECK-DAG: no edit is offered: the access goes through 'row'; what else counts on the rows of 'd' is not known
  out[threadIdx.y * 32 + threadIdx.x] = row[threadIdx.y];
}

// 4096 bytes more are in use than the declaration shows.
__global__ void nearly_full(const float *in, float *out) {
  __shared__ float f[352][32];
  extern __shared__ float rest[];
  rest[threadIdx.x] = 0;
  for (int k = 1; k < 11; ++k)
    f[threadIdx.y + 32 * k][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  // Nor can an index be edited that a macro writes.
  FILL(f);
  // CHECK-DAG: no edit is offered: a block would need 50560 bytes of shared memory and gets 49152 without opting in for more
  for (int k = 0; k < 11; ++k)
    out[threadIdx.y * 32 + threadIdx.x] =
        f[threadIdx.x + 32 * k][threadIdx.y] + rest[threadIdx.y];
}

#define DECLARE(NAME) __shared__ float NAME[32][32]
__global__ void by_macro(const float *in, float *out) {
  DECLARE(g);
  FILL(g);
  // CHECK-DAG: no edit is offered: a macro declares 'g'
  COLUMN(g);
}

using Tile = float[32][32];
__global__ void by_name(const float *in, float *out) {
  __shared__ Tile h, spare;
  FILL(h);
  FILL(spare);
  // CHECK-DAG: no edit is offered: the declaration of 'h' does not write out the length of a row
  COLUMN(h);
}

// CHECK-DAG: no edit is offered: the access at line [[#@LINE+6]] in 'padded<33>' would take 2 wavefronts a request instead of 1
template <int N> __global__ void padded(const float *in, float *out) {
  __shared__ float i[32][N];
  i[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  // The same row is short by one in one instantiation and right in the other.
  out[threadIdx.y * 32 + threadIdx.x] = i[threadIdx.x][threadIdx.y];
}

__global__ void dynamic(const float *in, float *out) {
  extern __shared__ float j[][32];
  FILL(j);
  // CHECK-DAG: no edit is offered: 'j' is dynamic shared memory, whose size the launch gives
  COLUMN(j);
}

__global__ void part(const float *in, float *out) {
  extern __shared__ float whole[];
  float *p = whole + 1024;
  p[threadIdx.y * 32 + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  // CHECK-DAG: no edit is offered: 'whole' is dynamic shared memory, whose size the launch gives
  out[threadIdx.y * 32 + threadIdx.x] = p[threadIdx.x * 32 + threadIdx.y];
}

struct Pair {
  float a[32][32], b[32][32];
};
__global__ void member(const float *in, float *out) {
  __shared__ Pair l;
  FILL(l.a);
  // CHECK-DAG: no edit is offered: the array is a member of 'Pair'
  COLUMN(l.a);
}

// Columns here, rows two lines on, by a distance that no padding serves.
__global__ void both_ways(const float *in, float *out) {
  __shared__ float m[32][32];
  FILL(m);
  // CHECK-DAG: no edit is offered: no padding and no swizzle of 'm' removes the conflict without slowing another access to it
  COLUMN(m);
  out[0] += m[threadIdx.x / 2][threadIdx.x % 2 + threadIdx.y];
  out[1] += m[31 - threadIdx.x][threadIdx.x];
}

#define KERNEL(NAME, T)                                                        \
  __global__ void NAME(const T *in, T *out) {                                  \
    __shared__ T o[32][32];                                                    \
    FILL(o);                                                                   \
    COLUMN(o);                                                                 \
  }
// All accesses have one place, and each its name.
// CHECK-DAG: [[#@LINE+2]]:{{[0-9]+}}: warning: 32 lanes meet in one bank at 'T[threadIdx.x][threadIdx.y]'
// CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: note: no edit is offered: a macro declares 'o'
KERNEL(floats, float)

void run(float *in, float *out) {
  passed<<<1, dim3(32, 32)>>>(in, out);
  measured<<<1, dim3(32, 32)>>>(in, out);
  as_one_row<<<1, dim3(32, 32)>>>(in, out);
  as_a_row<<<1, dim3(32, 32)>>>(in, out);
  nearly_full<<<1, dim3(32, 32), 4096>>>(in, out);
  by_macro<<<1, dim3(32, 32)>>>(in, out);
  by_name<<<1, dim3(32, 32)>>>(in, out);
  padded<32><<<1, dim3(32, 32)>>>(in, out);
  padded<33><<<1, dim3(32, 32)>>>(in, out);
  dynamic<<<1, dim3(32, 32), 4096>>>(in, out);
  part<<<1, dim3(32, 32), 8192>>>(in, out);
  member<<<1, dim3(32, 32)>>>(in, out);
  both_ways<<<1, dim3(32, 32)>>>(in, out);
  floats<<<1, dim3(32, 32)>>>(in, out);
}
