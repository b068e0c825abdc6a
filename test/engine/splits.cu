// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Linear indices taken apart by / and % and put together again.

// Known width: rows of 16, two of them a warp, in a plane of pitch 64.
__global__ void known_width(const float *__restrict__ in,
                            float *__restrict__ out) {
  const int t = threadIdx.x, row = t / 16, col = t % 16;
  // expect: global load at 4*(64*(tid//16) + tid%16): 4 sectors, ideal 4; coalesced
  const float v = in[64 * row + col];
  // expect: global store at 4*(16*(tid%16) + tid//16): 16 sectors, ideal 4; strided; warns strided-access
  out[16 * col + row] = v;
}

// Width 10: rows of 40 bytes in a pitch of 64. The lanes of a warp lie in 4 or
// 5 rows of two sectors each, of which the second is half empty.
// block: 64
__global__ void width_ten(const float *__restrict__ in,
                          float *__restrict__ out) {
  const unsigned t = threadIdx.x, row = t / 10, col = t % 10;
  // expect: global load at 4*(16*(tid//10) + tid%10): 7 sectors, ideal 4; strided; warns strided-access
  const float v = in[16 * row + col];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[row * 10 + col] = v;
}

// Unknown width, taken apart and put together: i again, exact.
// block: 256
__global__ void recombined(const float *__restrict__ in,
                           float *__restrict__ out, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int row = i / w, col = i % w;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[row * w + col];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = v;
}

// The width is a launch constant, 512: the whole warp has one row.
__global__ void launch_width(const float *__restrict__ in,
                             float *__restrict__ out, int w) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = i / w, col = i % w;
  // expect: global load at 4*(tid % 512): 4 sectors, ideal 4; coalesced
  const float v = in[col];
  // expect: global store at 4096*tid: 32 sectors, ideal 4; strided; warns strided-access
  out[col * 1024 + row] = v;
}

// Channels last to channels first, 3 channels: i = 3*pixel + c. Within a warp
// the three planes get 11, 11 and 10 floats in a run: 2 or 3 sectors each.
__global__ void split_channels(const float *__restrict__ in,
                               float *__restrict__ out) {
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float v = in[t];
  // expect: global store at 4*(1024*(tid%3) + tid//3): 6 sectors, ideal 4; strided; warns strided-access
  out[1024 * (t % 3) + t / 3] = v;
}

// Rounded up and masked: multiples of 4 by three idioms.
__global__ void rounding(const float *__restrict__ in,
                         float *__restrict__ out) {
  const unsigned t = threadIdx.x;
  // expect: global load at 4*(tid // 4 * 4): 4 sectors, ideal 1; strided; warns strided-access
  const float a = in[t / 4 * 4];
  // expect: global load at 4*((tid + 3) & ~3): 5 sectors, ideal 2; strided; warns strided-access
  const float b = in[(t + 3) & ~3u];
  // expect: global load at 4*(tid + 256 - tid % 4): 4 sectors, ideal 1; strided; warns strided-access
  const float c = in[t + 256 - t % 4];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = a + b + c;
}

void run(const float *in, float *out, int w, int n) {
  known_width<<<1, 256>>>(in, out);
  width_ten<<<1, 64>>>(in, out);
  recombined<<<4, 256>>>(in, out, w, n);
  launch_width<<<4, 256>>>(in, out, 512);
  split_channels<<<1, 256>>>(in, out);
  rounding<<<1, 256>>>(in, out);
}
