// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A record of four floats aligned to 16: read whole, the four loads are one of
// 16 bytes; and a fifth field would break that.

struct alignas(16) Cell {
  float rho, u, v, e;
};
struct Packed {
  float rho, u, v, e;
};

template <class Record> __device__ inline float energy(const Record &c) {
  return c.e - 0.5f * c.rho * (c.u * c.u + c.v * c.v);
}

__global__ void internal_energy(const Cell *__restrict__ cells,
                                float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
    const Cell c = cells[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = energy(c);
  }
}

// The same without the alignment: four loads of 4 bytes, 16 bytes apart.
__global__ void internal_energy_packed(const Packed *__restrict__ cells,
                                       float *__restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load at 16*tid + 4*f for f in range(4): 16 sectors, ideal 4; aos; warns aos-field-access (absorbed)
    const Packed c = cells[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = energy(c);
  }
}

void run(const Cell *c, const Packed *p, float *out, int n) {
  internal_energy<<<(n + 255) / 256, 256>>>(c, out, n);
  internal_energy_packed<<<(n + 255) / 256, 256>>>(p, out, n);
}
