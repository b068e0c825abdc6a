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

void run(const unsigned *in, unsigned *out, unsigned *strided,
         unsigned *total) {
  count<<<8, 256>>>(in, out, strided, total);
  private_bins<<<1, 256>>>(in, out);
}
