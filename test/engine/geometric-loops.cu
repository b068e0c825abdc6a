// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Loops whose counter doubles or halves, with conflicts that change from step
// to step; each is judged iteration by iteration.

// Blelloch's scan, work-efficient and full of conflicts: step d works on
// ai = offset*(2t + 1) - 1 and bi = offset*(2t + 2) - 1, so offset*2 words
// apart.
template <int Pad> __device__ inline int at(int i) {
  return i + Pad * (i / 32);
}

// block: 256
template <int Pad>
__global__ void scan(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float s[512 + Pad * 16];
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<0>): shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect(<1>): shared store at 4*(tid + tid//32): 1 wavefront, ideal 1; conflict-free
  s[at<Pad>(t)] = in[t];
  // expect: global load at 4*tid + 1024: 4 sectors, ideal 4; coalesced
  // expect(<0>): shared store at 4*(tid + 256): 1 wavefront, ideal 1; conflict-free
  // expect(<1>): shared store at 4*(tid + 256 + (tid + 256)//32): 1 wavefront, ideal 1; conflict-free
  s[at<Pad>(t + 256)] = in[t + 256];
  int offset = 1;
  for (int d = blockDim.x; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      // expect(<0>): shared load at 4*((256//d)*(2*tid + 1) - 1) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 4.75 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict; 25.55 lanes
      // expect(<1>): shared load at 4*((256//d)*(2*tid + 1) - 1 + ((256//d)*(2*tid + 1) - 1)//32) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 1 wavefront, ideal 1; conflict-free; 25.55 lanes
      const float left = s[at<Pad>(ai)];
      // expect(<0>): shared load at 4*((256//d)*(2*tid + 2) - 1) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 4.75 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict; 25.55 lanes
      // expect(<1>): shared load at 4*((256//d)*(2*tid + 2) - 1 + ((256//d)*(2*tid + 2) - 1)//32) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 1 wavefront, ideal 1; conflict-free; 25.55 lanes
      const float right = s[at<Pad>(bi)];
      // expect(<0>): shared store at 4*((256//d)*(2*tid + 2) - 1) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 4.75 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict; 25.55 lanes
      // expect(<1>): shared store at 4*((256//d)*(2*tid + 2) - 1 + ((256//d)*(2*tid + 2) - 1)//32) for d in (256, 128, 64, 32, 16, 8, 4, 2, 1) if tid < d: 1 wavefront, ideal 1; conflict-free; 25.55 lanes
      s[at<Pad>(bi)] = left + right;
    }
    offset *= 2;
  }
  __syncthreads();
  // expect(<0>): shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect(<1>): shared load at 4*(tid + tid//32): 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[at<Pad>(t)];
}

// A butterfly: partners 1, 2, 4 ... 64 apart are neighbours of neighbours, so
// conflict-free at every distance.
// block: 128
__global__ void butterfly(const float *__restrict__ in,
                          float *__restrict__ out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  float v = in[t];
  for (int mask = 1; mask < 128; mask <<= 1) {
    // expect: shared store at 4*tid for k in range(7): 1 wavefront, ideal 1; conflict-free
    s[t] = v;
    __syncthreads();
    // expect: shared load at 4*(tid ^ m) for m in (1, 2, 4, 8, 16, 32, 64): 1 wavefront, ideal 1; conflict-free
    v += s[t ^ mask];
    __syncthreads();
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

// Strides 1, 2, 4, 8, 16 by a shift count: 1-, 2-, 4-, 8-, 16-way.
// block: 32
__global__ void widening(const float *__restrict__ in,
                         float *__restrict__ out) {
  __shared__ float s[512];
  for (int k = 0; k < 16; ++k) {
    // expect: global load at 128*k + 4*tid for k in range(16): 4 sectors, ideal 4; coalesced
    // expect: shared store at 128*k + 4*tid for k in range(16): 1 wavefront, ideal 1; conflict-free
    s[32 * k + threadIdx.x] = in[32 * k + threadIdx.x];
  }
  __syncthreads();
  float sum = 0.f;
#pragma unroll 1
  for (int shift = 0; shift < 5; ++shift) {
    // expect: shared load at 4*(tid << k) for k in range(5): 6.2 in 1..16 wavefronts, ideal 1; conflict; warns shared-bank-conflict
    sum += s[threadIdx.x << shift];
  }
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[threadIdx.x] = sum;
}

// Bitonic exchange: partner = i ^ j for falling j, the lower lane of a pair
// works. All pairs of a step: conflict-free for j >= 32 and for j < 32 too,
// since 16 lanes are left and their words differ in the bank.
// block: 256
__global__ void bitonic(const int *__restrict__ in, int *__restrict__ out) {
  __shared__ int s[256];
  const unsigned t = threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  s[t] = in[t];
  __syncthreads();
  for (unsigned j = 128; j > 0; j /= 2) {
    const unsigned partner = t ^ j;
    if (partner > t) {
      // expect: shared load at 4*tid for j in (128, 64, 32, 16, 8, 4, 2, 1) if (tid ^ j) > tid: 1 wavefront, ideal 1; conflict-free; 19.6923 lanes
      const int a = s[t];
      // expect: shared load at 4*(tid ^ j) for j in (128, 64, 32, 16, 8, 4, 2, 1) if (tid ^ j) > tid: 1 wavefront, ideal 1; conflict-free; 19.6923 lanes
      const int b = s[partner];
      // expect: shared store at 4*tid for j in (128, 64, 32, 16, 8, 4, 2, 1) if (tid ^ j) > tid: 1 wavefront, ideal 1; conflict-free; 19.6923 lanes
      s[t] = min(a, b);
      // expect: shared store at 4*(tid ^ j) for j in (128, 64, 32, 16, 8, 4, 2, 1) if (tid ^ j) > tid: 1 wavefront, ideal 1; conflict-free; 19.6923 lanes
      s[partner] = max(a, b);
    }
    __syncthreads();
  }
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = s[t];
}

void run(const float *in, float *out) {
  scan<0><<<1, 256>>>(in, out);
  scan<1><<<1, 256>>>(in, out);
  butterfly<<<1, 128>>>(in, out);
  widening<<<1, 32>>>(in, out);
  bitonic<<<1, 256>>>((const int *)in, (int *)out);
}
