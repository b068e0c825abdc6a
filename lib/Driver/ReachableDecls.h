//===- ReachableDecls.h - What a kernel needs to be lowered ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The call graph below a kernel as the code generator sees it: implicit code
/// (constructors, destructors, default arguments, operators) included. It tells
/// which definitions to hand over and, because the code generator does not
/// survive an AST with errors, which kernels must not be lowered.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_REACHABLEDECLS_H
#define WARPLINT_LIB_DRIVER_REACHABLEDECLS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <memory>
#include <string>

namespace warplint {

using DeclSet = llvm::SetVector<const clang::Decl *>;

/// What one definition refers to, and whether it can be lowered.
struct DeclNode {
  llvm::SmallVector<const clang::Decl *, 8> Uses; ///< definitions
  /// The declaration whose errors forbid lowering this one; itself, when the
  /// errors are in its own body; null when sound.
  const clang::NamedDecl *Erroneous = nullptr;
};

/// Remembers each definition it has looked into, so that kernels which share
/// helpers cost no second walk.
class ReachableDecls {
public:
  explicit ReachableDecls(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// Adds to \p Reached the function and variable definitions that \p Kernel
  /// needs, itself included. Returns null, or the declaration with errors that
  /// it reaches.
  const clang::NamedDecl *collect(const clang::FunctionDecl *Kernel,
                                  DeclSet &Reached);

private:
  const DeclNode &nodeFor(const clang::Decl *D);

  clang::ASTContext &Ctx;
  llvm::DenseMap<const clang::Decl *, std::unique_ptr<DeclNode>> Nodes;
  llvm::DenseMap<const clang::Type *, const clang::NamedDecl *> CheckedTypes;
};

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_REACHABLEDECLS_H
