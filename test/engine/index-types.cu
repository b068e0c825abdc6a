// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The same index in every integer type, and arithmetic that wraps.

template <class Index>
__global__ void typed(const float *__restrict__ in, float *__restrict__ out,
                      Index n) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // expect: global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
  const float v = in[2 * i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

// i - 1u wraps for i = 0 only, which the guard keeps out: one lane of one warp
// in 64, and that warp begins where a sector does.
__global__ void backward_difference(const float *__restrict__ x,
                                    float *__restrict__ d) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    return;
  // expect: global load at 1024*b + 4*tid for b in range(8) if 256*b + tid > 0: 4 sectors, ideal 4; coalesced
  const float here = x[i];
  // expect: global load at 1024*b + 4*tid - 4 for b in range(8) if 256*b + tid > 0: 4.984375 in 4..5 sectors, ideal 4; misaligned; clean
  const float before = x[i - 1u];
  // expect: global store at 1024*b + 4*tid for b in range(8) if 256*b + tid > 0: 4 sectors, ideal 4; coalesced
  d[i] = here - before;
}

// Reversed: lane 0 has the highest address; the request is the same 128 bytes.
__global__ void reverse(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // expect: global load at 4*(1023 - tid): 4 sectors, ideal 4; coalesced
    const float v = x[n - 1 - i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    y[i] = v;
  }
}

// Every second one backwards, through a pointer to the end.
__global__ void reverse_stride(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *end = x + n;
  // expect: global load at 4096 - 8*(tid + 1): 8 sectors, ideal 4; strided; warns strided-access
  const float v = end[-2 * (i + 1)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  y[i] = v;
}

// A product that fits 32 bits only as unsigned, and a byte counter that wraps
// every 256 threads: the lanes of a warp stay neighbours.
__global__ void narrow(const float *__restrict__ table, float *__restrict__ y) {
  const unsigned char slot = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long far = 3221225472ull + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = table[slot];
  // expect: global store at 4*3221225472 + 4*tid: 4 sectors, ideal 4; coalesced
  y[far] = v;
}

// Shifts and bit operations in place of products and sums.
__global__ void bits(const int *__restrict__ x, int *__restrict__ y) {
  const unsigned t = threadIdx.x;
  // expect: global load at 4*((tid << 2) | 3): 16 sectors, ideal 4; strided; warns strided-access
  const int v = x[(t << 2) | 3u];
  // expect: global load at 4*(tid & ~1): 4 sectors, ideal 2; strided; warns strided-access
  const int even = x[t & ~1u];
  // expect: global store at 4*(((tid >> 4) << 5) + (tid & 15)): 4 sectors, ideal 4; coalesced
  y[((t >> 4) << 5) + (t & 15u)] = v + even;
}

void run(const float *x, float *y) {
  typed<int><<<8, 256>>>(x, y, 2048);
  typed<unsigned><<<8, 256>>>(x, y, 2048);
  typed<long long><<<8, 256>>>(x, y, 2048);
  typed<size_t><<<8, 256>>>(x, y, 2048);
  backward_difference<<<8, 256>>>(x, y);
  reverse<<<4, 256>>>(x, y, 1024);
  reverse_stride<<<2, 256>>>(x, y, 1024);
  narrow<<<4, 256>>>(x, y);
  bits<<<1, 256>>>((const int *)x, (int *)y);
}
