//===- Server.h - Warplint as a language server -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// A small server of the Language Server Protocol, to run beside clangd:
/// diagnostics on open and save, verified fixes as code actions, hover over an
/// access with its numbers. It knows nothing of commands and configuration:
/// whoever starts it says how a file is analysed.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LSP_SERVER_H
#define WARPLINT_LSP_SERVER_H

#include "warplint/Driver/UnsavedFiles.h"
#include "warplint/Report/Report.h"
#include <cstdio>
#include <functional>

namespace warplint {

enum class DocumentKind {
  Source, ///< is compiled
  Header  ///< a CUDA header: analysed through a file that includes it
};

/// Analyses \p File (absolute) with the texts the editor holds. Called on a
/// thread of the server's, never twice at once. Never fails: what went wrong is
/// in the report. That of a header which no file is known to include is empty.
using DocumentAnalysis =
    std::function<RunReport(llvm::StringRef File, DocumentKind Kind,
                            std::shared_ptr<const UnsavedFiles> Unsaved)>;

/// Answers the client at \p In and \p Out until it says exit or is gone; an
/// analysis that still runs then is left behind, so the process has to end
/// soon. Returns its exit status: 0 after shutdown and exit, else 1.
int serveEditor(DocumentAnalysis Analyse, std::FILE *In,
                llvm::raw_ostream &Out);

} // namespace warplint

#endif // WARPLINT_LSP_SERVER_H
