// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Two dimensions of records, and one field of each: 8 bytes of 24.
struct Cell {
  double density, energy, pressure;
};

// block: 32x8
__global__ void pressures(const Cell (*__restrict__ grid)[64],
                          double *__restrict__ out) {
  const int x = threadIdx.x, y = threadIdx.y;
  // expect: global load 8-byte 'grid[y][x].pressure' at 24*(64*y + x) + 16: 24 sectors, ideal 8; aos; warns aos-field-access
  const double p = grid[y][x].pressure;
  // expect: global store 8-byte at 8*(32*y + x): 8 sectors, ideal 8; coalesced
  out[32 * y + x] = p;
}

void run(const Cell (*grid)[64], double *out) {
  pressures<<<1, dim3(32, 8)>>>(grid, out);
}
