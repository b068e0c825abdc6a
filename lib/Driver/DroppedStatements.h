//===- DroppedStatements.h - Statements the parser gave up on -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_DROPPEDSTATEMENTS_H
#define WARPLINT_LIB_DRIVER_DROPPEDSTATEMENTS_H

namespace clang {
class ASTContext;
class CompoundStmt;
} // namespace clang

namespace warplint {

/// True when the source of \p Body has tokens that belong to none of its
/// statements. Clang leaves no trace in the AST of an erroneous `x = nothing;`,
/// and what remains of the function is sound but not what was written. To be
/// asked only of translation units with errors.
bool hasDroppedStatements(const clang::ASTContext &Ctx,
                          const clang::CompoundStmt &Body);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_DROPPEDSTATEMENTS_H
