// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// A clamp in a block whose every index is known: the first warp and the last
// one are not like the others.

// Known extent, one block of 128: the first lane and the last one are clamped.
// block: 128
__global__ void blur(const float *__restrict__ in, float *__restrict__ out) {
  const int i = threadIdx.x;
  // Lane 0 repeats element 0: bytes 0..123 in warp 0, 4 less than aligned
  // elsewhere.
  // expect: global load at 4*max(tid - 1, 0): 4.75 in 4..5 sectors, ideal 4; misaligned; clean
  const float left = in[max(i - 1, 0)];
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const float here = in[i];
  // expect: global load at 4*min(tid + 1, 127): 4.75 in 4..5 sectors, ideal 4; misaligned; clean
  const float right = in[min(i + 1, 127)];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = (left + here + right) / 3.f;
}

void run(const float *in, float *out) { blur<<<1, 128>>>(in, out); }
