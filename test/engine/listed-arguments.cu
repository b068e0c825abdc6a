// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The host goes through known values of an argument, more than are analysed one
// by one: what costs the same with each of them is exact.

// Neighbours `stride` apart. With strides of at least a warp the 32 lanes are
// neighbours themselves, whatever the stride.
__global__ void far(unsigned *keys, unsigned stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned low = 2 * i - (i & (stride - 1));
  // expect: global load at 4*(2*tid - (tid & (s - 1))) for s in (32, 64, 128, 256, 512, 1024): 4 sectors, ideal 4; coalesced
  const unsigned a = keys[low];
  // expect: global load at 4*(2*tid - (tid & (s - 1)) + s) for s in (32, 64, 128, 256, 512, 1024): 4 sectors, ideal 4; coalesced
  const unsigned b = keys[low + stride];
  // expect: global store at 4*(2*tid - (tid & (s - 1))) for s in (32, 64, 128, 256, 512, 1024): 4 sectors, ideal 4; coalesced
  keys[low] = min(a, b);
  // expect: global store at 4*(2*tid - (tid & (s - 1)) + s) for s in (32, 64, 128, 256, 512, 1024): 4 sectors, ideal 4; coalesced
  keys[low + stride] = max(a, b);
}

// Down to 1: 8 sectors with 1, 2 or 4, 4 with the others; the guess is the
// first launch's.
__global__ void near(unsigned *keys, unsigned stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global store at 4*(2*tid - (tid & 31)): 4 guessed sectors, ideal 4; coalesced; because symbolic-stride
  keys[2 * i - (i & (stride - 1))] = 0;
}

void host(unsigned *keys) {
  for (unsigned n = 64; n <= 2048; n *= 2)
    for (unsigned stride = n / 2; stride > 0; stride /= 2)
      if (stride >= 32)
        far<<<n / 64, 256>>>(keys, stride);
  for (unsigned stride = 32; stride > 0; stride >>= 1)
    near<<<1, 256>>>(keys, stride);
}
