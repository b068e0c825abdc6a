//===- ChangedPass.h - Parse a unit again with other text
//------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_CHANGEDPASS_H
#define WARPLINT_DRIVER_CHANGEDPASS_H

#include "warplint/Driver/SourceEdit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace warplint {

/// Parses the unit of \p Ctx and \p PP (which has been parsed to its end) once
/// more, with the same options and files but for \p Edits, whose text is never
/// written anywhere, and calls \p OnUnit with the result. Edits are of files of
/// the unit and do not overlap. False, and \p OnUnit may not have been called:
/// an edit lies in no file of the unit, or the changed text has errors that the
/// old one has not.
bool runChangedPass(
    clang::ASTContext &Ctx, clang::Preprocessor &PP,
    llvm::ArrayRef<SourceEdit> Edits,
    llvm::function_ref<void(clang::ASTContext &, clang::Preprocessor &)>
        OnUnit);

} // namespace warplint

#endif // WARPLINT_DRIVER_CHANGEDPASS_H
