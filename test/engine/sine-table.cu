// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The sine and the cosine of a double read three times 16 bytes of a table, in
// one of two halves of 64 bytes: one sector where the angles of all lanes lie
// in quadrants of one parity, else two. Read off cubins of nvcc 13.0 for sm_90;
// tan, exp and the functions of float have no such loads.

__global__ void varying(double *out, double step) {
  // expect: global load 16-byte: 1 guessed in 1..2 sectors, ideal 1; unknown; because float-index
  // expect: global load 16-byte: 1 guessed in 1..2 sectors, ideal 1; unknown; because float-index
  // expect: global load 16-byte: 1 guessed in 1..2 sectors, ideal 1; unknown; because float-index
  const double s = sin(threadIdx.x * step);
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[threadIdx.x] = s;
}

// One angle for all lanes, one half of the table.
__global__ void uniform(double *out, double angle) {
  // expect: global load 16-byte at 0: 1 sectors, ideal 1; broadcast
  // expect: global load 16-byte at 16: 1 sectors, ideal 1; broadcast
  // expect: global load 16-byte at 32: 1 sectors, ideal 1; broadcast
  const double c = cospi(angle);
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[threadIdx.x] = c;
}

__global__ void others(double *out, float *less, double step) {
  const double x = threadIdx.x * step;
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[threadIdx.x] = tan(x) * exp(x) + sin(0.5);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  less[threadIdx.x] = sinf(float(x));
}
