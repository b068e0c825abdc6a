// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Atomics are one access each, at addresses counted as any other's.

__global__ void count(const unsigned *__restrict__ in,
                      unsigned *__restrict__ per_thread,
                      unsigned *__restrict__ strided,
                      unsigned *__restrict__ total) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned v = in[i];
  // expect: global atomic at 4*tid: 4 sectors, ideal 4; coalesced
  atomicAdd(&per_thread[i], v);
  // expect: global atomic at 32*tid: 32 sectors, ideal 4; strided; warns strided-access
  atomicAdd(strided + 8 * i, v);
  // expect: global atomic at 0: 1 sector, ideal 1; broadcast
  atomicAdd(total, v);
}

// Shared counters of a histogram by the lane's own column: one word a lane.
// block: 256
__global__ void private_bins(const unsigned *__restrict__ in,
                             unsigned *__restrict__ out) {
  __shared__ unsigned bins[8][32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  // expect: shared store at 4*tid: 1 wavefront, ideal 1; conflict-free
  bins[warp][lane] = 0;
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned v = in[t];
  // expect: shared atomic at 4*(32*warp + lane): 1 wavefront, ideal 1; conflict-free
  atomicAdd(&bins[warp][lane], v);
  __syncthreads();
  // expect: shared load at 4*tid: 1 wavefront, ideal 1; conflict-free
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = bins[warp][lane];
}

// Lanes of one word are served one after another, unless they only count: then
// the hardware adds them up first.
// block: 256
__global__ void one_word(const unsigned *__restrict__ in,
                         unsigned *__restrict__ out) {
  __shared__ unsigned sum, count, by_eight[32];
  const int t = threadIdx.x;
  if (t < 32) {
    // expect: shared store at 4*tid if tid < 32: 1 wavefront, ideal 1; conflict-free
    by_eight[t] = 0;
  }
  if (t == 0) {
    // expect: shared store at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    sum = 0;
    // expect: shared store at 0 if tid == 0: 1 wavefront, ideal 1; 1 lanes
    count = 0;
  }
  __syncthreads();
  // expect: global load at 4*tid: 4 sectors, ideal 4; coalesced
  const unsigned v = in[t];
  // expect: shared atomic at 0: 32 wavefronts, ideal 1
  atomicAdd(&sum, v);
  // expect: shared counting atomic at 0: 1 wavefront, ideal 1
  atomicAdd(&count, 1u);
  // expect: shared atomic at 4*(tid // 8): 8 wavefronts, ideal 1
  atomicAdd(&by_eight[t / 8], v);
  __syncthreads();
  // expect: shared load at 0: 1 wavefront, ideal 1; broadcast
  const unsigned total = sum;
  // expect: shared load at 0: 1 wavefront, ideal 1; broadcast
  const unsigned threads = count;
  // expect: shared load at 4*(tid // 8): 1 wavefront, ideal 1; conflict-free
  const unsigned part = by_eight[t / 8];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = total / threads - part;
}

// Wide broadcasts: neighbours that share their words are served together.
// block: 32
__global__ void wide_broadcast(const float4 *__restrict__ in,
                               float4 *__restrict__ out) {
  __shared__ float4 s[32];
  const int t = threadIdx.x;
  // expect: global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect: shared store 16-byte at 16*tid: 4 wavefronts, ideal 4; conflict-free
  s[t] = in[t];
  __syncwarp();
  // expect: shared load 16-byte at 80: 2 wavefronts, ideal 2; broadcast
  const float4 all = s[5];
  // expect: shared load 16-byte at 16*(tid//2): 2 wavefronts, ideal 2; conflict-free
  const float4 pair = s[t / 2];
  // expect: shared load 16-byte at 16*(tid//4): 2 wavefronts, ideal 2; conflict-free
  const float4 quad = s[t / 4];
  // expect: global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[t] = make_float4(all.x + pair.x + quad.x, all.y + pair.y + quad.y,
                       all.z + pair.z + quad.z, all.w + pair.w + quad.w);
}

void run(const unsigned *in, unsigned *out, unsigned *strided,
         unsigned *total) {
  count<<<8, 256>>>(in, out, strided, total);
  private_bins<<<1, 256>>>(in, out);
  one_word<<<1, 256>>>(in, out);
  wide_broadcast<<<1, 32>>>((const float4 *)in, (float4 *)out);
}
