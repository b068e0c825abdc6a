//===- Paths.h - File names as reports show them --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_REPORT_PATHS_H
#define WARPLINT_REPORT_PATHS_H

#include "warplint/Driver/SourcePlace.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>

namespace warplint {

/// \p File relative to the directory \p Base where it lies below it, with '/'
/// between its parts; else as it is. \p Base: absolute, or "".
std::string relativeTo(llvm::StringRef File, llvm::StringRef Base);

/// The same as a URI reference (RFC 3986): relative, or file:///... .
std::string uriOf(llvm::StringRef File, llvm::StringRef Base);

/// The parts of "FILE:LINE:COL: message", as errors of the compiler stand in a
/// FileReport; line 0 and the whole text where it has another form.
std::pair<SourcePlace, llvm::StringRef> splitPlace(llvm::StringRef Text);

} // namespace warplint

#endif // WARPLINT_REPORT_PATHS_H
