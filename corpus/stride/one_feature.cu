// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// One feature of samples with 32 features each, 128 bytes between lanes; or a
// table that keeps each feature together.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 22, Features = 32, Wanted = 5;

template <int SampleStep, int FeatureStep> struct Table {
  const float *__restrict__ cells;
  __device__ float at(int sample, int feature) const {
    // expect(Table<32): global load at 128*tid + 20: 32 sectors, ideal 4; strided; warns strided-access
    // expect(Table<1): global load at 4*tid + 4*(1 << 22)*5: 4 sectors, ideal 4; coalesced
    return cells[sample * SampleStep + feature * FeatureStep];
  }
};

template <class T>
__global__ void standardise(float *__restrict__ out, T table, float mean,
                            float scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = table.at(i, Wanted);
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = (v - mean) * scale;
}

void slow(float *out, const float *cells) {
  const Table<Features, 1> table{cells};
  standardise<<<N / 256, 256>>>(out, table, 0.25f, 2.f);
}
void fast(float *out, const float *cells) {
  const Table<1, N> table{cells};
  standardise<<<N / 256, 256>>>(out, table, 0.25f, 2.f);
}
void reference(float *out, const float *cells) {
  for (int i = 0; i < N; ++i)
    out[i] = (cells[Features * i + Wanted] - 0.25f) * 2.f;
}
void by_feature(float *to, const float *from) {
  for (int i = 0; i < N; ++i)
    for (int f = 0; f < Features; ++f)
      to[f * N + i] = from[Features * i + f];
}

corpus::Enlisted pair =
    corpus::pair("stride/one_feature", slow, fast, reference)
        .output(N)
        .input<0>(Features * N)
        .layout<corpus::Fast, 0>(Features * N, by_feature);

} // namespace
