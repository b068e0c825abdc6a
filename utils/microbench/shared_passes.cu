//===- shared_passes.cu - One memory instruction for one pattern ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads records {operation, 32 byte offsets, lane mask} from a file and
/// launches, for each, one warp that executes that operation once at those
/// offsets. The profiler sees one launch a record, in order; `run` makes the
/// records and reads the counters. Offsets travel as a kernel parameter, so
/// that no other instruction of a launch touches global or shared memory as
/// the one under test does.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <utility>
#include <vector>

struct Pattern {
  unsigned Offset[32];
  unsigned Mask;
};
struct Record {
  unsigned Op;
  Pattern P;
};

// Names and order are those of OPS in `run`.
enum Op {
  SharedLoad1, SharedLoad2, SharedLoad4, SharedLoad8, SharedLoad16,
  SharedStore1, SharedStore2, SharedStore4, SharedStore8, SharedStore16,
  SharedAdd, SharedCount, SharedCountReturning, SharedMax, SharedCas,
  SharedExch, SharedAdd8,
  Ldmatrix1, Ldmatrix2, Ldmatrix4,
  GlobalLoad1, GlobalLoad2, GlobalLoad4, GlobalLoad8, GlobalLoad16,
  GlobalStore1, GlobalStore2, GlobalStore4, GlobalStore8, GlobalStore16,
  GlobalReduce, GlobalAdd, GlobalCas,
  OpCount
};

constexpr unsigned TileBytes = 32768, GlobalBytes = 1 << 20;

