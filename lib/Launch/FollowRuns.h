//===- FollowRuns.h - The runs of a program, followed ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_FOLLOWRUNS_H
#define WARPLINT_LIB_LAUNCH_FOLLOWRUNS_H

#include "HostProgram.h"

namespace warplint::launch {

/// One way in which the program is run, or the only one where main() takes no
/// words.
struct FollowedRun {
  bool Followed = false;
  /// Where Followed: the launches that this file makes, and those of them of
  /// which it is not known how.
  std::vector<HostProgram::Made> Launches;
  llvm::DenseSet<const clang::CallExpr *> Unclear;
  /// Null: nothing else tells of the run.
  HostEvaluator *Evaluator = nullptr;
};

/// What lives as long as the launches of a file are evaluated.
struct RunEvaluators {
  std::vector<RunCommand> Commands;
  /// The first knows of no run; then one for each that it can be asked about.
  std::vector<std::unique_ptr<HostEvaluator>> All;
};

/// The runs of the program that the file \p Ctx is of. \p Read: of other files,
/// for what this one does not show.
std::vector<FollowedRun> followRuns(clang::ASTContext &Ctx, HostIndex &Index,
                                    Foreign &Others, RunEvaluators &Evaluators,
                                    const FindRuns &Find, const ReadFile &Read);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_FOLLOWRUNS_H
