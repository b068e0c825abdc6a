//===- Timing.h - What requests take, in cycles of a multiprocessor -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cycles, where MachineModel.h has counts: how long a multiprocessor is busy
/// with what its warps ask for. Measured on an H200 (utils/microbench: numbers
/// in throughput_h200.json and bandwidth_h200.json, which a unit test holds
/// against this file); other parts are taken to have the same proportions. Good
/// for comparing two ways to write one kernel, not for predicting microseconds.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_MACHINE_TIMING_H
#define WARPLINT_MACHINE_TIMING_H

#include "warplint/Machine/MachineModel.h"

namespace warplint {

/// Cycles of one multiprocessor, when all of them do the same.
struct Timing {
  /// Least for a load or store that goes through L1.
  double LeastLoad = 1.57, LeastStore = 2.08;
  /// Lines of a request whose tags are looked up in a cycle.
  unsigned TagsACycle = 4;
  /// Of L1 for a store that writes every lane's part into a line of its own,
  /// for each line.
  double LoneLineStore = 2;
  /// One round of a shared update that is a loop around compare-and-swap.
  double SpinRound = 43;
  /// One address of a request to the constant cache.
  double ConstantAddress = 2;
  /// Of L2: a sector read, one written whole, in part, and one that an atomic
  /// changes.
  double L2Sector = 1.05, L2Written = 1.3, L2PartWritten = 2, L2Atomic = 2.6;
  /// Memory is read in blocks of two sectors.
  unsigned MemoryBlockBytes = 64;
  double MemoryBlock = 3.6;
  /// A sector written whole; one written in part, whose block is read first.
  double WrittenSector = 1.8, PartSector = 2.35;
  /// L1 of a multiprocessor, in bytes, and the warps that live in it at once.
  unsigned L1Bytes = 256 * 1024, ResidentWarps = 64;
  /// Of ResidentWarps, for each to begin and end, and for each round in which
  /// it waits for memory (some 800 cycles under load, shared by the 64).
  double WarpStart = 12, Round = 10;
  /// Instructions that start in a cycle.
  unsigned IssueACycle = 4;
};

/// That of every architecture: only Hopper was measured.
inline constexpr Timing MeasuredTiming;

/// Cycles L1 is busy with a request to global memory that hits in it: its
/// words meet in banks as those of shared memory do, and its lines' tags are
/// looked up four at a time.
double l1Cycles(const MachineModel &Machine, const LaneAddresses &Addresses,
                LaneMask Active, unsigned Bytes, MemoryOp Op);

} // namespace warplint

#endif // WARPLINT_MACHINE_TIMING_H
