// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %python %utils/expect --granule=128 --cuda-flags='%cuda_stub_flags' %s --arch=sm_60
//
// The granule belongs to the architecture: before Volta global memory came in
// lines of 128 bytes. The rows of the fact table in that unit.

__global__ void copy(const float *__restrict__ in, float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid: 1 sector, ideal 1; coalesced
  // expect: global store at 4*tid: 1 sector, ideal 1; coalesced
  out[i] = in[i];
}

// One line more than the ideal is not worth a word.
__global__ void every_second(const float *__restrict__ in,
                             float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 8*tid: 2 sectors, ideal 1; strided; clean
  // expect: global store at 4*tid: 1 sector, ideal 1; coalesced
  out[i] = in[2 * i];
}

// A lane a line needs 32 elements of 4 bytes between lanes, not 8.
__global__ void every_eighth(const float *__restrict__ in,
                             float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 'in[8 * i]' at 32*tid: 8 sectors, ideal 1; strided; warns strided-access
  // expect: global load 'in[32 * i]' at 128*tid: 32 sectors, ideal 1; strided
  const float v = in[8 * i] + in[32 * i];
  // expect: global store at 4*tid: 1 sector, ideal 1; coalesced
  out[i] = v;
}

__global__ void shifted(const float *__restrict__ in, float *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load at 4*tid + 4: 2 sectors, ideal 1; misaligned; warns misaligned-access (absorbed)
  // expect: global store at 4*tid: 1 sector, ideal 1; coalesced
  out[i] = in[i + 1];
}

void run(const float *in, float *out) {
  copy<<<16, 256>>>(in, out);
  every_second<<<16, 256>>>(in, out);
  every_eighth<<<16, 256>>>(in, out);
  shifted<<<16, 256>>>(in, out);
}
