//===- SourceLines.h - The lines of source files --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What stands in the source: snippets show it, fingerprints know a finding by
/// it, formats that count characters convert columns with it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_REPORT_SOURCELINES_H
#define WARPLINT_LIB_REPORT_SOURCELINES_H

#include "warplint/Driver/SourcePlace.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace warplint {

class SourceLines {
public:
  /// The line \p Place is on, without its end; "" when it cannot be read.
  llvm::StringRef line(const SourcePlace &Place);

  /// \p Place's column, counted from 1 in UTF-16 code units rather than in
  /// bytes; the column itself where the line cannot be read.
  unsigned utf16Column(const SourcePlace &Place);

  /// Line and column of the byte \p Offset of \p File; line 0 where it cannot
  /// be read or ends before.
  SourcePlace placeAt(llvm::StringRef File, unsigned Offset);

private:
  struct SourceFile {
    std::unique_ptr<llvm::MemoryBuffer> Buffer; ///< null: cannot be read
    std::vector<llvm::StringRef> Lines;
  };
  const SourceFile &file(llvm::StringRef Name);
  llvm::StringMap<SourceFile> Files;
};

} // namespace warplint

#endif // WARPLINT_LIB_REPORT_SOURCELINES_H
