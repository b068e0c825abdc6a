// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Loops: known trips run through, unknown ones summarised, pointers that walk.

// Grid-stride, in the three spellings libraries use.
__global__ void grid_stride_for(const float *__restrict__ in,
                                float *__restrict__ out, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
       i += (size_t)gridDim.x * blockDim.x) {
    // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
    const float v = in[i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = 2.f * v;
  }
}

__global__ void grid_stride_while(const float2 *__restrict__ in,
                                  float *__restrict__ out, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  while (i < n) {
    // expect: global load at 8*tid + 4: 8 sectors, ideal 4; aos; warns aos-field-access
    const float y = in[i].y;
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = y;
    i += blockDim.x * gridDim.x;
  }
}

// A pointer a lane, stepped by a run-time row: the lanes stay neighbours.
__global__ void column_sums(const float *__restrict__ m,
                            float *__restrict__ sums, int rows) {
  const float *p = m + blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.f;
  for (int r = 0; r < rows; ++r, p += 2048) {
    // expect: global load at 8192*r + 4*tid for r in range(3): 4 sectors, ideal 4; coalesced
    sum += *p;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A lane a row, its pointer walking along it: 4 KiB between lanes throughout.
__global__ void row_sums(const float *__restrict__ m, float *__restrict__ sums,
                         int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = m + row * 1024, *end = p + cols;
  float sum = 0.f;
  while (p != end) {
    // expect: global load at 4096*tid + 4*k for k in range(9): 32 sectors, ideal 4; strided; warns strided-access
    sum += *p++;
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  sums[row] = sum;
}

// Known inside unknown: the inner loop shifts by 32 bytes, a whole sector.
__global__ void nested(const float *__restrict__ in, float *__restrict__ out,
                       int blocks) {
  float sum = 0.f;
  for (int b = 0; b < blocks; ++b) {
    for (int k = 0; k < 16; k += 8) {
      // expect: global load at 4096*b + 4*k + 4*tid for k in (0, 8) for b in range(3): 4 sectors, ideal 4; coalesced
      sum += in[1024 * b + k + threadIdx.x];
    }
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = sum;
}

// Unknown inside known, and a count down.
__global__ void nested_down(const float *__restrict__ in,
                            float *__restrict__ out, int n) {
  float sum = 0.f;
  for (int q = 3; q >= 0; --q) {
    for (int k = n - 1; k >= 0; --k) {
      // expect: global load at 4*(256*(q + 4*k)) + 4*tid for q in range(4) for k in range(3): 4 sectors, ideal 4; coalesced
      sum += in[256 * (q + 4 * k) + threadIdx.x];
    }
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = sum;
}

// Trips that differ by lane: lane t makes t + 1 of them. In round k lanes k..31
// are left: 32 - k floats from element k on, always in the 4 sectors from k
// // 8.
// block: 32
__global__ void triangle(const float *__restrict__ in,
                         float *__restrict__ out) {
  float sum = 0.f;
  for (int k = 0; k <= threadIdx.x; ++k) {
    // expect: global load at 128*k + 4*tid for k in range(32) if k <= tid: 2.5 in 1..4 sectors, ideal 2.5; coalesced; 16.5 lanes
    sum += in[32 * k + threadIdx.x];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced; 32 lanes
  out[threadIdx.x] = sum;
}

// The lane's start is data, its stride is not: a CSR row by the whole warp.
// Where the row starts in a sector is not known: 4 or 5.
// block: 32
__global__ void csr_row_by_warp(const int *__restrict__ begin,
                                const float *__restrict__ values,
                                float *__restrict__ out) {
  const int row = blockIdx.x;
  // expect: global load 'begin[row]' at 4*b for b in range(8): 1 sector, ideal 1; broadcast
  const int first = begin[row];
  // expect: global load 'begin[row + 1]' at 4*b + 4 for b in range(8): 1 sector, ideal 1; broadcast
  const int last = begin[row + 1];
  float sum = 0.f;
  for (int k = first + threadIdx.x; k < last; k += 32) {
    // expect: global load: 4..5 sectors, ideal 4; coalesced; because unknown-alignment
    sum += values[k];
  }
  // expect: global store at 128*b + 4*tid for b in range(3): 4 sectors, ideal 4; coalesced
  out[32 * row + threadIdx.x] = sum;
}

void run(const float *in, float *out, size_t n, const int *begin) {
  grid_stride_for<<<8, 256>>>(in, out, n);
  grid_stride_while<<<8, 256>>>((const float2 *)in, out, n);
  column_sums<<<8, 256>>>(in, out, n);
  row_sums<<<8, 256>>>(in, out, n);
  nested<<<1, 256>>>(in, out, n);
  nested_down<<<1, 256>>>(in, out, n);
  triangle<<<1, 32>>>(in, out);
  csr_row_by_warp<<<n, 32>>>(begin, in, out);
}
