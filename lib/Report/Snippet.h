//===- Snippet.h - A source line with a caret under it --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_REPORT_SNIPPET_H
#define WARPLINT_LIB_REPORT_SNIPPET_H

#include "SourceLines.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// Prints lines of source files, which it reads once.
class SnippetPrinter {
public:
  /// The line of \p Caret with a caret, and tildes from \p Begin to \p End
  /// where both lie on it. Prints nothing when the line cannot be read.
  void print(const SourcePlace &Caret, const SourcePlace &Begin,
             const SourcePlace &End, llvm::raw_ostream &OS);

private:
  SourceLines Source;
};

} // namespace warplint

#endif // WARPLINT_LIB_REPORT_SNIPPET_H
