//===- MachineModel.cpp - The memory system of a GPU as a table -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Machine/MachineModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <iterator>
#include <utility>

using namespace llvm;

namespace warplint {

namespace {

/// One generation of the table: everything from this compute capability up to
/// the next row's.
struct Generation {
  unsigned FirstCapability; ///< 90 for sm_90
  unsigned Granule, Line, Banks, BankBytes;
  unsigned AllocationAlign, StaticSharedLimit;
};

// Sources: CUDA C++ Programming Guide, "Compute Capabilities" (lines, banks,
// shared memory a block); CUDA C++ Best Practices Guide, "Coalesced Access to
// Global Memory" (128-byte lines before, 32-byte sectors from Volta on);
// cudaMalloc's 256 bytes: Best Practices Guide, "A Sequential but Misaligned
// Access Pattern".
constexpr Generation Generations[] = {
    {20, 128, 128, 32, 4, 256, 48 * 1024}, // Fermi
    {30, 128, 128, 32, 4, 256, 48 * 1024}, // Kepler, banks in 4-byte mode
    {50, 128, 128, 32, 4, 256, 48 * 1024}, // Maxwell
    {60, 128, 128, 32, 4, 256, 48 * 1024}, // Pascal
    {70, 32, 128, 32, 4, 256, 48 * 1024},  // Volta, Turing
    {80, 32, 128, 32, 4, 256, 48 * 1024},  // Ampere, Ada
    {90, 32, 128, 32, 4, 256, 48 * 1024},  // Hopper
    {100, 32, 128, 32, 4, 256, 48 * 1024}, // Blackwell, to sm_121
};

bool isActive(LaneMask Active, unsigned Lane) { return Active >> Lane & 1; }

/// Index of the unit of \p Size bytes that holds byte \p Address; offsets may
/// be negative.
int64_t unitOf(int64_t Address, unsigned Size) {
  return divideFloorSigned(Address, static_cast<int64_t>(Size));
}

/// The units of \p Size bytes that the active lanes' bytes touch, each once.
SmallVector<int64_t, 64> unitsTouched(const LaneAddresses &Addresses,
                                      LaneMask Active, unsigned Bytes,
                                      unsigned Size) {
  SmallVector<int64_t, 64> Units;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane) {
    if (!isActive(Active, Lane) || Bytes == 0)
      continue;
    int64_t Last = unitOf(Addresses[Lane] + Bytes - 1, Size);
    for (int64_t U = unitOf(Addresses[Lane], Size); U <= Last; ++U)
      if (Units.empty() || U != Units.back())
        Units.push_back(U);
  }
  // Lanes mostly go up one after the other.
  if (!llvm::is_sorted(Units))
    llvm::sort(Units);
  Units.erase(llvm::unique(Units), Units.end());
  return Units;
}

/// How many different bytes the active lanes ask for.
uint64_t distinctBytes(const LaneAddresses &Addresses, LaneMask Active,
                       unsigned Bytes) {
  SmallVector<int64_t, WarpLanes> Starts;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (isActive(Active, Lane))
      Starts.push_back(Addresses[Lane]);
  if (!llvm::is_sorted(Starts))
    llvm::sort(Starts);
  uint64_t Count = 0;
  for (auto [I, Start] : enumerate(Starts))
    Count += I + 1 == Starts.size()
                 ? Bytes
                 : std::min<uint64_t>(Bytes, Starts[I + 1] - Start);
  return Count;
}

/// True when every active lane k has no active neighbour k ^ Distance, or one
/// with the same address.
bool neighboursShare(const LaneAddresses &Addresses, LaneMask Active,
                     unsigned Distance) {
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (isActive(Active, Lane) && isActive(Active, Lane ^ Distance) &&
        Addresses[Lane] != Addresses[Lane ^ Distance])
      return false;
  return true;
}

/// The most words any one bank has to serve.
unsigned deepestBank(ArrayRef<int64_t> Words, unsigned Banks) {
  SmallVector<unsigned, WarpLanes> Depth(Banks, 0);
  for (int64_t Word : Words)
    ++Depth[llvm::mod(Word, int64_t(Banks))];
  return *llvm::max_element(Depth);
}

/// Lanes that shared memory serves in one pass when nothing is shared.
unsigned lanesAPass(unsigned Bytes) {
  return Bytes <= 4 ? 32 : Bytes <= 8 ? 16 : 8;
}

} // namespace

StringRef spaceName(MemorySpace Space) {
  switch (Space) {
  case MemorySpace::Global:
    return "global";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Constant:
    return "constant";
  case MemorySpace::Local:
    return "local";
  case MemorySpace::Generic:
    return "generic";
  }
  llvm_unreachable("every space has a name");
}

StringRef opName(MemoryOp Op) {
  switch (Op) {
  case MemoryOp::Load:
    return "load";
  case MemoryOp::Store:
    return "store";
  case MemoryOp::Atomic:
    return "atomic";
  }
  llvm_unreachable("every operation has a name");
}

