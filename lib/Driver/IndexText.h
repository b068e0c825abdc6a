//===- IndexText.h - Index expressions as text to be edited ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_INDEXTEXT_H
#define WARPLINT_LIB_DRIVER_INDEXTEXT_H

#include "warplint/Driver/SharedArrays.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace warplint {

/// The text of \p R where it is written in a file, on one line and without
/// comments; nullopt elsewhere: in the body of a macro, over several lines.
std::optional<TextRange> textOf(const clang::ASTContext &Ctx,
                                clang::SourceRange R);

/// The text of \p E, see above.
std::optional<TextRange> textOf(const clang::ASTContext &Ctx,
                                const clang::Expr *E);

/// True when \p E may be evaluated a second time, anywhere near: it reads
/// variables and built-ins, and nothing that a pointer leads to.
bool isRepeatable(const clang::Expr *E);

/// The constants by which terms of the sum \p E are multiplied.
std::vector<ConstantFactor> constantFactors(const clang::ASTContext &Ctx,
                                            const clang::Expr *E);

/// Adds what one instantiation says to what others said of the same text.
void addFactors(std::vector<ConstantFactor> &All,
                std::vector<ConstantFactor> &&Others);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_INDEXTEXT_H
