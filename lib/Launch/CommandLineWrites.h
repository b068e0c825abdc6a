//===- CommandLineWrites.h - Programs that change their argv ----*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_COMMANDLINEWRITES_H
#define WARPLINT_LIB_LAUNCH_COMMANDLINEWRITES_H

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace warplint::launch {

/// Some of \p Functions may change the words of the command line, or their
/// order: `argv[i] = argv[i + 1]`, `argv[1][0] = 0`, `*strchr(s, '=') = 0`,
/// strtok. What is known of the words holds no longer then.
bool writeCommandLine(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_COMMANDLINEWRITES_H
