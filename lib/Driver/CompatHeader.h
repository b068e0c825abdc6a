//===- CompatHeader.h - The header between clang's wrapper and the user ---===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_COMPATHEADER_H
#define WARPLINT_LIB_DRIVER_COMPATHEADER_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace warplint {

/// Clang's own wrapper around the headers of CUDA, as it is included.
inline constexpr llvm::StringLiteral WrapperName =
    "__clang_cuda_runtime_wrapper.h";
/// Where the compatibility header (compat/) seems to lie.
inline constexpr llvm::StringLiteral CompatPath =
    "/warplint/include/warplint_cuda_compat.h";
/// Its text, with a zero behind it.
llvm::StringRef compatText();

/// Behind clang's wrapper, which \p PP has not entered its file to read: lets
/// it include the header, unless its options do so already, and only then
/// define what the command defines (-D). The wrapper reads headers that nvcc
/// does not (cuda.h, cuRAND), whose parameters a macro `N` or `T` would tear
/// apart; names that headers ask for (`_GLIBCXX_...`, `CUDA_...`) stay where
/// they are. Without the wrapper nothing changes.
void completePredefines(clang::Preprocessor &PP);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_COMPATHEADER_H
