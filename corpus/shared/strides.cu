// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// bank = (byte / 4) mod 32, so lane t of s[S*t] falls into bank S*t mod 32: the
// ways of the conflict are gcd(S, 32). 33 mod 32 = 1 is as good as 1.

// block: 32
template <int Stride>
__global__ void spread(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[32 * Stride];
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<1>): shared store at 4*1*tid: 1 wavefront, ideal 1; conflict-free
  // expect(<2>): shared store at 4*2*tid: 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<32>): shared store at 4*32*tid: 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<33>): shared store at 4*33*tid: 1 wavefront, ideal 1; conflict-free
  s[Stride * t] = in[t];
  __syncthreads();
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<1>): shared load at 4*1*(31 - tid): 1 wavefront, ideal 1; conflict-free
  // expect(<2>): shared load at 4*2*(31 - tid): 2 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<32>): shared load at 4*32*(31 - tid): 32 wavefronts, ideal 1; conflict; warns shared-bank-conflict
  // expect(<33>): shared load at 4*33*(31 - tid): 1 wavefront, ideal 1; conflict-free
  out[t] = s[Stride * (31 - t)];
}

void run(const float *in, float *out) {
  spread<1><<<1, 32>>>(in, out);
  spread<2><<<1, 32>>>(in, out);
  spread<32><<<1, 32>>>(in, out);
  spread<33><<<1, 32>>>(in, out);
}
