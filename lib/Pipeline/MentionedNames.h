//===- MentionedNames.h - Which names a text has in it --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_PIPELINE_MENTIONEDNAMES_H
#define WARPLINT_LIB_PIPELINE_MENTIONEDNAMES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace warplint {

/// Whether \p Text has one of \p Names as a word: comments and strings count,
/// what the preprocessor would make of it does not.
bool mentionsAny(llvm::StringRef Text, const llvm::StringSet<> &Names);

/// Every word of \p Text, in order.
void forEachWord(llvm::StringRef Text,
                 llvm::function_ref<void(llvm::StringRef)> Do);

/// Names of the functions that \p Text declares `__global__`, as far as a look
/// at its words tells.
std::vector<std::string> kernelNames(llvm::StringRef Text);

} // namespace warplint

#endif // WARPLINT_LIB_PIPELINE_MENTIONEDNAMES_H
