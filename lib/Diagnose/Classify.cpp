//===- Classify.cpp - Name the pattern of an access -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "warplint/Diagnose/Vocabulary.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

/// Means are sums of many terms; below this two of them are equal.
static constexpr double Equal = 0.005;

/// True when moving the base would make the request ideal: it is only
/// misaligned.
static bool onlyMisaligned(const Access &A, const MachineModel &Machine) {
  unsigned Least = A.Typical.Units;
  for (unsigned Shift = 0; Shift < Machine.granuleBytes(); ++Shift) {
    LaneAddresses Moved = A.Offsets;
    for (int64_t &Offset : Moved)
      Offset += Shift;
    Least =
        std::min(Least, Machine.globalRequest(Moved, A.Active, A.Bytes).Units);
  }
  return Least <= A.Typical.Ideal;
}

/// Lanes step from record to record and each takes less than the whole of one.
static bool stepsOverRecords(const NamedAccess &N) {
  std::optional<int64_t> Stride = dominantStride(N.A);
  return Stride && N.Names.RecordBytes > N.A.Bytes &&
         std::abs(*Stride) == static_cast<int64_t>(N.Names.RecordBytes);
}

static AccessPattern classifyGlobal(const NamedAccess &N,
                                    const MachineModel &Machine) {
  const Access &A = N.A;
  if (A.Uniform)
    return AccessPattern::Broadcast;
  bool HasShape =
      A.Exact || isRange(A.Reason) || A.LaneStride || !A.SymbolicStride.empty();
  if (!HasShape)
    return AccessPattern::Unknown;
  if (A.Predicted.Mean <= A.Ideal + Equal)
    return AccessPattern::Coalesced;
  if (A.SymbolicStride.empty() && onlyMisaligned(A, Machine))
    // Where the base lies is a guess then; what the lanes do is not.
    return A.Exact ? AccessPattern::Misaligned : AccessPattern::Coalesced;
  return stepsOverRecords(N) ? AccessPattern::Aos : AccessPattern::Strided;
}

AccessPattern classify(const NamedAccess &N, const MachineModel &Machine) {
  const Access &A = N.A;
  if (!A.Exact && !A.Uniform && A.Reason == UnknownReason::DataDependentAddress)
    return AccessPattern::Indirect;
  bool Known = A.Exact || isRange(A.Reason);
  switch (A.Space) {
  case MemorySpace::Global:
  case MemorySpace::Local:
    return classifyGlobal(N, Machine);
  case MemorySpace::Shared:
    // Lanes that update one word wait for each other.
    if (A.Uniform && A.Op != MemoryOp::Atomic)
      return AccessPattern::Broadcast;
    if (!Known)
      return AccessPattern::Unknown;
    if (A.Predicted.Mean > A.Ideal + Equal)
      return AccessPattern::Conflict;
    return A.Uniform ? AccessPattern::Broadcast : AccessPattern::ConflictFree;
  case MemorySpace::Constant:
    if (A.Uniform || (A.Exact && A.Predicted.Max <= 1))
      return AccessPattern::Broadcast;
    return Known ? AccessPattern::Strided : AccessPattern::Unknown;
  case MemorySpace::Generic:
    return AccessPattern::Unknown;
  }
  return AccessPattern::Unknown;
}

} // namespace warplint
