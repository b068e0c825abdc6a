//===- TextLines.h - Lines and columns of a text, as editors count ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_TEXTLINES_H
#define WARPLINT_LIB_LSP_TEXTLINES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LSP/Protocol.h"
#include <vector>

namespace warplint {

/// In what an editor counts the characters of a line.
enum class ColumnUnit { Utf8, Utf16 };

/// The lines of a text. The compiler counts lines and bytes from 1, editors
/// lines and units from 0.
class TextLines {
public:
  /// \p Text must outlive this.
  explicit TextLines(llvm::StringRef Text);

  /// Without its end; "" past the last.
  llvm::StringRef line(unsigned Line) const;

  /// The place of the compiler's \p Line and \p Column; the end of the line
  /// where it has no such column.
  llvm::lsp::Position position(unsigned Line, unsigned Column,
                               ColumnUnit Unit) const;
  /// The place of the byte \p Offset of the text.
  llvm::lsp::Position atOffset(size_t Offset, ColumnUnit Unit) const;

  /// The compiler's column, in bytes from 1, of an editor's place. A place in
  /// the midst of a character is that character's.
  unsigned column(llvm::lsp::Position At, ColumnUnit Unit) const;

private:
  llvm::StringRef Text;
  std::vector<size_t> Begins; ///< of the lines, in bytes
};

} // namespace warplint

#endif // WARPLINT_LIB_LSP_TEXTLINES_H
