//===- SymbolicWarp.h - Run one warp through a kernel ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The engine's door: a prepared kernel and a launch configuration in, the
/// record of every memory instruction out.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_WARP_SYMBOLICWARP_H
#define WARPLINT_WARP_SYMBOLICWARP_H

#include "warplint/Launch/LaunchConfig.h"
#include "warplint/Machine/MachineModel.h"
#include "warplint/Warp/Access.h"
#include <functional>
#include <vector>

namespace llvm {
class Function;
class raw_ostream;
} // namespace llvm

namespace warplint {

inline constexpr uint64_t DefaultWorkBudget = 24000000;

struct WarpOptions {
  /// Instructions the warps of one kernel configuration may execute before
  /// loops are summarised that would else be run through.
  uint64_t StepBudget = 400000;
  /// Work after which the run of a kernel configuration is cut short, in
  /// operations on one term of 32 lanes (LaneDomain::work): a fraction of a
  /// second on a machine of 2025, and the same work on every machine.
  uint64_t WorkBudget = DefaultWorkBudget;
  /// Fill in Access::Lowest and Highest, and WarpResult::Unreached.
  bool KeepReach = false;
  /// True for files that are the user's own: accesses in others (toolkit
  /// headers) are placed at the call in the user's file.
  std::function<bool(llvm::StringRef File)> IsUserFile = [](llvm::StringRef) {
    return true;
  };
  /// Where the trace of requests goes (--print-requests), or null.
  llvm::raw_ostream *Trace = nullptr;
};

/// An access to shared memory that no lane comes to in some launch: nothing is
/// known of where it would go.
struct UnreachedAccess {
  SourcePlace Place;
  std::string ObjectMangled; ///< IR name of the array, or "": may be any

  bool operator==(const UnreachedAccess &) const = default;
};

/// What running one kernel in one configuration gave.
struct WarpResult {
  std::vector<Access> Accesses; ///< program order; every memory instruction
  std::vector<UnreachedAccess> Unreached; ///< for WarpOptions::KeepReach
  /// Instructions of IR that a warp executes, on the average of those run.
  double Instructions = 0;
  /// "" or why the run was cut short.
  std::string Incomplete;
  uint64_t Work = 0; ///< done, in the unit of WorkBudget
};

/// Runs the warps of one block of \p Kernel (prepared by prepareKernels) under
/// \p Config on \p Machine.
WarpResult runKernel(llvm::Function &Kernel, const LaunchConfig &Config,
                     const MachineModel &Machine, const WarpOptions &Options);

} // namespace warplint

#endif // WARPLINT_WARP_SYMBOLICWARP_H
