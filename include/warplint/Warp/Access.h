//===- Access.h - What the symbolic warp found at one instruction ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The record the symbolic warp leaves for each memory instruction of a kernel
/// in one launch configuration: plain data, no LLVM IR. Diagnose reads it,
/// Report prints it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_WARP_ACCESS_H
#define WARPLINT_WARP_ACCESS_H

#include "warplint/Driver/SourcePlace.h"
#include "warplint/Machine/MachineModel.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// Why a number is not exact: the closed list (docs/unknowns.md).
enum class UnknownReason {
  None,
  DataDependentAddress, ///< the index was loaded from memory
  DataDependentMask,    ///< loaded data decides which lanes take part
  SymbolicStride,       ///< neighbouring lanes are a run-time amount apart
  UnknownAlignment,     ///< where the first lane falls in a sector is not known
  UnknownShape,         ///< the block shape decides and is not known
  UnknownPointer,       ///< several or unknown base objects
  InlineAssembly,       ///< the address comes out of inline PTX
  OpaqueCall,           ///< ... of a function without a body, or recursive
  FloatIndex,           ///< ... of floating-point arithmetic
  LoopCarried,          ///< ... of a recurrence that was not solved
  Arithmetic,           ///< ... of integer operations the domain cannot keep
  BudgetExceeded,       ///< the kernel's budget ran out before
};

/// Cost a request over the requests made: sectors or wavefronts.
struct PredictedCost {
  double Min = 0, Mean = 0, Max = 0;
};

/// One memory instruction of a kernel in one configuration.
struct Access {
  // Where.
  SourcePlace Place; ///< innermost frame that lies in the user's own files
  std::vector<SourcePlace> InlinedAt; ///< the calls it was inlined through,
                                      ///< innermost first, of user files only
  /// The frame in which the instruction itself stands, when that is a header
  /// of the toolkit (`__ldg`); else equal to Place.
  SourcePlace Instruction;
  /// Where nvcc's line table, and with it a profiler, puts the access, if that
  /// is elsewhere: at the call that it begins the inlined code of, at what
  /// stands before the loop that it was hoisted from. Line 0: none.
  SourcePlace Table;

  // What.
  MemorySpace Space = MemorySpace::Global;
  MemoryOp Op = MemoryOp::Load;
  SharedOp Shared = SharedOp::Load; ///< what shared memory makes of it
  unsigned Bytes = 0;        ///< of one lane
  std::string Object;        ///< base object: parameter, array; may be empty
  std::string ObjectMangled; ///< IR name of a global or shared variable, or ""
  std::optional<unsigned> ObjectParameter; ///< index of the kernel parameter
  uint64_t ObjectBytes = 0; ///< of a global or shared variable; 0: not known
  std::string Address;      ///< symbolic byte address of a typical request

  // The number.
  PredictedCost Predicted;
  double Ideal = 0; ///< mean over the requests
  /// The fewest units for the bytes alone, as a profiler's ideal is, mean over
  /// the requests. Less than Ideal for 8 and 16 bytes in shared memory with
  /// lanes off: half-warps are served one by one, however few lanes they have.
  double Fewest = 0;
  bool Exact = false;
  UnknownReason Reason = UnknownReason::None;
  std::string ReasonDetail; ///< "stride = n elements, n not known here"
  std::vector<std::string> Assumptions;
  double ActiveLanes = 0; ///< mean
  double Weight = 1;      ///< requests a warp makes here; 1 where unknown
  /// Requests that one execution makes: more than 1 for a shared update that is
  /// a loop around compare-and-swap, in which one lane on a word succeeds a
  /// round (MachineModel::spinRounds). Weight counts every round.
  double Rounds = 1;
  /// ... at most: data decides which lanes take part.
  bool FewerRounds = false;

  // The shape of the typical (most costly exact, else best-guess) request;
  // what Diagnose names patterns by.
  LaneAddresses Offsets{}; ///< bytes, relative to the base object; for unknown
                           ///< symbols a typical value was put in
  LaneMask Active = 0;
  RequestCost Typical; ///< cost of that request
  /// All active lanes read one address.
  bool Uniform = false;
  /// Bytes between neighbouring active lanes when constant over the warp (or
  /// over each run of lanes that share threadIdx.y).
  std::optional<int64_t> LaneStride;
  /// The stride as a polynomial ("4*n") when it is not a constant.
  std::string SymbolicStride;
  /// Bytes by which the request misses the granule when that is one constant
  /// for all requests (4 for `p + 1`); nullopt: not known or varying.
  std::optional<unsigned> Misalignment;
  /// The misalignment varies over requests because of this term (a row pitch,
  /// "4*pitch*row"), or "".
  std::string MisalignedBy;
  /// Innermost loop around it steps this lane by so many bytes an iteration
  /// (constant), when known: a lane walking its own row has a small one.
  std::optional<int64_t> LoopStride;
  /// Lowest and highest offset in the base object at which a lane's access
  /// begins, over all requests; saturated where not known. Of shared memory,
  /// where WarpOptions::KeepReach asks for it; else 0.
  int64_t Lowest = 0, Highest = 0;
  /// Bytes between this request and that of the next warp of the block, of the
  /// next block, for each index that moves it by a constant: what neighbours
  /// use of its sectors. Ascending, without signs.
  std::vector<int64_t> WarpSteps, BlockSteps;
  /// Warps of a block, and blocks of the launch, that make the very same
  /// request: the extents of indices that the address does not depend on.
  double WarpsAlike = 1, BlocksAlike = 1;
  /// ldmatrix: number of 8x8 matrices; else 0.
  unsigned Matrices = 0;
};

} // namespace warplint

#endif // WARPLINT_WARP_ACCESS_H
