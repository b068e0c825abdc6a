//===- Hover.h - The numbers of an access -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LSP_HOVER_H
#define WARPLINT_LIB_LSP_HOVER_H

#include "Client.h"
#include "Documents.h"

namespace warplint {

/// The Hover of the innermost access at \p At in \p File, in all kernels and
/// configurations that make it; null where there is none.
llvm::json::Value hoverAt(llvm::ArrayRef<std::shared_ptr<const Analysis>> In,
                          llvm::StringRef File, llvm::lsp::Position At,
                          const Client &Editor);

} // namespace warplint

#endif // WARPLINT_LIB_LSP_HOVER_H
