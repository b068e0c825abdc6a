//===- HostNotes.h - What one expression does to a variable ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_HOSTNOTES_H
#define WARPLINT_LIB_LAUNCH_HOSTNOTES_H

#include "HostIndex.h"
#include "clang/Basic/SourceManager.h"

namespace warplint::launch {

/// The name of \p F, or "" where it has none (an operator, no function).
llvm::StringRef nameOf(const clang::FunctionDecl *F);

/// Whether \p T, a pointer or a reference, leads to something const.
bool isConstPointee(clang::QualType T);

/// Every appearance of a variable is a read, a write noted with its place, or
/// else an escape: the parent of an expression says which, and marks it.
class HostNotes {
protected:
  HostNotes(const clang::ASTContext &Ctx, HostIndex &Index,
            const clang::FunctionDecl *LocalsOf)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), Index(Index), In(LocalsOf),
        LocalsOnly(LocalsOf) {}

  bool notes(const clang::VarDecl *V) const;
  Uses &uses(const clang::VarDecl *V);
  Uses &pointee(const clang::Decl *Key);
  /// Where the pointer \p E leads is noted by the expression around it.
  void follow(const clang::Expr *E);
  /// Something may happen to \p E, which lies behind a pointer, out of sight.
  void escapePointee(const clang::Expr *E);
  /// \p E is only read: its variables do not escape by it.
  void markRead(const clang::Expr *E);
  /// \p E is an address through which nothing is written.
  void markAddressRead(const clang::Expr *E);
  void note(Write::Kind K, const clang::Stmt *Where, const clang::Expr *Target,
            const clang::Expr *Value, int Parameter = Write::OnObject);
  /// \p Pointer, which names a parameter or `this`, is given to \p Call.
  void notePointee(const clang::Expr *Call, const clang::Expr *Pointer,
                   int Parameter);
  void noteArgument(const clang::Expr *Call, const clang::Expr *Arg,
                    clang::QualType T, int Parameter);
  void noteObject(const clang::Expr *Call, const clang::Expr *Object,
                  const clang::CXXMethodDecl *Method);
  /// Calls whose effect on their arguments is known better than by type.
  bool noteSpecialCall(const clang::CallExpr *E, const clang::FunctionDecl *F);
  /// `Config c{128, 4}` gives each member a value.
  void noteFieldInits(const clang::InitListExpr *L);

  const clang::ASTContext &Ctx;
  const clang::SourceManager &SM;
  HostIndex &Index;
  const clang::FunctionDecl *In;
  const clang::Stmt *Loop = nullptr;
  bool LocalsOnly;
  std::vector<Guard> Guards;
  /// Expressions whose appearance is noted: variables, members, `*p`.
  llvm::DenseSet<const clang::Expr *> Handled;
  /// Lvalues that are read and nothing else.
  llvm::DenseSet<const clang::Expr *> OnlyRead;
  /// Names of pointers whose pointee's use is noted.
  llvm::DenseSet<const clang::Expr *> Followed;
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_HOSTNOTES_H
