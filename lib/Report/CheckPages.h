//===- CheckPages.h - The checks' pages, built in -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_REPORT_CHECKPAGES_H
#define WARPLINT_LIB_REPORT_CHECKPAGES_H

#include "llvm/ADT/StringRef.h"

namespace warplint {

/// docs/checks/CHECK.md as it was when the tool was built (Markdown); "" where
/// \p Check has none.
llvm::StringRef checkPage(llvm::StringRef Check);

} // namespace warplint

#endif // WARPLINT_LIB_REPORT_CHECKPAGES_H
