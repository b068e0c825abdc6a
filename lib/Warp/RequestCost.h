//===- RequestCost.h - The cost of one symbolic request ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// From 32 symbolic addresses and a lane mask to sectors or wavefronts: which
/// of the symbols matter, what they can be, and what is left to say when they
/// are not known.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_REQUESTCOST_H
#define WARPLINT_LIB_WARP_REQUESTCOST_H

#include "LaneCases.h"
#include "MemoryObjects.h"
#include "warplint/Warp/Access.h"

namespace warplint {

/// One execution of a memory instruction.
struct SymbolicRequest {
  MemorySpace Space = MemorySpace::Global;
  MemoryOp Op = MemoryOp::Load;
  SharedOp Shared = SharedOp::Load; ///< what shared memory does for it
  unsigned Bytes = 0;               ///< of one lane
  unsigned Align = 1;    ///< of every lane's address, as the compiler promises
  unsigned Matrices = 0; ///< ldmatrix
  LaneInt Offset;        ///< from Object, or the address
  const MemoryObject *Object = nullptr;
  bool Several = false; ///< several base objects
  LaneMask Active = 0;
  /// What decides which of the active lanes really take part, where that is
  /// not known; else empty.
  std::string DecidedByData;
  /// ... and that is when a lane leaves the loop: fewer and fewer are left.
  bool LanesLeave = false;
  /// The lanes of Active that are left in each place of the launch, where
  /// conditions on positions decide; null where that is all of them.
  const LaneCases *Cases = nullptr;
};

struct BankPatterns;

/// What it costs.
struct RequestEstimate {
  double Min = 0, Mean = 0, Max = 0, Ideal = 0;
  double Fewest = 0; ///< see Access
  bool Exact = false;
  UnknownReason Reason = UnknownReason::None;
  std::string Detail;
  /// What an exact number takes for granted of sizes that are not known.
  std::vector<std::string> Assumptions;
  LaneAddresses Offsets{};
  RequestCost Typical;
  bool Uniform = false;
  std::optional<int64_t> LaneStride;
  std::string SymbolicStride;
  std::optional<unsigned> Misalignment;
  std::string MisalignedBy;
  std::optional<int64_t> LoopStride;
  std::vector<int64_t> WarpSteps, BlockSteps; ///< see Access
  Interval Reach = {0, 0};
  LaneMask Active = 0;    ///< of the typical request
  double ActiveLanes = 0; ///< mean
  unsigned Work = 0;      ///< valuations tried, for the step budget
};

/// Every active lane is at least \p Bytes further (or nearer) than the one
/// before, whatever the symbols are.
bool stepsApart(LaneDomain &D, const LaneInt &Offset, LaneMask Active,
                int64_t Bytes);

/// Combinations of counters' values that are enumerated completely.
inline constexpr unsigned FullEnumeration = 1024;

class RequestCoster {
public:
  RequestCoster(LaneDomain &D, const MachineModel &M) : D(D), Machine(M) {}
  RequestEstimate estimate(const SymbolicRequest &R) const;

private:
  LaneDomain &D;
  const MachineModel &Machine;

  RequestCost costOf(const SymbolicRequest &R, const LaneAddresses &At) const;
  /// Bytes: moving all lanes by a multiple of them costs the same.
  int64_t residues(MemorySpace Space) const;
  LaneInt partByPlace(const SymbolicRequest &R) const;
  llvm::SmallVector<std::pair<const LaneDomain::Valuation *, unsigned>, 4>
  distinctPlaces(const SymbolicRequest &R, const LaneInt &Part,
                 const LaneCase &C) const;
  double fewestOfOne(const SymbolicRequest &R) const;
  bool lanesApart(const LaneInt &Offset, const SymbolicRequest &R) const;
  RequestEstimate estimateOne(const SymbolicRequest &R) const;
  RequestEstimate byCases(const SymbolicRequest &R) const;
  void thinOut(const SymbolicRequest &R, RequestEstimate &E) const;
  void costOfPlaces(const SymbolicRequest &R, RequestEstimate &E) const;
  void assumeRows(const SymbolicRequest &R, RequestEstimate &E) const;
  void byResidue(const SymbolicRequest &R, RequestEstimate &E) const;
  void byValuation(const SymbolicRequest &R, RequestEstimate &E) const;
  struct BankBounds {
    double Min = 0, Mean = 0, Max = 0, Ideal = 0;
    unsigned Count = 0;
    bool Same = true; ///< whatever the unknown numbers are
    RequestCost Typical;
    LaneAddresses Offsets{};
  };
  BankBounds boundsOf(const SymbolicRequest &R, const BankPatterns &P) const;
  void byBanks(const SymbolicRequest &R, RequestEstimate &E) const;
  void describe(const SymbolicRequest &R, RequestEstimate &E) const;
  UnknownReason reasonFor(const LaneInt &A, LaneMask Active,
                          std::string &Detail) const;
};

} // namespace warplint

#endif // WARPLINT_LIB_WARP_REQUESTCOST_H
