//===- EscapingReferences.h - References whose address is taken -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a reference is bound to is one element, unless code takes its address
// and goes on from there to what lies beside it.
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_ESCAPINGREFERENCES_H
#define WARPLINT_LIB_DRIVER_ESCAPINGREFERENCES_H

#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace warplint {

/// Functions that use of a pointer what lies there and no more, up to the
/// vector that alignment allows.
bool takesOneElement(const clang::CallExpr &Call);

/// The operand of `std::addressof` and its like, or null.
const clang::Expr *operandOfAddressof(const clang::CallExpr &Call);

class EscapingReferences {
public:
  /// Reads the user's code.
  explicit EscapingReferences(clang::ASTContext &Ctx);

  /// Whether the address of what \p Reference is bound to may be taken through
  /// it, here or where it is handed on.
  bool contains(const clang::VarDecl &Reference) const {
    return Escaping.contains(&Reference);
  }

  /// The same of what is bound to parameter \p I of \p Callee. A function that
  /// has no body here may do anything.
  bool throughParameter(const clang::FunctionDecl &Callee, unsigned I) const;

private:
  llvm::DenseSet<const clang::VarDecl *> Escaping;
};

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_ESCAPINGREFERENCES_H
