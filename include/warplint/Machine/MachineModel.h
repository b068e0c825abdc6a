//===- MachineModel.h - What one warp request costs, by architecture ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The memory system of a GPU as a table: sector granule, cache line, banks and
/// shared-memory passes. The only place that holds these numbers; every other
/// room asks here. Costs are found by enumerating the 32 byte addresses of a
/// request, never by a formula for a special case.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_MACHINE_MACHINEMODEL_H
#define WARPLINT_MACHINE_MACHINEMODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>

namespace warplint {

/// Lanes of a warp, on every NVIDIA architecture to date (CUDA C++ Programming
/// Guide, "SIMT Architecture").
inline constexpr unsigned WarpLanes = 32;

/// One bit a lane; bit i set: lane i takes part.
using LaneMask = uint32_t;
inline constexpr LaneMask AllLanes = ~LaneMask(0);

enum class MemorySpace { Global, Shared, Constant, Local, Generic };
enum class MemoryOp { Load, Store, Atomic };
/// "global", "shared", ...
llvm::StringRef spaceName(MemorySpace Space);
/// "load", "store", "atomic".
llvm::StringRef opName(MemoryOp Op);

/// What shared memory does for a request, as far as its cost tells it apart.
enum class SharedOp {
  Load,
  Store,
  /// `atomicAdd(p, 1)` whose result is not used: lanes on one word are counted
  /// and added at once (ATOMS.POPC.INC).
  Count,
  /// Any other atomic: lanes on one word are served in turn.
  Update,
  /// `atomicCAS`: twice what an update costs.
  CompareAndSwap,
  /// One round of an update that the hardware does not have and nvcc makes a
  /// loop of: load, combine, swap if unchanged (ATOMS.CAST.SPIN). The words, as
  /// in a store, twice: of lanes on one word one succeeds, the others come back
  /// in the next round (spinRounds).
  SpinRound,
};

/// A byte address (or byte offset from a common base) for each lane.
using LaneAddresses = std::array<int64_t, WarpLanes>;

/// What one request costs. Units are sectors (global, local) or wavefronts
/// (shared, constant).
struct RequestCost {
  unsigned Units = 0;
  /// The fewest units in which the hardware could serve a request like this
  /// one. Global: the distinct bytes packed into granules. Shared: the active
  /// lanes' bytes at a full row of banks a wavefront, but never more than
  /// Units (a broadcast is not waste) and never less than the passes that have
  /// an active lane (lanes that are off are no conflict).
  unsigned Ideal = 0;
  bool operator==(const RequestCost &) const = default;
};

/// Memory model of one architecture.
class MachineModel {
public:
  /// Table lookup for an architecture name as nvcc and clang spell it
  /// ("sm_90", "sm_90a", "compute_80"). An architecture newer than the table
  /// takes its last row. Error: the name is not of that form or names an
  /// architecture older than the table's first row.
  static llvm::Expected<MachineModel> forArch(llvm::StringRef Arch);

  /// "sm_90", "sm_90a"; a "compute_80" as "sm_80".
  const std::string &arch() const { return Arch; }
  /// Bytes of the unit in which global memory is fetched and counted: a
  /// 32-byte sector on Volta and newer, the 128-byte line on Fermi to Pascal
  /// (in the 128-byte view).
  unsigned granuleBytes() const { return Granule; }
  /// Bytes of a cache line.
  unsigned lineBytes() const { return Line; }
  /// Shared-memory banks and the bytes of a bank word.
  unsigned banks() const { return Banks; }
  unsigned bankBytes() const { return BankBytes; }
  /// Bytes to which cudaMalloc aligns what it returns, or what is to be assumed
  /// of pointers of which the program tells nothing.
  unsigned allocationAlignment() const { return AllocationAlign; }
  /// \p Bytes: a power of two.
  void assumeAllocationAlignment(unsigned Bytes) {
    AllocationAlign = Bytes;
    AsAskedFor = true;
  }
  /// Where allocationAlignment() comes from: "as cudaMalloc returns it".
  llvm::StringRef allocationAlignmentSource() const {
    return AsAskedFor ? "as the options say" : "as cudaMalloc returns it";
  }
  /// Bytes of shared memory a block can be given statically (48 KiB).
  unsigned staticSharedLimit() const { return StaticSharedLimit; }

  /// The warp adds or compares integers of all its lanes in one instruction
  /// (REDUX, PTX redux.sync: sm_80 and newer), which compilers use before an
  /// atomic at one address.
  bool reducesIntegers() const { return ReducesIntegers; }

  /// Sectors one global request touches. \p Bytes: access width of a lane, in
  /// bytes. Inactive lanes issue nothing.
  RequestCost globalRequest(const LaneAddresses &Addresses, LaneMask Active,
                            unsigned Bytes) const;

  /// Wavefronts one shared request takes: 4-byte words in 32 banks, accesses
  /// of 8 bytes in 2 passes of half-warps, of 16 bytes in 4 of quarter-warps;
  /// the same word wanted by several lanes of a pass is one. A load's passes
  /// become half as many where neighbouring lanes share their addresses;
  /// atomics may serve lanes on one word in turn. What the hardware counts; the
  /// figure that Nsight Compute puts beside a source line differs for some wide
  /// loads (docs/machine-model.md).
  RequestCost sharedRequest(const LaneAddresses &Addresses, LaneMask Active,
                            unsigned Bytes, SharedOp Op = SharedOp::Load) const;

  /// The lanes that take part in each round of an update that is a loop around
  /// compare-and-swap, first round first: in
  /// each, the lowest lane on an address is served and leaves. As measured for
  /// one warp alone; other warps on the same words only add rounds.
  static llvm::SmallVector<LaneMask, WarpLanes>
  spinRounds(const LaneAddresses &Addresses, LaneMask Active);

  /// Wavefronts of an ldmatrix (.x1, .x2, .x4: \p Matrices): one phase for
  /// each matrix, which reads the 16-byte rows whose addresses lanes 8m..8m+7
  /// give.
  RequestCost ldmatrixRequest(const LaneAddresses &Addresses,
                              unsigned Matrices) const;

  /// Passes of a constant-cache request: one for each distinct address.
  RequestCost constantRequest(const LaneAddresses &Addresses, LaneMask Active,
                              unsigned Bytes) const;

private:
  std::string Arch;
  unsigned Granule = 0, Line = 0, Banks = 0, BankBytes = 0;
  unsigned AllocationAlign = 0, StaticSharedLimit = 0;
  bool ReducesIntegers = false, AsAskedFor = false;
};

} // namespace warplint

#endif // WARPLINT_MACHINE_MACHINEMODEL_H
