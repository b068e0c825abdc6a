//===- Merge.h - A run with what its files share counted once -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_REPORT_MERGE_H
#define WARPLINT_LIB_REPORT_MERGE_H

#include "warplint/Report/Report.h"
#include <map>
#include <optional>

namespace warplint {

/// An access and its place in the merged kernels.
struct MergedAccess {
  const NamedAccess *N;
  unsigned Kernel, Config;
};

/// Kernels and accesses of all files. A kernel of a header stands here once; a
/// configuration in which two files saw the very same accesses, too.
struct MergedRun {
  std::vector<AnalysedKernel> Kernels;
  std::vector<MergedAccess> Accesses; ///< those that were kept
  std::vector<AccessCounts> Counts;   ///< of all, by configuration
};

MergedRun mergeRun(const RunReport &Run);

/// How well the numbers of a run are known.
struct Coverage {
  unsigned Exact = 0, Range = 0, Unknown = 0;
  std::map<std::string, unsigned> UnknownByReason;
};

/// \p Only: of this space alone.
Coverage coverageOf(const MergedRun &Run,
                    std::optional<MemorySpace> Only = std::nullopt);

/// The message of \p F with the notes that belong to no other place, a line
/// each.
std::string wholeMessage(const Finding &F);

} // namespace warplint

#endif // WARPLINT_LIB_REPORT_MERGE_H
