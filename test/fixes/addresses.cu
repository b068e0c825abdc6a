// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not warplint %s -- %cuda_flags | FileCheck --implicit-check-not=verified %s
//
// The address of an element as an integer: inline PTX may access what lies
// there. Nothing else may be made of it, since that counts on the rows.

#define FILL(T)                                                                \
  T[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];            \
  __syncthreads()
#define COLUMN(T) out[threadIdx.y * 32 + threadIdx.x] = T[threadIdx.x][threadIdx.y]

__device__ float load(unsigned from) {
  float x;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(from));
  return x;
}
__device__ float second_row(unsigned from) {
  float x;
  asm volatile("{ .reg .u32 t; add.u32 t, %1, 128; ld.shared.f32 %0, [t]; }"
               : "=f"(x)
               : "r"(from));
  return x;
}

// CHECK-DAG: fix: pad the rows of 'a' from 32 to 33 elements (verified
__global__ void plain(const float *in, float *out) {
  __shared__ float a[32][32];
  const unsigned to =
      (unsigned)__cvta_generic_to_shared(&a[threadIdx.y][threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
               "l"(in + threadIdx.y * 32 + threadIdx.x));
  __syncthreads();
  COLUMN(a) + load(__cvta_generic_to_shared(&a[threadIdx.y][3]));
}

__global__ void offset_in_text(const float *in, float *out) {
  __shared__ float b[32][32];
  FILL(b);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'b'
  COLUMN(b) + second_row(__cvta_generic_to_shared(&b[0][0]));
}

__global__ void stepped(const float *in, float *out, int n) {
  __shared__ float c[32][32];
  FILL(c);
  unsigned from = __cvta_generic_to_shared(&c[0][0]);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] computes with the address of an element of 'c'
  COLUMN(c) + (n == 21 ? load(from + 128) : 0);
}

__global__ void bulk(const float *in, float *out) {
  __shared__ alignas(128) float d[32][32];
  __shared__ unsigned long long bar;
  unsigned to = __cvta_generic_to_shared(&d[0][0]),
           at = __cvta_generic_to_shared(&bar);
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(
                   // CHECK-DAG: no edit is offered: line [[#@LINE+1]] computes with the address of an element of 'd'
                   to),
               "l"(in), "r"(4096), "r"(at)
               : "memory");
  __syncthreads();
  COLUMN(d);
}

__global__ void descriptor(const float *in, unsigned long long *desc,
                           float *out) {
  __shared__ float e[32][32];
  FILL(e);
  // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'e'
  *desc = (__cvta_generic_to_shared(&e[0][0]) >> 4) | 1ull << 62;
  COLUMN(e);
}

// A column of the next row by its number, where no launch in sight gets to.
__global__ void next_row(const float *in, float *out, int n) {
  __shared__ float f[32][32];
  FILL(f);
  if (n == 21)
    // CHECK-DAG: no edit is offered: line [[#@LINE+1]] may run over the end of a row of 'f'
    out[2] = f[0][40];
  COLUMN(f);
}

struct Rows {
  float v[64];
};
__global__ void record(const float *in, float *out, int n) {
  __shared__ float g[32][32];
  FILL(g);
  if (n == 21)
    // CHECK-DAG: no edit is offered: line [[#@LINE+1]] takes the address of an element of 'g'
    out[2] = reinterpret_cast<Rows *>(&g[0][0])->v[n];
  COLUMN(g);
}

void run(float *in, unsigned long long *desc, float *out) {
  plain<<<1, dim3(32, 32)>>>(in, out);
  offset_in_text<<<1, dim3(32, 32)>>>(in, out);
  stepped<<<1, dim3(32, 32)>>>(in, out, 20);
  bulk<<<1, dim3(32, 32)>>>(in, out);
  descriptor<<<1, dim3(32, 32)>>>(in, desc, out);
  next_row<<<1, dim3(32, 32)>>>(in, out, 20);
  record<<<1, dim3(32, 32)>>>(in, out, 20);
}
