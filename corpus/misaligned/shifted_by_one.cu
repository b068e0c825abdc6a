// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The array starts one float after an aligned base: bytes 4..131 touch 5
// sectors, 160 bytes moved for 128.

template <int Shift> struct Payload {
  float *base;
  __device__ float *data() const { return base + Shift; }
};

template <int Shift>
__global__ void decay(Payload<Shift> p, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float *data = p.data();
    // expect(decay<1>): global load at 4*tid + 4: 5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
    // expect(decay<2>): global load at 4*tid + 8: 5 sectors, ideal 4; misaligned
    // expect(decay<8>): global load at 4*tid + 32: 4 sectors, ideal 4; coalesced
    const float v = data[i];
    // expect(decay<1>): global store at 4*tid + 4: 5 sectors, ideal 4; misaligned; warns misaligned-access (absorbed)
    // expect(decay<2>): global store at 4*tid + 8: 5 sectors, ideal 4; misaligned
    // expect(decay<8>): global store at 4*tid + 32: 4 sectors, ideal 4; coalesced
    data[i] = factor * v;
  }
}

void run(float *p, int n) {
  decay<1><<<(n + 255) / 256, 256>>>({p}, 0.9f, n); // 4 bytes
  decay<2><<<(n + 255) / 256, 256>>>({p}, 0.9f, n); // 8 bytes
  decay<8><<<(n + 255) / 256, 256>>>({p}, 0.9f, n); // a whole sector: no harm
}
