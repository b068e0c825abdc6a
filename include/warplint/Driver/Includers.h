//===- Includers.h - Which files a header reaches -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_INCLUDERS_H
#define WARPLINT_DRIVER_INCLUDERS_H

#include "warplint/Driver/CompileCommands.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// The indices of those \p Jobs whose file includes one of \p Headers
/// (absolute) in its device pass, however indirectly, in order; by clang's
/// dependency scanner, \p Threads at a time (0: one a core). A file whose
/// includes cannot be followed to the end (one is missing) is among them when
/// its text, or that of a header reached, has the name of one.
std::vector<size_t> includersOf(llvm::ArrayRef<std::string> Headers,
                                llvm::ArrayRef<CompileJob> Jobs,
                                unsigned Threads);

} // namespace warplint

#endif // WARPLINT_DRIVER_INCLUDERS_H
