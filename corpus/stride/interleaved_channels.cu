// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %expect %s
//
// Stereo samples lie L R L R ...; a lane that takes one channel uses every
// second float. 32 lanes, 8 bytes apart: 256 bytes = 8 sectors for 128 bytes.

template <int Channels> struct Interleaved {
  const float *__restrict__ samples;
  __device__ float at(int frame, int channel) const {
    // expect(left<): global load at 8*tid: 8 sectors, ideal 4; strided; warns strided-access
    return samples[Channels * frame + channel];
  }
};

template <int Channels>
__global__ void left(Interleaved<Channels> in, float *__restrict__ out,
                     int frames) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frames)
    return;
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  out[i] = 0.5f * in.at(i, 0);
}

// The fix: a lane takes the whole frame, 8 bytes wide.
__global__ void both(const float2 *__restrict__ in, float *__restrict__ mono,
                     int frames) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frames)
    return;
  // expect: global load 8-byte at 8*tid: 8 sectors, ideal 8; coalesced
  const float2 frame = in[i];
  // expect: global store at 4*tid: 4 sectors, ideal 4; coalesced
  mono[i] = 0.5f * (frame.x + frame.y);
}

void run(const float *in, float *out, int frames) {
  left<2><<<(frames + 255) / 256, 256>>>({in}, out, frames);
  both<<<(frames + 255) / 256, 256>>>(reinterpret_cast<const float2 *>(in), out,
                                      frames);
}
