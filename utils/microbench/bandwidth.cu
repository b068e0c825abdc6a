// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a sector costs that L1 does not have: the cycles of one multiprocessor
// for each sector that its share of the whole GPU's requests moves, out of L2
// and out of memory; and how long a warp waits for one. throughput.cu times
// what L1 and shared memory do.
//
//   nvcc -arch=native -O3 -o bandwidth bandwidth.cu && ./bandwidth
//
// One line of JSON for each: median of 7 launches after 2.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Threads = 1024, BlocksEach = 2, Runs = 7, WarmUps = 2;

static void must(cudaError_t Error) {
  if (Error != cudaSuccess) {
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Error));
    std::exit(1);
  }
}

enum Kind { Load, Store, Add, Update };
static const char *const Names[] = {"load", "store", "atomic add",
                                    "load and store"};

/// Every warp takes the warps-wide stretches of 32 * Stride bytes in turn; Mix
/// scatters them.
template <Kind K>
__global__ void __launch_bounds__(Threads)
    move(char *Bytes, long long Stretches, int Stride, bool Mix, int Passes,
         long long *Cycles, unsigned *Sink) {
  const int Lane = threadIdx.x % 32;
  const long long Warp = (blockIdx.x * (long long)Threads + threadIdx.x) / 32;
  const long long Warps = gridDim.x * (long long)Threads / 32;
  unsigned Sum = 0;
  const long long Begin = clock64();
  for (int P = 0; P < Passes; ++P)
#pragma unroll 4
    for (long long S = Warp; S < Stretches; S += Warps) {
      const long long At = Mix ? S * 40503 % Stretches : S;
      unsigned *Word = reinterpret_cast<unsigned *>(
          Bytes + (At * 32 + Lane) * (long long)Stride);
      unsigned V = 1;
      if constexpr (K == Load || K == Update)
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(V) : "l"(Word));
      if constexpr (K == Store || K == Update)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(Word), "r"(V + P)
                     : "memory");
      if constexpr (K == Add)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(Word), "r"(V)
                     : "memory");
      Sum += V;
    }
  __syncthreads();
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = clock64() - Begin;
  if (Sum == 0x12345)
    *Sink = Sum;
}

/// One thread follows a chain of addresses.
__global__ void follow(const unsigned *Next, int Steps, long long *Cycles,
                       unsigned *Sink) {
  unsigned At = 0;
  const long long Begin = clock64();
  for (int I = 0; I < Steps; ++I)
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(At) : "l"(Next + At));
  *Cycles = clock64() - Begin;
  if (At == ~0u)
    *Sink = At;
}

static char *Bytes;
static long long *Cycles;
static unsigned *Sink;
static int Multiprocessors;

template <Kind K>
static void measure(const char *From, long long Footprint, int Stride,
                    bool Mix) {
  const int Blocks = BlocksEach * Multiprocessors;
  const long long Stretches = Footprint / (32 * Stride);
  const int Passes = std::max<long long>(1, (1ll << 28) / Footprint);
  std::vector<double> Found;
  for (int R = 0; R < WarmUps + Runs; ++R) {
    move<K><<<Blocks, Threads>>>(Bytes, Stretches, Stride, Mix, Passes, Cycles,
                                 Sink);
    must(cudaDeviceSynchronize());
    std::vector<long long> C(Blocks);
    must(cudaMemcpy(C.data(), Cycles, Blocks * sizeof(long long),
                    cudaMemcpyDeviceToHost));
    if (R >= WarmUps)
      Found.push_back(*std::max_element(C.begin(), C.end()));
  }
  std::sort(Found.begin(), Found.end());
  const double Sectors = Stretches * (Stride >= 32 ? 32. : Stride) *
                         double(Passes) / Multiprocessors;
  std::printf("{\"kind\": \"%s\", \"from\": \"%s\", \"stride\": %d, "
              "\"scattered\": %s, \"cycles_a_sector\": %.3f}\n",
              Names[K], From, Stride, Mix ? "true" : "false",
              Found[Runs / 2] / Sectors);
}

static void latency(const char *From, long long Footprint) {
  const unsigned Count = Footprint / 4, Step = 4099 * 32;
  std::vector<unsigned> Next(Count);
  for (unsigned At = 0, I = 0; I < Count / 32; ++I, At = Next[At])
    Next[At] = (At + Step) % Count;
  must(cudaMemcpy(Bytes, Next.data(), Footprint, cudaMemcpyHostToDevice));
  const int Steps = 4096;
  long long C = 0;
  for (int R = 0; R < 3; ++R) {
    follow<<<1, 1>>>(reinterpret_cast<unsigned *>(Bytes), Steps, Cycles, Sink);
    must(cudaMemcpy(&C, Cycles, sizeof C, cudaMemcpyDeviceToHost));
  }
  std::printf("{\"kind\": \"latency\", \"from\": \"%s\", \"cycles\": %.0f}\n",
              From, double(C) / Steps);
}

int main() {
  must(cudaDeviceGetAttribute(&Multiprocessors, cudaDevAttrMultiProcessorCount,
                              0));
  const long long Memory = 4ll << 30, L2 = 12 << 20;
  must(cudaMalloc(&Bytes, Memory));
  must(cudaMemset(Bytes, 0, Memory));
  must(cudaMalloc(&Cycles, BlocksEach * Multiprocessors * sizeof(long long)));
  must(cudaMalloc(&Sink, 4));
  for (int Stride : {4, 8, 16, 32, 64, 128})
    for (bool Mix : {false, true}) {
      measure<Load>("memory", Memory, Stride, Mix);
      measure<Store>("memory", Memory, Stride, Mix);
      measure<Update>("memory", Memory, Stride, Mix);
      measure<Add>("memory", Memory, Stride, Mix);
    }
  for (int Stride : {4, 8, 16, 32, 64, 128}) {
    measure<Load>("L2", L2, Stride, false);
    measure<Store>("L2", L2, Stride, false);
    measure<Add>("L2", L2, Stride, false);
  }
  latency("L2", L2);
  latency("memory", Memory / 4);
}
