// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// ptxas lays shared arrays one after the other and knows where: behind 24
// bytes, the second double of an array lies at 32, and 1 and 2 are one access
// of 16 bytes, 3 and 4 another; the first is left alone.
// block: 128
__global__ void behind_three(const double *__restrict__ in,
                             double *__restrict__ out) {
  __shared__ double3 first;
  __shared__ double d[5];
  const int t = threadIdx.x;
  if (t < 3) {
    // expect: global load 8-byte at 8*tid if tid < 3: 1 sector, ideal 1; coalesced
    // expect: shared store 8-byte at 8*tid if tid < 3: 1 wavefront, ideal 1; conflict-free
    (&first.x)[t] = in[t];
  }
  if (t < 5) {
    // expect: global load 8-byte at 24 + 8*tid if tid < 5: 2 sectors, ideal 2; coalesced
    // expect: shared store 8-byte at 8*tid if tid < 5: 1 wavefront, ideal 1; conflict-free
    d[t] = in[t + 3];
  }
  __syncthreads();
  // expect: shared load 8-byte at 0: 1 wavefront, ideal 1; broadcast
  const double a = d[0];
  // expect: shared load 16-byte at 8: 2 wavefronts, ideal 2; broadcast
  const double b = d[1];
  const double c = d[2];
  // expect: shared load 16-byte at 24: 2 wavefronts, ideal 2; broadcast
  const double e = d[3];
  const double f = d[4];
  // expect: shared load 8-byte at 0: 1 wavefront, ideal 1; broadcast
  const double x = first.x;
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[t] = (a - b) * (c - e) * (f - x);
}

void run(const double *in, double *out) { behind_three<<<1, 128>>>(in, out); }
