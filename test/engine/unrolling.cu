// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Up to how many iterations nvcc 13.0 leaves no loop, read off its PTX for
// sm_90. 57 iterations of a load and a sum at a run-time pitch, not 58: 7
// instructions each. 36 of two loads and a multiply-add (11), 40 of a load, a
// multiply-add and a store (10), 36 of a division (11). Index arithmetic counts
// as all else.
//
// RUN: warplint --print-ir %s -- %cuda_flags -DSUM=57 -DDOT=36 -DSTORE=40 -DDIVIDE=36 | FileCheck --check-prefix=WHOLE %s
// RUN: warplint --print-ir %s -- %cuda_flags -DSUM=58 -DDOT=37 -DSTORE=41 -DDIVIDE=37 | FileCheck --check-prefix=LOOP %s

// WHOLE-LABEL: define {{.*}}sum
// WHOLE-NOT: br
// LOOP-LABEL: define {{.*}}sum
// LOOP: br i1
extern "C" __global__ void sum(const float *__restrict__ in,
                               float *__restrict__ out, int n, int p) {
  float a = n;
  for (int k = 0; k < SUM; ++k)
    a += in[k * n + p];
  out[threadIdx.x + p] = a;
}

// WHOLE-LABEL: define {{.*}}dot
// WHOLE-NOT: br
// LOOP-LABEL: define {{.*}}dot
// LOOP: br i1
extern "C" __global__ void dot(const float *__restrict__ in,
                               const float *__restrict__ by,
                               float *__restrict__ out, int n, int p) {
  float a = n;
  for (int k = 0; k < DOT; ++k)
    a += in[k * n + p] * by[k];
  out[threadIdx.x + p] = a;
}

// WHOLE-LABEL: define {{.*}}store
// WHOLE-NOT: br
// LOOP-LABEL: define {{.*}}store
// LOOP: br i1
extern "C" __global__ void store(const float *__restrict__ in,
                                 float *__restrict__ out, int n, int p) {
  float a = n;
  for (int k = 0; k < STORE; ++k)
    out[k * n + p] = in[k * n + p] * n + a;
}

// WHOLE-LABEL: define {{.*}}divide
// WHOLE-NOT: br
// LOOP-LABEL: define {{.*}}divide
// LOOP: br i1
extern "C" __global__ void divide(const float *__restrict__ in,
                                  float *__restrict__ out, int n, int p) {
  float a = n;
  for (int k = 0; k < DIVIDE; ++k)
    a += in[k * n + p] / n;
  out[threadIdx.x + p] = a;
}
