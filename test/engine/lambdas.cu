// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Lambdas in device code, and device lambdas given to a kernel.

template <class Body> __global__ void launch_n(int n, Body body) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    body(i);
}

__global__ void local_lambda(const float *__restrict__ centres,
                             float *__restrict__ out) {
  // The reference capture and the call disappear; the address stays.
  // expect: global load at 32*tid + 12: 32 sectors, ideal 4; strided; warns strided-access
  const auto centre = [&](int code, int k) { return centres[8 * code + k]; };
  const int t = threadIdx.x;
  const float v = centre(t, 3);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[t] = v;
}

void run(const float *in, float *out, int n) {
  local_lambda<<<1, 256>>>(in, out);
  launch_n<<<4, 256>>>(1024, [=] __device__(int i) {
    // expect: global load at 12*tid: 12 sectors, ideal 4; strided; warns strided-access
    const float v = in[3 * i];
    // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
    out[i] = v;
  });
}
