//===- HostPlace.cpp - Which bytes of which variable an lvalue names ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPlace.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace warplint::launch {

static bool hasLayout(const RecordDecl *R) {
  R = R ? R->getDefinition() : nullptr;
  return R && R->isCompleteDefinition() && !R->isInvalidDecl() &&
         !R->isDependentType();
}

const FunctionDecl *ownerOf(const VarDecl *V) {
  return dyn_cast_or_null<FunctionDecl>(V->getParentFunctionOrMethod());
}

std::optional<uint64_t> sizeOf(QualType T, const ASTContext &Ctx) {
  if (T.isNull() || T->isDependentType() || T->isIncompleteType() ||
      T->isFunctionType() || T->isVariableArrayType() || T->isSizelessType() ||
      T->isUndeducedType() || T->isReferenceType() || T->isPlaceholderType())
    return std::nullopt;
  QualType Element = Ctx.getBaseElementType(T);
  if (const RecordDecl *R = Element->getAsRecordDecl(); R && !hasLayout(R))
    return std::nullopt;
  return Ctx.getTypeSizeInChars(T).getQuantity();
}

std::optional<uint64_t> offsetOf(const FieldDecl *F, const ASTContext &Ctx) {
  if (F->isBitField() || F->isInvalidDecl() || !hasLayout(F->getParent()))
    return std::nullopt;
  return Ctx.getFieldOffset(F) / Ctx.getCharWidth();
}

HostPlace placeOf(const Expr *E, const ASTContext &Ctx,
                  llvm::SmallVectorImpl<const Expr *> *Path) {
  HostPlace P;
  std::optional<uint64_t> Size = sizeOf(E->getType(), Ctx);
  P.Size = Size.value_or(0);
  bool Known = Size.has_value();
  while (true) {
    E = E->IgnoreParens();
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      CastKind K = C->getCastKind();
      if (K != CK_NoOp && K != CK_ArrayToPointerDecay && K != CK_LValueBitCast)
        return P;
      E = C->getSubExpr();
      continue;
    }
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E)) {
      E = M->getSubExpr();
      continue;
    }
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (Path)
        Path->push_back(M);
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (!F)
        return P; // A static member, or a method.
      if (!P.Field)
        P.Field = F;
      if (M->isArrow())
        return P;
      std::optional<uint64_t> At = offsetOf(F, Ctx);
      Known = Known && At;
      P.Offset += At.value_or(0);
      E = M->getBase();
      continue;
    }
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      const Expr *Base = S->getBase()->IgnoreParens();
      const auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return P;
      const Expr *Array = Decay->getSubExpr();
      std::optional<uint64_t> Element = sizeOf(S->getType(), Ctx);
      Expr::EvalResult Index;
      if (Element && !S->getIdx()->isValueDependent() &&
          S->getIdx()->EvaluateAsInt(Index, Ctx) &&
          Index.Val.getInt().isNonNegative()) {
        P.Offset += *Element * Index.Val.getInt().getZExtValue();
      } else {
        std::optional<uint64_t> Whole = sizeOf(Array->getType(), Ctx);
        Known = Known && Whole;
        P.Offset = 0;
        P.Size = Whole.value_or(0);
        P.Exact = false;
      }
      E = Array;
      continue;
    }
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      if (Path)
        Path->push_back(D);
      if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
        P.Var = V;
        P.Ref = D;
        if (!Known) {
          // A bit-field or the like: anywhere in the variable.
          P.Offset = 0;
          P.Size = sizeOf(V->getType().getNonReferenceType(), Ctx).value_or(0);
          P.Exact = false;
        }
      }
      return P;
    }
    return P;
  }
}

namespace {
struct LeafWalk {
  const ASTContext &Ctx;
  unsigned Left;
  llvm::function_ref<void(uint64_t, QualType)> OnLeaf;

  bool walk(QualType T, uint64_t At) {
    std::optional<uint64_t> Size = sizeOf(T, Ctx);
    if (!Size)
      return false;
    if (const ConstantArrayType *A = Ctx.getAsConstantArrayType(T)) {
      uint64_t Step = sizeOf(A->getElementType(), Ctx).value_or(0);
      if (!Step || A->getSize().ugt(Left))
        return Step == 0;
      for (uint64_t I = 0, N = A->getSize().getZExtValue(); I < N; ++I)
        if (!walk(A->getElementType(), At + I * Step))
          return false;
      return true;
    }
    const RecordDecl *R = T->getAsRecordDecl();
    if (!R) {
      if (!Left)
        return false;
      --Left;
      OnLeaf(At, T);
      return true;
    }
    R = R->getDefinition();
    if (R->isUnion())
      return false;
    const ASTRecordLayout &Layout = Ctx.getASTRecordLayout(R);
    if (const auto *C = dyn_cast<CXXRecordDecl>(R)) {
      if (C->getNumVBases())
        return false;
      for (const CXXBaseSpecifier &B : C->bases()) {
        const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
        if (!Base || !walk(B.getType(),
                           At + Layout.getBaseClassOffset(Base).getQuantity()))
          return false;
      }
    }
    for (const FieldDecl *F : R->fields()) {
      if (F->isBitField() || F->getType()->isReferenceType())
        continue;
      if (!walk(F->getType(), At + Layout.getFieldOffset(F->getFieldIndex()) /
                                       Ctx.getCharWidth()))
        return false;
    }
    return true;
  }
};
} // namespace

bool forEachLeaf(QualType T, const ASTContext &Ctx, unsigned Limit,
                 llvm::function_ref<void(uint64_t, QualType)> OnLeaf) {
  return LeafWalk{Ctx, Limit, OnLeaf}.walk(T, 0);
}

} // namespace warplint::launch
