//===- LaunchEvaluation.h - What one launch in the source says ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_LAUNCHEVALUATION_H
#define WARPLINT_LIB_LAUNCH_LAUNCHEVALUATION_H

#include "HostEvaluator.h"
#include "warplint/Launch/LaunchSites.h"

namespace warplint::launch {

/// Configurations of a kernel that may differ in nothing but arguments.
inline constexpr unsigned MaxArgumentVariants = 4;

/// One way in which a launch runs a kernel.
struct EvaluatedLaunch {
  const clang::FunctionDecl *Kernel = nullptr;
  LaunchSite Site;
  /// False: a condition around the launch is known not to hold.
  bool Feasible = true;
};

/// Where \p Call stands in the file; in that of its expansion, for a macro.
SourcePlace placeOfCall(const clang::Expr *Call,
                        const clang::SourceManager &SM);

/// Evaluates \p L: one entry for each combination of alternatives.
std::vector<EvaluatedLaunch> evaluateLaunch(const Launch &L,
                                            HostEvaluator &Evaluator,
                                            clang::ASTContext &Ctx);

/// A call of this name is a launch: `cudaLaunchKernel` and its kin.
bool isLaunchCall(llvm::StringRef Name);

/// The launch \p Call as a program that \p Evaluator runs makes it now;
/// nullopt: the kernel or the block is not known.
std::optional<EvaluatedLaunch> evaluateMade(const clang::CallExpr *Call,
                                            HostEvaluator &Evaluator, Frame &F,
                                            clang::ASTContext &Ctx);

/// Nothing tells them apart but names and what is guessed.
bool isSameLaunch(const LaunchSite &A, const LaunchSite &B);

/// The arguments of a call of a function defined elsewhere, one entry for each
/// combination of alternatives.
std::vector<SharedCall> evaluateCallForOthers(const CallSite &Site,
                                              HostEvaluator &Evaluator,
                                              Foreign &Others,
                                              clang::ASTContext &Ctx);

/// Fills \p Others.Out with what other units may want to know, but launches: by
/// the evaluators of the runs that are known, or else by the first.
void exportFacts(const HostIndex &Index,
                 llvm::ArrayRef<std::unique_ptr<HostEvaluator>> Evaluators,
                 Foreign &Others, clang::ASTContext &Ctx);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_LAUNCHEVALUATION_H
