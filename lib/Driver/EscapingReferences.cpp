//===- EscapingReferences.cpp - References whose address is taken ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EscapingReferences.h"
#include "KeptAddresses.h"
#include "warplint/Driver/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace warplint {

bool takesOneElement(const CallExpr &Call) {
  llvm::StringRef Name = calleeName(Call);
  return Name.starts_with("atomic") || Name == "__pipeline_memcpy_async";
}

const Expr *operandOfAddressof(const CallExpr &Call) {
  llvm::StringRef Name = calleeName(Call);
  bool Is = Name == "__builtin_addressof" || Name == "addressof" ||
            Name == "__addressof";
  return Is && Call.getNumArgs() == 1 ? Call.getArg(0) : nullptr;
}

/// The reference that \p E names, or null.
static const VarDecl *referenceIn(const Expr *E) {
  const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  const auto *VD = Use ? dyn_cast<VarDecl>(Use->getDecl()) : nullptr;
  return VD && VD->getType()->isReferenceType() ? VD : nullptr;
}

static const ParmVarDecl *parameterOf(const FunctionDecl &Callee, unsigned I) {
  const FunctionDecl *Definition = Callee.getDefinition();
  return Definition && I < Definition->getNumParams()
             ? Definition->getParamDecl(I)
             : nullptr;
}

namespace {
class ReferenceVisitor : public DynamicRecursiveASTVisitor {
public:
  ReferenceVisitor() { ShouldVisitTemplateInstantiations = true; }

  bool VisitVarDecl(VarDecl *VD) override {
    if (VD->getType()->isReferenceType() && VD->hasInit())
      bind(VD->getInit(), VD);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    if (const Expr *Of = operandOfAddressof(*E))
      take(Of);
    if (takesOneElement(*E))
      for (const Expr *Arg : E->arguments())
        if (const auto *Op = dyn_cast<UnaryOperator>(Arg->IgnoreParenCasts()))
          Allowed.insert(Op);
    const FunctionDecl *Callee = E->getDirectCallee();
    for (unsigned I = 0; Callee && I < E->getNumArgs(); ++I)
      if (I < Callee->getNumParams() &&
          Callee->getParamDecl(I)->getType()->isReferenceType() &&
          referenceIn(E->getArg(I))) {
        if (const ParmVarDecl *P = parameterOf(*Callee, I))
          bind(E->getArg(I), P);
        else
          take(E->getArg(I));
      }
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *E) override {
    if (E->getOpcode() == UO_Deref)
      if (const auto *Op =
              dyn_cast<UnaryOperator>(E->getSubExpr()->IgnoreParenCasts()))
        Allowed.insert(Op);
    if (E->getOpcode() == UO_AddrOf && !Allowed.contains(E))
      take(E->getSubExpr());
    return true;
  }

  llvm::DenseSet<const VarDecl *> escaping() {
    while (!Unfollowed.empty())
      for (const VarDecl *From : BoundTo.lookup(Unfollowed.pop_back_val()))
        escape(From);
    return std::move(Escaping);
  }

private:
  void escape(const VarDecl *VD) {
    if (Escaping.insert(VD).second)
      Unfollowed.push_back(VD);
  }
  void take(const Expr *E) {
    if (const VarDecl *VD = referenceIn(E))
      escape(VD);
  }
  void bind(const Expr *E, const VarDecl *To) {
    if (const VarDecl *From = referenceIn(E))
      BoundTo[To].push_back(From);
  }

  llvm::DenseSet<const VarDecl *> Escaping;
  llvm::SmallVector<const VarDecl *> Unfollowed;
  /// By reference: the references in whose place it stands.
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<const VarDecl *, 2>>
      BoundTo;
  llvm::DenseSet<const UnaryOperator *> Allowed; ///< used up where taken
};
} // namespace

EscapingReferences::EscapingReferences(ASTContext &Ctx) {
  ReferenceVisitor Visitor;
  forEachUserDecl(Ctx, [&](Decl *D) { Visitor.TraverseDecl(D); });
  Escaping = Visitor.escaping();
}

bool EscapingReferences::throughParameter(const FunctionDecl &Callee,
                                          unsigned I) const {
  if (I >= Callee.getNumParams() ||
      !Callee.getParamDecl(I)->getType()->isReferenceType())
    return false;
  const ParmVarDecl *P = parameterOf(Callee, I);
  return !P || contains(*P);
}

} // namespace warplint
