//===- Plan.h - Which files are analysed, by which commands ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_PLAN_H
#define WARPLINT_TOOLS_WARPLINT_PLAN_H

#include "Options.h"
#include "TidyRun.h"

namespace warplint {

/// The jobs of the files given, in their order; one that cannot be planned is
/// a report that says why. Commands come from `--`, else from -p, else from a
/// database above the file, else they are the default flags. Error: nothing
/// can be planned at all (no file, no database).
///
/// The other files of the database are searched for what these files lack. In
/// the mode "auto" that is everything when the whole database is analysed, and
/// what block shapes hang on when files are given.
llvm::Expected<RunPlan> planFiles(const ToolOptions &Options, TidyRun &Tidy);

/// One file, of those that the database compiles or else of those beside it,
/// which includes \p Header, so that the kernels of the header are analysed as
/// it makes them; without any, an empty plan. Error: as planFiles().
llvm::Expected<RunPlan> planThroughIncluder(const ToolOptions &Options,
                                            TidyRun &Tidy,
                                            llvm::StringRef Header);

/// Does what --write-compile-commands asks. Error: no database, or nothing can
/// be written; commands that cannot be translated are named on standard error.
llvm::Error writeCompileCommands(const ToolOptions &Options);

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_PLAN_H
