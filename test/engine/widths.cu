// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Elements of 1 to 16 bytes, each read and written by its own lane.

template <class T>
__global__ void copy(const T *__restrict__ in, T *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect(copy<bool>): global load 1-byte at tid: 1 sector, ideal 1; coalesced
  // expect(copy<signed): global load 1-byte at tid: 1 sector, ideal 1; coalesced
  // expect(copy<short>): global load 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  // expect(copy<unsigned): global load 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(copy<long): global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect(copy<double>): global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const T v = in[i];
  // expect(copy<bool>): global store 1-byte at tid: 1 sector, ideal 1; coalesced
  // expect(copy<signed): global store 1-byte at tid: 1 sector, ideal 1; coalesced
  // expect(copy<short>): global store 2-byte at 2*tid: 2 sectors, ideal 2; coalesced
  // expect(copy<unsigned): global store 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(copy<long): global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect(copy<double>): global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = v;
}

template <class V>
__global__ void copy_vector(const V *__restrict__ in, V *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // One access as wide as the alignment of the type lets it be.
  const V v = in[i];
  // expect(<uchar4>): global store 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<short2>): global store 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<float2>): global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect(<uint4>): global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect(<double2>): global store 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect(<uchar4>): global load 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<short2>): global load 4-byte at 4*tid: 4 sectors, ideal 4; coalesced
  // expect(<float2>): global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  // expect(<uint4>): global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  // expect(<double2>): global load 16-byte at 16*tid: 16 sectors, ideal 16; coalesced
  out[i] = v;
}

// Three bytes a pixel: no wider access exists than the byte.
struct Pixel {
  unsigned char r, g, b;
};

__global__ void luminance(const Pixel *__restrict__ in,
                          unsigned char *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 1-byte 'in[i].r' at 3*tid: 3 sectors, ideal 1; aos; warns aos-field-access (absorbed)
  // expect: global load 1-byte 'in[i].g' at 3*tid + 1: 3 sectors, ideal 1; aos
  // expect: global load 1-byte 'in[i].b' at 3*tid + 2: 3 sectors, ideal 1; aos
  const int y = (77 * in[i].r + 151 * in[i].g + 28 * in[i].b) >> 8;
  // expect: global store 1-byte at tid: 1 sector, ideal 1; coalesced
  out[i] = y;
}

// double3 has the alignment of a double: three loads, 24 bytes apart.
__global__ void norm1(const double3 *__restrict__ in,
                      double *__restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // expect: global load 8-byte at 24*tid + 8*f for f in range(3): 24 sectors, ideal 8; aos; warns aos-field-access (absorbed)
  const double3 v = in[i];
  // expect: global store 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  out[i] = v.x + v.y + v.z;
}

template <class T> void launch(const T *in, T *out) {
  copy<<<8, 256>>>(in, out);
}
template <class V> void launch_vector(const V *in, V *out) {
  copy_vector<<<8, 256>>>(in, out);
}
void run(const void *in, void *out) {
  launch((const bool *)in, (bool *)out);
  launch((const signed char *)in, (signed char *)out);
  launch((const short *)in, (short *)out);
  launch((const unsigned *)in, (unsigned *)out);
  launch((const long long *)in, (long long *)out);
  launch((const double *)in, (double *)out);
  launch_vector((const uchar4 *)in, (uchar4 *)out);
  launch_vector((const short2 *)in, (short2 *)out);
  launch_vector((const float2 *)in, (float2 *)out);
  launch_vector((const uint4 *)in, (uint4 *)out);
  launch_vector((const double2 *)in, (double2 *)out);
  luminance<<<8, 256>>>((const Pixel *)in, (unsigned char *)out);
  norm1<<<8, 256>>>((const double3 *)in, (double *)out);
}
