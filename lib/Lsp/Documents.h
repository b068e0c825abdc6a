//===- Documents.h - What is open, and what was found in it -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_DOCUMENTS_H
#define WARPLINT_LIB_LSP_DOCUMENTS_H

#include "TextLines.h"
#include "warplint/Report/Report.h"
#include <memory>

namespace warplint {

/// One state of an open document; never changes, the next edit makes another.
struct DocumentText {
  llvm::lsp::URIForFile Uri;
  int64_t Version = 0;
  std::shared_ptr<const std::string> Text;
};

/// Open documents by their real paths, as reports spell them.
using OpenTexts = std::map<std::string, std::shared_ptr<const DocumentText>>;

/// What one run over a document gave.
struct Analysis {
  RunReport Run;
  std::vector<Finding> Findings; ///< of all its jobs, merged
  OpenTexts Texts;               ///< of the open documents that it read
};

/// The texts behind a report: open documents as the run read them, other files
/// as they are on disk.
class SourceTexts {
public:
  SourceTexts(const OpenTexts &Open, ColumnUnit Unit)
      : Open(Open), Unit(Unit) {}

  /// nullopt: the file cannot be named to an editor.
  std::optional<llvm::lsp::URIForFile> uri(llvm::StringRef File);
  llvm::lsp::Position position(const SourcePlace &Place);
  /// From \p Begin to \p End where both are known, else the word at \p Place.
  llvm::lsp::Range range(const SourcePlace &Place, const SourcePlace &Begin,
                         const SourcePlace &End);
  llvm::lsp::Range range(llvm::StringRef File, size_t Offset, size_t Length);
  /// The place in \p File that the editor calls \p At.
  SourcePlace place(llvm::StringRef File, llvm::lsp::Position At);
  /// Where the word at \p Place ends; at least one character on.
  SourcePlace wordEnd(const SourcePlace &Place);

private:
  struct Source {
    std::shared_ptr<const std::string> Text;
    TextLines Lines;
  };
  const TextLines &lines(llvm::StringRef File);

  const OpenTexts &Open;
  const ColumnUnit Unit;
  std::map<std::string, std::unique_ptr<Source>, std::less<>> Sources;
};

} // namespace warplint

#endif // WARPLINT_LIB_LSP_DOCUMENTS_H
