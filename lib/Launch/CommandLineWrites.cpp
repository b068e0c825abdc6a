//===- CommandLineWrites.cpp - Programs that change their argv ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLineWrites.h"
#include "HostNotes.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warplint::launch {

namespace {

bool isChars(QualType T) {
  return T->isPointerType() && T->getPointeeType()->isAnyCharacterType();
}

/// `char **`, const or not.
bool isWords(QualType T) {
  return T->isPointerType() && isChars(T->getPointeeType());
}

llvm::StringRef calleeOf(const Expr *E) {
  const auto *C = dyn_cast_or_null<CallExpr>(E ? E->IgnoreParenCasts() : E);
  return nameOf(C ? C->getDirectCallee() : nullptr);
}

/// The expression that what \p E reads through a pointer or an array is based
/// on, or null: `argv[i]`, `*argv`, `p[2]`.
const Expr *baseOf(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return S->getBase()->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return U->getSubExpr()->IgnoreParenCasts();
  return nullptr;
}

const VarDecl *variableIn(const Expr *E) {
  while (const Expr *Base = baseOf(E))
    E = Base;
  E = E->IgnoreParenCasts();
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp())
    return variableIn(B->getLHS());
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
}

class FindWrites : public ConstDynamicRecursiveASTVisitor {
public:
  bool Found = false;

  bool VisitBinaryOperator(const BinaryOperator *E) override {
    if (E->isAssignmentOp())
      written(E->getLHS());
    return !Found;
  }
  bool VisitUnaryOperator(const UnaryOperator *E) override {
    if (E->isIncrementDecrementOp())
      written(E->getSubExpr());
    return !Found;
  }
  bool VisitCallExpr(const CallExpr *E) override {
    llvm::StringRef Name = calleeOf(E);
    Found |= llvm::StringSwitch<bool>(Name)
                 .Cases({"strtok", "strtok_r", "strsep"}, true)
                 .Default(false);
    if (Name == "swap" || Name == "iter_swap" || Name == "reverse" ||
        Name == "rotate" || Name == "sort")
      for (const Expr *A : E->arguments())
        Found |= isOfWords(A);
    return !Found;
  }

private:
  /// A word of what a function is handed: its own `char **`.
  static bool isOfWords(const Expr *E) {
    const VarDecl *V = variableIn(E);
    if (!V ||
        !(isWords(V->getType()) || (V->getType()->isPointerType() &&
                                    isWords(V->getType()->getPointeeType()))))
      return false;
    if (isa<ParmVarDecl>(V))
      return true;
    const Expr *Init = V->getAnyInitializer();
    return Init && isOfWords(Init);
  }

  void written(const Expr *Target) {
    const Expr *Base = baseOf(Target);
    if (!Base)
      return;
    QualType T = Target->getType();
    if (isChars(T)) {
      Found |= isOfWords(Base);
      return;
    }
    if (!T->isAnyCharacterType())
      return;
    // A character of a word, or of what was searched in a text.
    const VarDecl *V = variableIn(Base);
    llvm::StringRef From =
        calleeOf(V ? V->getAnyInitializer() : Base->IgnoreParenCasts());
    Found |= isOfWords(Base) ||
             llvm::StringSwitch<bool>(From)
                 .Cases({"strchr", "strrchr", "strstr", "strpbrk"}, true)
                 .Default(false);
    if (const Expr *Init = V ? V->getAnyInitializer() : nullptr)
      Found |= isOfWords(Init);
  }
};

} // namespace

bool writeCommandLine(llvm::ArrayRef<const FunctionDecl *> Functions) {
  FindWrites Find;
  for (const FunctionDecl *F : Functions)
    if (!Find.Found && F->getBody())
      Find.TraverseStmt(F->getBody());
  return Find.Found;
}

} // namespace warplint::launch