template <unsigned WhichOp>
__global__ void probe(const __grid_constant__ Pattern P, unsigned char *Global,
                      unsigned *Sink) {
  __shared__ __align__(1024) unsigned char Tile[TileBytes];
  unsigned Lane = threadIdx.x, Offset = P.Offset[Lane];
  // Values that differ between lanes, so that nothing is taken for uniform.
  unsigned A = Lane + 2, B = Lane + 3, C = Lane + 4, D = Lane + 5;
  unsigned Address = static_cast<unsigned>(__cvta_generic_to_shared(Tile)) +
                     Offset;
  unsigned char *Pointer = Global + Offset;
  unsigned *Word = reinterpret_cast<unsigned *>(Tile + Offset);
  bool On = P.Mask >> Lane & 1;
  // Somebody else may look at the tile: what is stored there is not dead.
  asm volatile("" ::"r"(Address) : "memory");
  // ldmatrix takes all lanes, whatever their addresses are used for.
  if constexpr (WhichOp == Ldmatrix1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(A) : "r"(Address) : "memory");
  if constexpr (WhichOp == Ldmatrix2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                 : "=r"(A), "=r"(B) : "r"(Address) : "memory");
  if constexpr (WhichOp == Ldmatrix4)
    asm volatile(
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(A), "=r"(B), "=r"(C), "=r"(D) : "r"(Address) : "memory");
  if (On) {
#define LOAD(OP1, OP2, OP4, OP8, OP16, SPACE, WHERE, CONSTRAINT)               \
  if constexpr (WhichOp == OP1)                                                \
    asm volatile("ld." SPACE ".u8 %0, [%1];"                                   \
                 : "=r"(A) : CONSTRAINT(WHERE) : "memory");                    \
  if constexpr (WhichOp == OP2)                                                \
    asm volatile("{.reg .u16 t; ld." SPACE ".u16 t, [%1]; cvt.u32.u16 %0, t;}" \
                 : "=r"(A) : CONSTRAINT(WHERE) : "memory");                    \
  if constexpr (WhichOp == OP4)                                                \
    asm volatile("ld." SPACE ".u32 %0, [%1];"                                  \
                 : "=r"(A) : CONSTRAINT(WHERE) : "memory");                    \
  if constexpr (WhichOp == OP8)                                                \
    asm volatile("ld." SPACE ".v2.u32 {%0,%1}, [%2];"                          \
                 : "=r"(A), "=r"(B) : CONSTRAINT(WHERE) : "memory");           \
  if constexpr (WhichOp == OP16)                                               \
    asm volatile("ld." SPACE ".v4.u32 {%0,%1,%2,%3}, [%4];"                    \
                 : "=r"(A), "=r"(B), "=r"(C), "=r"(D)                          \
                 : CONSTRAINT(WHERE) : "memory");
#define STORE(OP1, OP2, OP4, OP8, OP16, SPACE, WHERE, CONSTRAINT)              \
  if constexpr (WhichOp == OP1)                                                \
    asm volatile("st." SPACE ".u8 [%0], %1;"                                   \
                 ::CONSTRAINT(WHERE), "r"(A) : "memory");                      \
  if constexpr (WhichOp == OP2)                                                \
    asm volatile("{.reg .u16 t; cvt.u16.u32 t, %1; st." SPACE ".u16 [%0], t;}" \
                 ::CONSTRAINT(WHERE), "r"(A) : "memory");                      \
  if constexpr (WhichOp == OP4)                                                \
    asm volatile("st." SPACE ".u32 [%0], %1;"                                  \
                 ::CONSTRAINT(WHERE), "r"(A) : "memory");                      \
  if constexpr (WhichOp == OP8)                                                \
    asm volatile("st." SPACE ".v2.u32 [%0], {%1,%2};"                          \
                 ::CONSTRAINT(WHERE), "r"(A), "r"(B) : "memory");              \
  if constexpr (WhichOp == OP16)                                               \
    asm volatile("st." SPACE ".v4.u32 [%0], {%1,%2,%3,%4};"                    \
                 ::CONSTRAINT(WHERE), "r"(A), "r"(B), "r"(C), "r"(D)           \
                 : "memory");
    LOAD(SharedLoad1, SharedLoad2, SharedLoad4, SharedLoad8, SharedLoad16,
         "shared", Address, "r")
    STORE(SharedStore1, SharedStore2, SharedStore4, SharedStore8, SharedStore16,
          "shared", Address, "r")
    LOAD(GlobalLoad1, GlobalLoad2, GlobalLoad4, GlobalLoad8, GlobalLoad16,
         "global", Pointer, "l")
    STORE(GlobalStore1, GlobalStore2, GlobalStore4, GlobalStore8, GlobalStore16,
          "global", Pointer, "l")
    if constexpr (WhichOp == SharedAdd)
      atomicAdd(Word, A);
    if constexpr (WhichOp == SharedCount)
      atomicAdd(Word, 1u);
    if constexpr (WhichOp == SharedCountReturning)
      A = atomicAdd(Word, 1u);
    if constexpr (WhichOp == SharedMax)
      atomicMax(Word, A);
    if constexpr (WhichOp == SharedCas)
      A = atomicCAS(Word, B, A);
    if constexpr (WhichOp == SharedExch)
      A = atomicExch(Word, A);
    if constexpr (WhichOp == SharedAdd8)
      atomicAdd(reinterpret_cast<unsigned long long *>(Word),
                static_cast<unsigned long long>(A));
    if constexpr (WhichOp == GlobalReduce)
      atomicAdd(reinterpret_cast<unsigned *>(Pointer), A);
    if constexpr (WhichOp == GlobalAdd)
      A = atomicAdd(reinterpret_cast<unsigned *>(Pointer), A);
    if constexpr (WhichOp == GlobalCas)
      A = atomicCAS(reinterpret_cast<unsigned *>(Pointer), B, A);
  }
  // Keeps what was loaded alive; never true for what memory holds here.
  if ((A ^ B ^ C ^ D) == 0xdeadbeef)
    *Sink = A;
}

using Probe = void (*)(const Pattern, unsigned char *, unsigned *);
template <unsigned... Ops>
Probe pick(unsigned Op, std::integer_sequence<unsigned, Ops...>) {
  Probe Table[] = {probe<Ops>...};
  return Table[Op];
}

static bool failed(cudaError_t E) {
  if (E != cudaSuccess)
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(E));
  return E != cudaSuccess;
}

int main(int argc, char **argv) {
  std::FILE *In = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
  if (!In) {
    std::fprintf(stderr, "usage: %s RECORDS, as `run` writes them\n", argv[0]);
    return 2;
  }
  std::vector<Record> Records;
  for (Record R; std::fread(&R, sizeof R, 1, In) == 1;)
    Records.push_back(R);
  std::fclose(In);
  unsigned char *Global;
  unsigned *Sink;
  if (failed(cudaMalloc(&Global, GlobalBytes)) ||
      failed(cudaMalloc(&Sink, 4)) ||
      failed(cudaMemset(Global, 0, GlobalBytes)))
    return 1;
  for (const Record &R : Records) {
    if (R.Op >= OpCount)
      return 2;
    Probe Kernel =
        pick(R.Op, std::make_integer_sequence<unsigned, OpCount>());
    Kernel<<<1, 32>>>(R.P, Global, Sink);
  }
  if (failed(cudaDeviceSynchronize()))
    return 1;
  std::printf("%zu launches\n", Records.size());
  return 0;
}
