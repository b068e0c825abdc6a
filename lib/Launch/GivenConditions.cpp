//===- GivenConditions.cpp - What holds where a launch is made ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GivenConditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warplint::launch {

/// \p E is made of constants, and of locals of \p In that nothing writes to
/// once they have their first value.
static bool keepsItsValue(const Expr *E, const FunctionDecl *In,
                          const HostIndex &Index) {
  E = E->IgnoreParenCasts();
  if (isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral>(E))
    return true;
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (isa<EnumConstantDecl>(D->getDecl()))
      return true;
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V || V->getType()->isReferenceType() ||
        V->getType().isVolatileQualified() || !V->hasLocalStorage() ||
        V->getDeclContext() != In)
      return false;
    const Uses &U = Index.usesOf(V);
    return U.Writes.empty() && !U.Escapes;
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return (U->isArithmeticOp() || U->getOpcode() == UO_LNot) &&
           keepsItsValue(U->getSubExpr(), In, Index);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return !B->isAssignmentOp() && keepsItsValue(B->getLHS(), In, Index) &&
           keepsItsValue(B->getRHS(), In, Index);
  return false;
}

static llvm::FoldingSetNodeID idOf(const Expr *Condition,
                                   const ASTContext &Ctx) {
  llvm::FoldingSetNodeID Id;
  Condition->IgnoreParenImpCasts()->Profile(Id, Ctx, /*Canonical=*/true);
  return Id;
}

void GivenConditions::add(const Expr *Condition, bool Holds, const Launch &L,
                          const HostIndex &Index) {
  const Expr *E = Condition->IgnoreParenImpCasts();
  // Both of `a && b` hold; neither of `a || b` does where that does not.
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == (Holds ? BO_LAnd : BO_LOr)) {
    add(B->getLHS(), Holds, L, Index);
    add(B->getRHS(), Holds, L, Index);
  }
  if (keepsItsValue(E, L.In, Index))
    Known.push_back({idOf(E, Ctx), Holds});
}

GivenConditions::GivenConditions(const Launch &L, const HostIndex &Index,
                                 const ASTContext &Ctx)
    : Ctx(Ctx) {
  if (L.In)
    for (const Guard &G : L.Guards)
      if (G.Condition && !G.Switch)
        add(G.Condition, !G.Negated, L, Index);
  if (Known.empty())
    return;
  bool Decides = false;
  Index.forEachVariable([&](const VarDecl *V, const Uses &U) {
    if (Decides || V->getDeclContext() != L.In)
      return;
    Decides = llvm::any_of(U.Writes, [&](const Write &W) {
      return llvm::any_of(W.Guards, [&](const Guard &G) {
        return G.Condition && !G.Switch &&
               valueOf(G.Condition) == std::optional<bool>(G.Negated);
      });
    });
  });
  if (!Decides)
    Known.clear();
}

std::optional<bool> GivenConditions::valueOf(const Expr *Condition) const {
  if (Known.empty())
    return std::nullopt;
  const llvm::FoldingSetNodeID Id = idOf(Condition, Ctx);
  for (const auto &[Given, Holds] : Known)
    if (Given == Id)
      return Holds;
  return std::nullopt;
}

} // namespace warplint::launch
