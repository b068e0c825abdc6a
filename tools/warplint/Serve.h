//===- Serve.h - The command line's analysis behind a language server ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_SERVE_H
#define WARPLINT_TOOLS_WARPLINT_SERVE_H

#include "Options.h"

namespace warplint {

/// Serves the editor at standard input and output (--lsp). Each document is
/// analysed as a call of the command line with the same options would, its
/// `.clang-tidy`, database and NOLINT comments read anew. Returns the exit
/// status.
int serve(const ToolOptions &Options);

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_SERVE_H
