//===- Diagnostics.h - A report as the diagnostics of its files ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_DIAGNOSTICS_H
#define WARPLINT_LIB_LSP_DIAGNOSTICS_H

#include "Client.h"
#include "Documents.h"

namespace warplint {

/// \p F as a Diagnostic of the protocol, with the check's name as its code,
/// which llvm::lsp::Diagnostic has not.
llvm::json::Value diagnosticOf(const Finding &F, SourceTexts &Texts,
                               const Client &Editor);

/// Diagnostics by real path: the findings where their accesses are, and what
/// could not be analysed. The document itself, \p File, is always among them,
/// and has one where no answer came to be: it must not look clean.
std::map<std::string, llvm::json::Array>
diagnosticsOf(const Analysis &A, llvm::StringRef File, const Client &Editor);

/// The verified fixes of findings that touch \p Where in \p File, as code
/// actions.
llvm::json::Array actionsAt(const Analysis &A, llvm::StringRef File,
                            const llvm::lsp::Range &Where,
                            const Client &Editor);

} // namespace warplint

#endif // WARPLINT_LIB_LSP_DIAGNOSTICS_H
