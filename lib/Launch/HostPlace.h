//===- HostPlace.h - Which bytes of which variable an lvalue names --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Resolves an lvalue expression of host code (`cfg.block.x`, `sizes[2]`) to
/// the variable it lies in and the bytes it covers.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTPLACE_H
#define WARPLINT_LIB_LAUNCH_HOSTPLACE_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace warplint::launch {

/// Bytes [Offset, Offset + Size) of Var, or of what Through points to.
struct HostPlace {
  const clang::VarDecl *Var = nullptr; ///< null: lies behind a pointer
  /// The parameter, a pointer or a reference, through which it is reached.
  const clang::ParmVarDecl *Through = nullptr;
  bool ThroughThis = false; ///< it is reached through `this`
  const clang::DeclRefExpr *Ref = nullptr;
  /// The member named last, when any is.
  const clang::FieldDecl *Field = nullptr;
  uint64_t Offset = 0, Size = 0;
  /// False: one element of the range, but not known which.
  bool Exact = true;
};

/// \p Path, when given, receives every expression passed that names a variable
/// or a member, or follows a pointer.
HostPlace placeOf(const clang::Expr *E, const clang::ASTContext &Ctx,
                  llvm::SmallVectorImpl<const clang::Expr *> *Path = nullptr);

/// What the pointer \p E points to: `&v.x`, an array, `p` and `this` of a
/// function's own. Size is 0 where it is not known.
HostPlace pointeeOf(const clang::Expr *E, const clang::ASTContext &Ctx);

/// What stands for "what Through (or this, in \p In) points to"; null: the
/// place is not reached so.
const clang::Decl *pointeeKey(const HostPlace &P,
                              const clang::FunctionDecl *In);

/// The parameter or `this` that the pointer \p E names directly: the
/// expression that does, or null.
const clang::Expr *namedPointer(const clang::Expr *E);

/// The function whose local (or parameter) \p V is, or null.
const clang::FunctionDecl *ownerOf(const clang::VarDecl *V);

/// Size of \p T in bytes; nullopt for incomplete, dependent or broken types.
std::optional<uint64_t> sizeOf(clang::QualType T, const clang::ASTContext &Ctx);

/// \p T is neither a record nor an array.
bool isScalar(clang::QualType T);

/// Byte offset of \p F in its record; nullopt for bit-fields and broken types.
std::optional<uint64_t> offsetOf(const clang::FieldDecl *F,
                                 const clang::ASTContext &Ctx);

/// Byte offset of \p Base, a direct base that is not virtual, in \p Derived.
uint64_t offsetOf(const clang::CXXRecordDecl *Base,
                  const clang::RecordDecl *Derived,
                  const clang::ASTContext &Ctx);

/// Byte offset of the base that \p C, a cast of a \p From, goes to; nullopt:
/// it is virtual, or its layout is not known.
std::optional<uint64_t> offsetOfBase(const clang::CastExpr *C,
                                     clang::QualType From,
                                     const clang::ASTContext &Ctx);

/// Calls \p OnLeaf(offset, type) for each scalar in \p T, in order. False when
/// there are more than \p Limit, or the layout is not known.
bool forEachLeaf(clang::QualType T, const clang::ASTContext &Ctx,
                 unsigned Limit,
                 llvm::function_ref<void(uint64_t, clang::QualType)> OnLeaf);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTPLACE_H
