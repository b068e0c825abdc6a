//===- Diagnose.h - From costs to findings --------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Diagnose's door: which checks there are, and the findings of a unit.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DIAGNOSE_DIAGNOSE_H
#define WARPLINT_DIAGNOSE_DIAGNOSE_H

#include "warplint/Diagnose/Finding.h"
#include "warplint/Machine/MachineModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace warplint {

/// From where on a check speaks.
struct Thresholds {
  /// Global accesses at or above this efficiency (ideal / sectors) are not
  /// reported.
  double MinEfficiency = 0.75;
  /// Requests to shared or constant memory that take fewer times the ideal
  /// are not reported.
  unsigned MinWays = 2;
  /// Findings that are remarks are shown.
  bool ShowRemarks = true;
  /// ... and those that are estimated to gain nothing, see Finding::Shown.
  bool ShowAbsorbed = false;
};

/// Which checks run and from where on they speak.
struct DiagnoseOptions {
  /// Glob list as clang-tidy takes it: "-*,warplint-*,-warplint-aos-*",
  /// applied in order to the default set (all but the checks that are off
  /// unless asked for). "": the default set.
  std::string Checks;
  /// Of the checks that have none of their own.
  Thresholds ForAll;
  llvm::StringMap<Thresholds> Own; ///< by check

  const Thresholds &of(llvm::StringRef Check) const {
    auto At = Own.find(Check);
    return At == Own.end() ? ForAll : At->second;
  }
};

/// Which threshold decides whether a check speaks.
enum class CheckLimit { MinEfficiency, MinWays, ShowRemarks };

/// A check as registered.
struct CheckInfo {
  llvm::StringRef Name;    ///< "warplint-strided-access"
  llvm::StringRef Summary; ///< one sentence
  bool OnByDefault;
  CheckLimit Limit;
};

/// Every check, in the order in which their findings are ranked when equal.
llvm::ArrayRef<CheckInfo> allChecks();

/// Whether the glob list \p Checks switches the check \p Name on.
bool isCheckEnabled(llvm::StringRef Name, llvm::StringRef Checks);

/// Error: a glob in \p Checks that matches no check, by name.
llvm::Error validateChecks(llvm::StringRef Checks);

/// Names the pattern of \p A; does not depend on options.
AccessPattern classify(const NamedAccess &A, const MachineModel &Machine);

/// The findings of one translation unit, one for one place in the source,
/// ordered by what they cost, global before shared. Sets the accesses'
/// Pattern and the kernels' Times.
std::vector<Finding> diagnose(llvm::MutableArrayRef<AnalysedKernel> Kernels,
                              llvm::MutableArrayRef<NamedAccess> Accesses,
                              const MachineModel &Machine,
                              const DiagnoseOptions &Options);

/// Orders findings by what they cost: global before shared before constant,
/// warnings before remarks, what reaches memory before what the cache absorbs.
/// Ties by place, so that the order never depends on that of the input.
void rankFindings(std::vector<Finding> &Findings);

} // namespace warplint

#endif // WARPLINT_DIAGNOSE_DIAGNOSE_H