Expected<MachineModel> MachineModel::forArch(StringRef Name) {
  StringRef Rest = Name;
  unsigned Capability = 0;
  if ((!Rest.consume_front("sm_") && !Rest.consume_front("compute_")) ||
      Rest.consumeInteger(10, Capability) ||
      !(Rest.empty() || Rest == "a" || Rest == "f"))
    return createStringError("'" + Name +
                             "' is not a GPU architecture; name one as in "
                             "sm_90");
  if (Capability < Generations[0].FirstCapability)
    return createStringError("architecture '" + Name +
                             "' is older than sm_20, the oldest that is known");
  const Generation *Row = std::prev(llvm::upper_bound(
      Generations, Capability,
      [](unsigned C, const Generation &G) { return C < G.FirstCapability; }));
  MachineModel M;
  M.Arch = ("sm_" + Twine(Capability) + Rest).str();
  M.ReducesIntegers = Capability >= 80;
  M.Granule = Row->Granule;
  M.Line = Row->Line;
  M.Banks = Row->Banks;
  M.BankBytes = Row->BankBytes;
  M.AllocationAlign = Row->AllocationAlign;
  M.StaticSharedLimit = Row->StaticSharedLimit;
  return M;
}

RequestCost MachineModel::globalRequest(const LaneAddresses &Addresses,
                                        LaneMask Active, unsigned Bytes) const {
  uint64_t Wanted = distinctBytes(Addresses, Active, Bytes);
  return {static_cast<unsigned>(
              unitsTouched(Addresses, Active, Bytes, Granule).size()),
          static_cast<unsigned>(divideCeil(Wanted, Granule))};
}

RequestCost MachineModel::sharedRequest(const LaneAddresses &Addresses,
                                        LaneMask Active, unsigned Bytes,
                                        SharedOp Op) const {
  bool InTurn = Op == SharedOp::Update || Op == SharedOp::CompareAndSwap;
  auto PassCost = [&](LaneMask Lanes) {
    if (!InTurn)
      return deepestBank(unitsTouched(Addresses, Lanes, Bytes, BankBytes),
                         Banks);
    // Every lane's word counts, also one that another lane has.
    SmallVector<int64_t, 64> Words;
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
      if (isActive(Lanes, Lane))
        llvm::append_range(Words, unitsTouched(Addresses, LaneMask(1) << Lane,
                                               Bytes, BankBytes));
    return deepestBank(Words, Banks);
  };
  // A load's pass delivers to twice as many lanes where pairs of them share.
  // The whole warp decides; a conflict in the merged pass does not matter.
  unsigned Width = lanesAPass(Bytes);
  if (Op == SharedOp::Load && Width < WarpLanes &&
      (neighboursShare(Addresses, Active, 1) ||
       neighboursShare(Addresses, Active, 2)))
    Width *= 2;

  RequestCost Cost;
  unsigned Passes = 0;
  for (unsigned First = 0; First < WarpLanes; First += Width)
    if (LaneMask Lanes =
            Active & (maskTrailingOnes<LaneMask>(Width) << First)) {
      Cost.Units += PassCost(Lanes);
      ++Passes;
    }
  // Lanes that are off may leave a pass less than a row of banks to move, but
  // it is made all the same: that is no conflict.
  Cost.Ideal = std::max<unsigned>(
      Passes,
      std::min<unsigned>(Cost.Units, divideCeil(llvm::popcount(Active) * Bytes,
                                                Banks * BankBytes)));
  if (Op == SharedOp::CompareAndSwap || Op == SharedOp::SpinRound) {
    // Read and compare, then write: the banks are taken twice.
    Cost.Units *= 2;
    Cost.Ideal *= 2;
  }
  return Cost;
}

SmallVector<LaneMask, WarpLanes>
MachineModel::spinRounds(const LaneAddresses &Addresses, LaneMask Active) {
  SmallVector<LaneMask, WarpLanes> Rounds;
  for (LaneMask Left = Active; Left;) {
    Rounds.push_back(Left);
    SmallVector<int64_t, WarpLanes> Served;
    for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
      if (isActive(Rounds.back(), Lane) &&
          !is_contained(Served, Addresses[Lane])) {
        Served.push_back(Addresses[Lane]);
        Left &= ~(LaneMask(1) << Lane);
      }
  }
  return Rounds;
}

RequestCost MachineModel::ldmatrixRequest(const LaneAddresses &Addresses,
                                          unsigned Matrices) const {
  constexpr unsigned RowsAMatrix = 8, RowBytes = 16;
  RequestCost Cost;
  for (unsigned M = 0; M != Matrices; ++M) {
    LaneMask Lanes = maskTrailingOnes<LaneMask>(RowsAMatrix)
                     << (RowsAMatrix * M);
    Cost.Units +=
        deepestBank(unitsTouched(Addresses, Lanes, RowBytes, BankBytes), Banks);
    ++Cost.Ideal;
  }
  return Cost;
}

RequestCost MachineModel::constantRequest(const LaneAddresses &Addresses,
                                          LaneMask Active,
                                          unsigned Bytes) const {
  SmallVector<int64_t, WarpLanes> Distinct;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (isActive(Active, Lane))
      Distinct.push_back(Addresses[Lane]);
  llvm::sort(Distinct);
  auto Units = std::distance(Distinct.begin(), llvm::unique(Distinct));
  return {static_cast<unsigned>(Units), Active ? 1u : 0u};
}

} // namespace warplint
