// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many cycles a multiprocessor needs for one warp request of a kind, when
// all it does is that: 32 warps of one block repeat it. What the counters of
// shared_passes.cu count, this times.
//
//   nvcc -arch=native -O3 -o throughput throughput.cu && ./throughput
//
// Prints one line of JSON for each kind and pattern: cycles a request (median
// of 9 runs), and the distinct addresses, sectors and lines of the pattern.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

constexpr int Threads = 1024, Repeats = 512, Runs = 9, Bytes = 1 << 15;

struct Pattern {
  unsigned Offset[32];
};

enum Kind {
  Constant,
  GlobalLoad,
  GlobalLoad8,
  GlobalLoad16,
  GlobalStore,
  GlobalAdd,
  SharedLoad,
  SharedLoad8,
  SharedLoad16,
  SharedStore,
  SharedStore8,
  SharedStore16,
  SharedCount,
  SharedAdd,
  SharedAddFloat
};
static const char *const Names[] = {
    "constant load 4",     "global load 4",     "global load 8",
    "global load 16",      "global store 4",    "global atomic add 4",
    "shared load 4",       "shared load 8",     "shared load 16",
    "shared store 4",      "shared store 8",    "shared store 16",
    "shared atomic add 1", "shared atomic add", "shared atomic add float"};
static const unsigned Widths[] = {4,  4, 8, 16, 4, 4, 4, 8,
                                  16, 4, 8, 16, 4, 4, 4};

__constant__ unsigned Table[Bytes / 4];

template <Kind K>
__global__ void __launch_bounds__(Threads)
    repeat(const __grid_constant__ Pattern P, unsigned char *Global,
           long long *Cycles, unsigned *Sink) {
  __shared__ __align__(1024) unsigned char Tile[Bytes];
  for (int I = threadIdx.x; I < Bytes / 4; I += Threads)
    reinterpret_cast<unsigned *>(Tile)[I] = 0;
  const unsigned Offset = P.Offset[threadIdx.x % 32];
  unsigned S = static_cast<unsigned>(__cvta_generic_to_shared(Tile)) + Offset;
  const unsigned char *G = Global + Offset;
  unsigned A = 0, B = 0, C = 0, D = 0, V = threadIdx.x;
  // Zero, which the compiler does not know: every round's address depends on
  // nothing, and yet no round is the same to it.
  unsigned Step = Sink[0];
  __syncthreads();
  const long long Begin = clock64();
#pragma unroll 8
  for (int I = 0; I < Repeats; ++I) {
    const unsigned Here = S + Step * I;
    const unsigned char *There = G + Step * I;
    if constexpr (K == Constant)
      A += Table[Offset / 4 + Step * I];
    else if constexpr (K == GlobalLoad) {
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(B) : "l"(There));
      A += B;
    } else if constexpr (K == GlobalLoad8) {
      asm volatile("ld.global.v2.u32 {%0,%1}, [%2];"
                   : "=r"(B), "=r"(C)
                   : "l"(There));
      A += B ^ C;
    } else if constexpr (K == GlobalLoad16) {
      asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(B), "=r"(C), "=r"(D), "=r"(V)
                   : "l"(There));
      A += B ^ C ^ D ^ V;
    } else if constexpr (K == GlobalStore)
      asm volatile("st.global.u32 [%0], %1;" ::"l"(There), "r"(V) : "memory");
    else if constexpr (K == GlobalAdd)
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(There), "r"(V)
                   : "memory");
    else if constexpr (K == SharedLoad) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(B) : "r"(Here));
      A += B;
    } else if constexpr (K == SharedLoad8) {
      asm volatile("ld.shared.v2.u32 {%0,%1}, [%2];"
                   : "=r"(B), "=r"(C)
                   : "r"(Here));
      A += B ^ C;
    } else if constexpr (K == SharedLoad16) {
      asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(B), "=r"(C), "=r"(D), "=r"(V)
                   : "r"(Here));
      A += B ^ C ^ D ^ V;
    } else if constexpr (K == SharedStore)
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(Here), "r"(V) : "memory");
    else if constexpr (K == SharedStore8)
      asm volatile("st.shared.v2.u32 [%0], {%1,%1};" ::"r"(Here), "r"(V)
                   : "memory");
    else if constexpr (K == SharedStore16)
      asm volatile("st.shared.v4.u32 [%0], {%1,%1,%1,%1};" ::"r"(Here), "r"(V)
                   : "memory");
    else if constexpr (K == SharedCount)
      atomicAdd(reinterpret_cast<unsigned *>(Tile + Offset + Step * I), 1u);
    else if constexpr (K == SharedAdd) {
      asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                   : "=r"(B)
                   : "r"(Here), "r"(V));
      A += B;
    } else
      atomicAdd(reinterpret_cast<float *>(Tile + Offset + Step * I), 1.f);
  }
  __syncthreads();
  const long long End = clock64();
  if (threadIdx.x == 0)
    Cycles[blockIdx.x] = End - Begin;
  if (A == 0x12345)
    Sink[1] = A ^ B ^ C ^ D ^ V;
}

