//===- AccessIndex.h - The expressions that access memory, by place -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which expression a load or store comes from, given the line and column that
/// clang's code generator puts on it. Found by looking at what it does:
///
///     access                          place
///     a[i], p->x, *p as a value       the expression's location: of a[i] where
///                                     `a` begins, of p[i].x the `x`, of *p the
///                                     *
///     a[i] = v, a[i] += v, ++a[i]     the operator
///     r = p[i], of class type         the operator, for load and store
///     T r = p[i], of class type       where `p[i]` begins
///     f(&a[i]) and f's body inlined   where the call begins
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_ACCESSINDEX_H
#define WARPLINT_LIB_DRIVER_ACCESSINDEX_H

#include "warplint/Driver/DeviceModule.h"
#include "warplint/Driver/SourceNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace warplint {

/// An expression that is read or written at some place.
struct AccessSite {
  const clang::Expr *Object = nullptr; ///< the lvalue, or a pointer to it
  /// The expression whose line nvcc gives the access: the object, or for the
  /// store of a record's copy what is copied. Null: not known.
  const clang::Expr *Counted = nullptr;
  /// The variable or member at the base, or null; the size of the variable
  /// where it is an array, or 0.
  const clang::ValueDecl *Variable = nullptr;
  uint64_t ArrayBytes = 0;
  unsigned Column = 0;
  unsigned Bytes = 0; ///< 0: not known
  bool Loads = false, Stores = false, Atomic = false;
};

/// All of them in the user's files of one translation unit.
class AccessIndex {
public:
  explicit AccessIndex(clang::ASTContext &Ctx);

  /// The sites on one line.
  llvm::ArrayRef<AccessSite> onLine(llvm::StringRef File, unsigned Line) const;

  void add(clang::SourceLocation Where, AccessSite Site);

private:
  void setVariable(AccessSite &Site) const;
  unsigned fileNumber(clang::SourceLocation Loc, unsigned &Line,
                      unsigned &Column);

  clang::ASTContext &Ctx;
  llvm::StringMap<unsigned> Files;
  llvm::StringMap<unsigned> Presumed; ///< the same, as the AST spells them
  llvm::DenseMap<std::pair<unsigned, unsigned>,
                 llvm::SmallVector<AccessSite, 4>>
      Lines;
};

/// The place of the lvalue \p Object in nvcc's line table: that of the last
/// operand of its innermost subscript or pointer.
clang::SourceLocation countedPlace(const clang::Expr *Object);

/// What the source says about \p Object.
AccessNames describeAccess(clang::ASTContext &Ctx, const clang::Expr *Object);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_ACCESSINDEX_H
