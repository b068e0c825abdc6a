// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Selects: clamped borders, wrapped borders, min and max. In the interior a
// clamp that no lane meets leaves the neighbours neighbours.

// Clamped borders of a long row: in the interior no lane meets them.
// block: 128
__global__ void blur(const float *__restrict__ in, float *__restrict__ out,
                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*(tid - 1): 5 sectors, ideal 4; misaligned; clean
  const float left = in[max(i - 1, 0)];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float here = in[i];
  // expect: global load at 4*(tid + 1): 5 sectors, ideal 4; misaligned; clean
  const float right = in[min(i + 1, n - 1)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = (left + here + right) / 3.f;
}

// Periodic: lane 0 of the first warp takes the last element, a sector of its
// own.
// block: 128
__global__ void advect(const float *__restrict__ in, float *__restrict__ out) {
  const int i = threadIdx.x;
  // expect: global load at 4*((tid + 127) % 128): 5 sectors, ideal 4; strided; clean
  const float upwind = in[(i + 127) % 128];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float here = in[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = 0.9f * here + 0.1f * upwind;
}

// A ternary chooses the element for each half of the warp.
// block: 256
__global__ void halves(const float *__restrict__ in, float *__restrict__ out) {
  const int t = threadIdx.x;
  const int i = t % 32 < 16 ? 2 * t : t;
  // expect: global load at 4*(2*tid if lane < 16 else tid): 5.75 in 4..6 sectors, ideal 3.875; strided; warns strided-access
  const float v = in[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// A choice that is the warp's own: the row, not the lanes.
// block: 32x8
__global__ void mirror_rows(const float *__restrict__ in,
                            float *__restrict__ out) {
  const int x = threadIdx.x, y = threadIdx.y;
  const int from = y < 4 ? y : 7 - y;
  // expect: global load at 4*(64*(y if y < 4 else 7 - y) + x): 4 sectors, ideal 4; coalesced
  const float v = in[64 * from + x];
  // expect: global store at 4*(64*abs(y - 4) + x): 4 sectors, ideal 4; coalesced
  out[64 * (y < 4 ? 4 - y : y - 4) + x] = v;
}

void run(const float *in, float *out, int n) {
  blur<<<64, 128>>>(in, out, n);
  advect<<<1, 128>>>(in, out);
  halves<<<1, 256>>>(in, out);
  mirror_rows<<<1, dim3(32, 8)>>>(in, out);
}
