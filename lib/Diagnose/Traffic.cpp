//===- Traffic.cpp - What the accesses to one object move -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Traffic.h"
#include "warplint/Machine/Timing.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace warplint {

/// Requests that are looked at, at most: copies of all accesses together.
static constexpr unsigned MostCopies = 4096;
/// Iterations of a loop, warps and blocks that are looked at: enough for steps
/// of a few bytes to cross a sector.
static constexpr unsigned MostIterations = 16, MostWarps = 8, MostBlocks = 8;

namespace {

/// Sectors that were touched, and which of their bytes.
class Touched {
public:
  explicit Touched(const MachineModel &Machine)
      : Granule(Machine.granuleBytes()),
        InBlock(std::max(1u, MeasuredTiming.MemoryBlockBytes /
                                 Machine.granuleBytes())) {}

  /// What a request adds: sectors, blocks and bytes nobody touched before.
  struct Added {
    unsigned Sectors = 0, Blocks = 0, Bytes = 0;
  };
  Added add(const Access &A, int64_t Moved) {
    Added New;
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane) {
      if (!(A.Active >> Lane & 1))
        continue;
      int64_t Begin = A.Offsets[Lane] + Moved, End = Begin + A.Bytes;
      while (Begin < End) {
        int64_t Sector = divideFloorSigned(Begin, int64_t(Granule));
        int64_t Next = std::min(End, (Sector + 1) * int64_t(Granule));
        addBytes(Sector, Begin - Sector * Granule, Next - Begin, New);
        Begin = Next;
      }
    }
    return New;
  }

  /// Of the sectors, those with bytes that nobody touched.
  unsigned parts() const {
    return count_if(Sectors, [&](const auto &Entry) {
      return popcount(Entry.second) != int(Granule) && Granule <= 32;
    });
  }
  unsigned sectors() const { return Sectors.size(); }

private:
  void addBytes(int64_t Sector, unsigned First, unsigned Count, Added &New) {
    auto [At, IsNew] = Sectors.try_emplace(Sector, 0);
    New.Sectors += IsNew;
    if (IsNew)
      New.Blocks +=
          Blocks.insert(divideFloorSigned(Sector, int64_t(InBlock))).second;
    // A granule of 128 bytes has four bytes a bit.
    unsigned Each = std::max(1u, Granule / 32);
    uint32_t Bits = maskTrailingOnes<uint32_t>(
                        std::min<unsigned>(32, divideCeil(Count, Each)))
                    << (First / Each);
    New.Bytes += Each * popcount(Bits & ~At->second);
    At->second |= Bits;
  }

  unsigned Granule, InBlock;
  DenseMap<int64_t, uint32_t> Sectors;
  DenseSet<int64_t> Blocks;
};

} // namespace

/// Iterations in which the access moves by a constant, and how many requests
/// each of those looked at stands for.
static std::pair<unsigned, double> iterationsOf(const Access &A,
                                                unsigned Most) {
  double Times = A.Weight > 0 ? A.Weight : 1;
  if (Times <= 1 || !A.LoopStride)
    return {1, Times};
  if (*A.LoopStride == 0)
    return {1, 1}; // the same place every time
  unsigned Looked = std::min<double>(Most, std::ceil(Times));
  return {Looked, Times / Looked};
}

/// The smallest step but 0; 0: none is known.
static int64_t nearest(ArrayRef<int64_t> Steps) {
  const int64_t *First = find_if(Steps, [](int64_t Step) { return Step != 0; });
  return First == Steps.end() ? 0 : *First;
}

static double timesOf(const Access &A) { return A.Weight > 0 ? A.Weight : 1; }

/// A gather: its sectors are taken to be the fewest there can be.
static bool dataDecides(const Access &A) {
  return !A.Active ||
         (!A.Exact && A.Reason == UnknownReason::DataDependentAddress);
}

static void addGather(const Access &A, unsigned Granule, Traffic &T) {
  double Sectors = A.Ideal * timesOf(A), Bytes = Sectors * Granule;
  T.Requested += Sectors;
  T.OfBlock += Sectors;
  T.OfLaunch += Sectors;
  T.Blocks += Bytes / MeasuredTiming.MemoryBlockBytes;
  T.Bytes += Bytes;
  T.LaunchBytes += Bytes;
  T.WrittenWhole += Sectors;
}

/// What stores that stand together leave to L2: sectors in which they meet are
/// written once.
static void addWritten(ArrayRef<const NamedAccess *> Members,
                       const MachineModel &Machine, Traffic &T) {
  std::map<double, Touched> ByTimes;
  for (const NamedAccess *N : Members)
    if (!dataDecides(N->A))
      ByTimes.try_emplace(timesOf(N->A), Machine).first->second.add(N->A, 0);
  for (const auto &[Times, Own] : ByTimes) {
    T.WrittenPart += Times * Own.parts();
    T.WrittenWhole += Times * (Own.sectors() - Own.parts());
  }
}

Traffic trafficOf(ArrayRef<const NamedAccess *> Members,
                  const MachineModel &Machine) {
  Traffic T;
  auto Moves = [&](std::vector<int64_t> Access::*Steps) {
    return any_of(Members, [&](const NamedAccess *N) {
      return nearest(N->A.*Steps) != 0;
    });
  };
  const bool ByWarp = Moves(&Access::WarpSteps),
             ByBlock = Moves(&Access::BlockSteps);
  const unsigned Each = std::max<size_t>(1, MostCopies / Members.size());
  const unsigned Warps = ByWarp ? std::clamp(Each / 64, 1u, MostWarps) : 1,
                 Blocks = ByBlock ? std::clamp(Each / 64, 1u, MostBlocks) : 1,
                 Iterations =
                     std::clamp(Each / (Warps * Blocks), 1u, MostIterations);
  Touched Launch(Machine);
  DenseSet<int64_t> Held;
  for (unsigned Block = 0; Block != Blocks; ++Block) {
    Touched OfBlock(Machine);
    for (unsigned Warp = 0; Warp != Warps; ++Warp)
      for (const NamedAccess *N : Members) {
        const Access &A = N->A;
        if (dataDecides(A))
          continue;
        auto [Looked, Times] = iterationsOf(A, Iterations);
        for (unsigned I = 0; I != Looked; ++I) {
          int64_t Moved = Block * nearest(A.BlockSteps) +
                          Warp * nearest(A.WarpSteps) +
                          int64_t(I) * A.LoopStride.value_or(0);
          double Share = Times / (Warps * A.WarpsAlike);
          Touched::Added New = Launch.add(A, Moved);
          double OfAll = Share / (Blocks * A.BlocksAlike);
          T.OfLaunch += OfAll * New.Sectors;
          T.Blocks += OfAll * New.Blocks;
          T.LaunchBytes += OfAll * New.Bytes;
          if (Block)
            continue;
          New = OfBlock.add(A, Moved);
          T.OfBlock += Share * New.Sectors;
          T.Bytes += Share * New.Bytes;
          if (Warp || I)
            continue;
          for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
            if (A.Active >> Lane & 1)
              Held.insert(divideFloorSigned(A.Offsets[Lane],
                                            int64_t(Machine.lineBytes())));
        }
      }
  }
  T.Held = Held.size();
  if (Launch.sectors())
    T.Parts = T.OfLaunch * Launch.parts() / Launch.sectors();
  addWritten(Members, Machine, T);
  for (const NamedAccess *N : Members)
    if (dataDecides(N->A))
      addGather(N->A, Machine.granuleBytes(), T);
    else
      T.Requested += N->A.Predicted.Mean * timesOf(N->A);
  return T;
}

} // namespace warplint
