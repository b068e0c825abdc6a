// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// The keys of key/value records of 8 bytes, by a functor that a caller hands
// over.

#include "../harness.cuh"

namespace {

constexpr int N = 1 << 24;

struct Entry {
  unsigned key, value;
};
struct KeyOf {
  __device__ unsigned operator()(const Entry *e, int i) const {
    // expect: global load 'e[i].key' at 8*tid: 8 sectors, ideal 4; aos; warns aos-field-access
    return e[i].key;
  }
};
struct Plain {
  __device__ unsigned operator()(const unsigned *keys, int i) const {
    // expect: global load 'keys[i]' at 4*tid: 4 sectors, ideal 4; coalesced
    return keys[i];
  }
};

template <class T, class F>
__global__ void digits(unsigned char *__restrict__ out,
                       const T *__restrict__ in, F key) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned k = key(in, i);
  // expect: global store 1-byte at tid: 1 sector, ideal 1; coalesced
  out[i] = k >> 24;
}

void slow(unsigned char *out, const unsigned *in) {
  digits<<<N / 256, 256>>>(out, reinterpret_cast<const Entry *>(in), KeyOf());
}
void fast(unsigned char *out, const unsigned *in) {
  digits<<<N / 256, 256>>>(out, in, Plain());
}
void reference(unsigned char *out, const unsigned *in) {
  for (int i = 0; i < N; ++i)
    out[i] = in[2 * i] >> 24;
}
void keys(unsigned *to, const unsigned *from) {
  for (int i = 0; i < N; ++i)
    to[i] = from[2 * i];
}

corpus::Enlisted pair = corpus::pair("aos/lambda_key", slow, fast, reference)
                            .output(N)
                            .input<0>(2 * N)
                            .layout<corpus::Fast, 0>(N, keys);

} // namespace