static void must(cudaError_t Error) {
  if (Error != cudaSuccess) {
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(Error));
    std::exit(1);
  }
}

template <Kind K> static void measure(const char *Label, const Pattern &P) {
  static unsigned char *Global;
  static long long *Cycles;
  static unsigned *Sink;
  if (!Global) {
    must(cudaMalloc(&Global, Bytes));
    must(cudaMalloc(&Cycles, sizeof(long long)));
    must(cudaMalloc(&Sink, 8));
  }
  must(cudaMemset(Global, 0, Bytes));
  must(cudaMemset(Sink, 0, 8));
  std::vector<double> Found;
  for (int R = 0; R < Runs; ++R) {
    repeat<K><<<1, Threads>>>(P, Global, Cycles, Sink);
    long long C;
    must(cudaMemcpy(&C, Cycles, sizeof(C), cudaMemcpyDeviceToHost));
    Found.push_back(double(C) / Repeats / (Threads / 32));
  }
  std::sort(Found.begin(), Found.end());
  std::set<unsigned> Addresses, Sectors, Lines;
  for (unsigned O : P.Offset) {
    Addresses.insert(O);
    for (unsigned B = O; B < O + Widths[K]; B += 4)
      Sectors.insert(B / 32), Lines.insert(B / 128);
  }
  std::printf("{\"kind\": \"%s\", \"pattern\": \"%s\", \"cycles\": %.2f, "
              "\"addresses\": %zu, \"sectors\": %zu, \"lines\": %zu}\n",
              Names[K], Label, Found[Runs / 2], Addresses.size(),
              Sectors.size(), Lines.size());
}

/// Lane k at Stride * (k mod Distinct) bytes.
template <Kind K>
static void each(std::vector<std::pair<unsigned, unsigned>> Of) {
  for (auto [Stride, Distinct] : Of) {
    Pattern P;
    for (unsigned L = 0; L < 32; ++L)
      P.Offset[L] = Stride * (L % Distinct) % Bytes;
    char Label[64];
    std::snprintf(Label, sizeof Label, "%u bytes apart, %u distinct", Stride,
                  Distinct);
    measure<K>(Label, P);
  }
}

int main() {
  each<Constant>({{4, 1},
                  {4, 2},
                  {4, 4},
                  {4, 8},
                  {4, 16},
                  {4, 32},
                  {64, 32},
                  {256, 8},
                  {1024, 32}});
  each<GlobalLoad>({{4, 1},    {4, 32},   {8, 32},    {12, 32}, {20, 32},
                    {28, 32},  {36, 32},  {48, 32},   {68, 32}, {132, 32},
                    {260, 32}, {16, 32},  {32, 32},   {64, 32}, {128, 32},
                    {256, 32}, {512, 32}, {1024, 32}, {32, 4},  {32, 8},
                    {128, 4},  {128, 8},  {128, 16}});
  each<GlobalLoad8>({{8, 32}, {16, 32}, {32, 32}, {128, 32}});
  each<GlobalLoad16>({{16, 32}, {32, 32}, {64, 32}, {128, 32}});
  each<GlobalStore>({{4, 32},
                     {8, 32},
                     {12, 32},
                     {16, 32},
                     {20, 32},
                     {32, 32},
                     {36, 32},
                     {64, 32},
                     {132, 32},
                     {128, 32},
                     {512, 32}});
  each<GlobalAdd>({{4, 1},
                   {4, 2},
                   {4, 8},
                   {4, 32},
                   {8, 32},
                   {32, 2},
                   {32, 8},
                   {32, 32},
                   {128, 32}});
  each<SharedLoad>(
      {{4, 1}, {4, 32}, {8, 32}, {16, 32}, {64, 32}, {128, 32}, {132, 32}});
  each<SharedLoad8>(
      {{8, 1}, {8, 16}, {8, 32}, {16, 32}, {128, 32}, {136, 32}, {256, 32}});
  each<SharedLoad16>(
      {{16, 1}, {16, 8}, {16, 32}, {32, 32}, {128, 32}, {144, 32}});
  each<SharedStore>({{4, 1}, {4, 32}, {8, 32}, {128, 32}});
  each<SharedStore8>({{8, 32}, {16, 32}, {128, 32}, {256, 32}});
  each<SharedStore16>({{16, 32}, {32, 32}, {128, 32}, {144, 32}});
  each<SharedCount>({{4, 1}, {4, 2}, {4, 8}, {4, 32}, {128, 32}});
  each<SharedAdd>({{4, 1}, {4, 2}, {4, 8}, {4, 32}, {128, 32}});
  each<SharedAddFloat>({{4, 1}, {4, 2}, {4, 8}, {4, 32}, {128, 32}});
}
