//===- BaselineRun.h - A run with a baseline ------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_BASELINERUN_H
#define WARPLINT_TOOLS_WARPLINT_BASELINERUN_H

#include "TidyRun.h"
#include "warplint/Report/Baseline.h"

namespace warplint {

/// The nearest directory at or above \p Below, absolute, that git keeps.
std::optional<llvm::StringRef> repositoryRoot(llvm::StringRef Below);

/// What --baseline, --write-baseline and --prune-baseline ask for; without
/// them, nothing.
class BaselineRun {
public:
  /// Before the analysis, which may take long. Error: the file is not what it
  /// has to be, or the options let only a part of the findings be seen.
  static llvm::Expected<BaselineRun> create(const ToolOptions &Options);

  /// Writes the file where that was asked for, takes the known findings out of
  /// \p Run and says what it did on standard error. File names are
  /// relative to the repository that the baseline lies in, wherever the run is
  /// started; to \p Root where it lies in none. Error: the file cannot be
  /// written.
  llvm::Error apply(RunReport &Run, TidyRun &Tidy, llvm::StringRef Root) const;

private:
  explicit BaselineRun(const ToolOptions &Options) : Options(Options) {}

  const ToolOptions &Options;
  Baseline Known;
};

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_BASELINERUN_H
