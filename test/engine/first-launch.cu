// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The host changes an argument from launch to launch, and how far it goes is
// not known: no number is exact, and the best guess is the first launch's.

// Partial sums, 1, 256, 65536 ... elements apart.
__global__ void fold(float *sums, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    // expect: global load at 4*tid: 4 guessed sectors, ideal 4; coalesced; because symbolic-stride
    // expect: global store at 4*tid: 4 guessed sectors, ideal 4; coalesced; because symbolic-stride
    sums[i * stride] *= 0.5f;
}

// Rows of 2, 4, 8 ... words: the first launch has lanes 2 * tid - (tid & 1),
// two of which, 16 apart, meet in a bank.
__global__ void pairs(float *out, int size) {
  __shared__ float s[512];
  const int t = threadIdx.x;
  // expect: shared store at 4*(2*tid - (tid & 1)): 2 guessed wavefronts, ideal 1; conflict; because symbolic-stride
  s[2 * t - (t & (size - 1))] = 0;
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefronts, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[t];
}

// A loop in the kernel whose length is the argument: steps 1, 2, 4, 8 of the
// first launch, not those of a length nothing is known of.
__global__ void steps(float *out, int size) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  for (int step = 1; step < size; step *= 2)
    // expect: shared store at 4*(tid*k % 1024) for k in (1, 2, 4, 8): 3.75 guessed wavefronts, ideal 1; unknown; because arithmetic
    s[t * step % 1024] = 0;
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefronts, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[t];
}

void host(float *p, int n) {
  int stride = 1;
  for (int left = n; left > 1; left = (left + 255) / 256) {
    fold<<<(left + 255) / 256, 256>>>(p, stride, left);
    stride *= 256;
  }
  for (int size = 2; size < n; size *= 2)
    pairs<<<1, 256>>>(p, size);
  int size = 16;
  while (size < n) {
    steps<<<1, 256>>>(p, size);
    size <<= 1;
  }
}
