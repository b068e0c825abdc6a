//===- LaunchSites.h - Find and evaluate kernel launches in the AST -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LAUNCH_LAUNCHSITES_H
#define WARPLINT_LAUNCH_LAUNCHSITES_H

#include "warplint/Driver/RunCommands.h"
#include "warplint/Launch/ProgramFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace warplint {

/// Where a block shape comes from when no launch tells.
struct LaunchDefaults {
  std::optional<Dim3> BlockOption; ///< --block, or the configuration file
  Dim3 Block = {256, 1, 1};
};

/// How the program whose main() is in a unit is run.
using FindRuns =
    llvm::function_ref<std::vector<RunCommand>(clang::ASTContext &)>;

/// Reads one more file of the program that mentions one of the names, which has
/// not been read before, and calls back with its AST while that lasts; does
/// nothing where there is none.
using ReadFile = llvm::function_ref<void(
    const llvm::StringSet<> &, llvm::function_ref<void(clang::ASTContext &)>)>;

/// The launch configurations of every kernel launched in one translation unit.
class LaunchSites {
public:
  /// Walks the host code of \p Ctx once (a device pass holds the host's AST
  /// too), template instantiations included. \p Imports: what other units say;
  /// null: nothing. \p Export: exports() is wanted in full, not only what it
  /// asks. \p Runs: how the program is known to be run, asked for only where
  /// main takes the words of a command line; a launch that none of the runs
  /// comes to is evaluated without them. \p Read: of the program's other files,
  /// to follow its runs through them; null: those are not read.
  static LaunchSites collect(clang::ASTContext &Ctx,
                             const UnitImports *Imports = nullptr,
                             bool Export = false, FindRuns Runs = nullptr,
                             ReadFile Read = nullptr);

  /// What this unit says to others and asks of them.
  const UnitExports &exports() const { return Exports; }

  /// The distinct configurations of \p Kernel (the instantiation, for a
  /// template), in source order of their first launch; at least one. Without a
  /// launch: `__launch_bounds__`, the option, the default, in that order.
  std::vector<LaunchConfig> configsFor(const clang::FunctionDecl *Kernel,
                                       const LaunchDefaults &Defaults) const;

private:
  /// By canonical declaration.
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<LaunchSite>> Sites;
  UnitExports Exports;
  bool Searched = false; ///< other files were looked through for launches
};

} // namespace warplint

#endif // WARPLINT_LAUNCH_LAUNCHSITES_H
