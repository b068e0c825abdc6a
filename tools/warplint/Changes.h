//===- Changes.h - Only what changed --------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_CHANGES_H
#define WARPLINT_TOOLS_WARPLINT_CHANGES_H

#include "Options.h"

namespace warplint {

/// Does what --diff and --changed ask for before files are planned: sets the
/// line filter, and with --diff the files where none are given. Error: one
/// line; there is no git, no repository, no such revision.
llvm::Error narrowToChanges(ToolOptions &Options);

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_CHANGES_H
