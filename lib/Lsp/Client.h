//===- Client.h - What the editor can do --------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What `initialize` says of the client, as far as answers depend on it, and
/// other parameters that llvm/Support/LSP does not know.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_CLIENT_H
#define WARPLINT_LIB_LSP_CLIENT_H

#include "TextLines.h"
#include "llvm/Support/LSP/Transport.h"

namespace warplint {

struct Client {
  ColumnUnit Unit = ColumnUnit::Utf16;
  bool Markdown = false; ///< of hovers
  /// Diagnostics may point to other places.
  bool RelatedInformation = false;
  /// An edit may name the version of the document it is for.
  bool VersionedEdits = false;
};
bool fromJSON(const llvm::json::Value &Params, Client &Result,
              llvm::json::Path Path);

/// Of `textDocument/didSave`.
struct DidSaveParams {
  llvm::lsp::TextDocumentIdentifier Document;
};
bool fromJSON(const llvm::json::Value &Params, DidSaveParams &Result,
              llvm::json::Path Path);

/// Of `$/cancelRequest`.
struct CancelParams {
  llvm::json::Value Id = nullptr;
};
bool fromJSON(const llvm::json::Value &Params, CancelParams &Result,
              llvm::json::Path Path);

} // namespace warplint

#endif // WARPLINT_LIB_LSP_CLIENT_H
