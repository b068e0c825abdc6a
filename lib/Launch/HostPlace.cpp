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

bool isScalar(QualType T) { return !T->isRecordType() && !T->isArrayType(); }

std::optional<uint64_t> offsetOf(const FieldDecl *F, const ASTContext &Ctx) {
  if (F->isBitField() || F->isInvalidDecl() || !hasLayout(F->getParent()))
    return std::nullopt;
  return Ctx.getFieldOffset(F) / Ctx.getCharWidth();
}

uint64_t offsetOf(const CXXRecordDecl *Base, const RecordDecl *Derived,
                  const ASTContext &Ctx) {
  return uint64_t(
      Ctx.getASTRecordLayout(Derived).getBaseClassOffset(Base).getQuantity());
}

std::optional<uint64_t> offsetOfBase(const CastExpr *C, QualType From,
                                     const ASTContext &Ctx) {
  uint64_t Offset = 0;
  const CXXRecordDecl *R = From->getAsCXXRecordDecl();
  for (const CXXBaseSpecifier *B : C->path()) {
    const CXXRecordDecl *To = B->getType()->getAsCXXRecordDecl();
    if (!To || B->isVirtual() || !hasLayout(R))
      return std::nullopt;
    Offset += offsetOf(To, R, Ctx);
    R = To;
  }
  return Offset;
}

static bool isToBase(const CastExpr *C) {
  return C->getCastKind() == CK_DerivedToBase ||
         C->getCastKind() == CK_UncheckedDerivedToBase;
}

/// Follows the pointer \p E to the parameter or `this` that it is.
static void followPointer(const Expr *E, const ASTContext &Ctx, HostPlace &P) {
  while (true) {
    E = E->IgnoreParens();
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      switch (C->getCastKind()) {
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
        if (std::optional<uint64_t> Base = offsetOfBase(
                C, C->getSubExpr()->getType()->getPointeeType(), Ctx))
          P.Offset += *Base;
        else
          return;
        break;
      case CK_NoOp:
      case CK_LValueToRValue:
      case CK_BitCast:
        break;
      default:
        return;
      }
      E = C->getSubExpr();
      continue;
    }
    if (isa<CXXThisExpr>(E))
      P.ThroughThis = true;
    else if (const auto *D = dyn_cast<DeclRefExpr>(E))
      if (const auto *V = dyn_cast<ParmVarDecl>(D->getDecl());
          V && V->getType()->isAnyPointerType())
        P.Through = V;
    return;
  }
}

const Expr *namedPointer(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (isa<CXXThisExpr>(E))
    return E;
  const auto *D = dyn_cast<DeclRefExpr>(E);
  return D && isa<ParmVarDecl>(D->getDecl()) &&
                 D->getDecl()->getType()->isAnyPointerType()
             ? E
             : nullptr;
}

const Decl *pointeeKey(const HostPlace &P, const FunctionDecl *In) {
  if (P.Through)
    return P.Through;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(In);
  return P.ThroughThis && Method && !Method->getParent()->isLambda() ? Method
                                                                     : nullptr;
}

HostPlace pointeeOf(const Expr *E, const ASTContext &Ctx) {
  QualType Pointee = E->getType()->getPointeeType();
  const Expr *Bare = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(Bare);
      U && U->getOpcode() == UO_AddrOf)
    return placeOf(U->getSubExpr(), Ctx);
  if (Bare->getType()->isArrayType())
    return placeOf(Bare, Ctx);
  HostPlace P;
  if (const Expr *Named = namedPointer(E))
    Pointee = Named->getType()->getPointeeType();
  if (!Pointee.isNull())
    P.Size = sizeOf(Pointee, Ctx).value_or(0);
  followPointer(E, Ctx, P);
  return P;
}

/// The array under a subscript, or null when a pointer is subscripted.
static const Expr *subscriptedArray(const ArraySubscriptExpr *S) {
  const auto *Decay = dyn_cast<ImplicitCastExpr>(S->getBase()->IgnoreParens());
  return Decay && Decay->getCastKind() == CK_ArrayToPointerDecay
             ? Decay->getSubExpr()
             : nullptr;
}

HostPlace placeOf(const Expr *E, const ASTContext &Ctx,
                  llvm::SmallVectorImpl<const Expr *> *Path) {
  HostPlace P;
  std::optional<uint64_t> Size = sizeOf(E->getType(), Ctx);
  P.Size = Size.value_or(0);
  bool Known = Size.has_value();
  auto Anywhere = [&](uint64_t In) {
    P.Offset = 0;
    P.Size = In;
    P.Exact = false;
  };
  while (true) {
    E = E->IgnoreParens();
    if (const auto *C = dyn_cast<CastExpr>(E)) {
      CastKind K = C->getCastKind();
      if (isToBase(C)) {
        std::optional<uint64_t> Base =
            offsetOfBase(C, C->getSubExpr()->getType(), Ctx);
        if (!Base)
          return P;
        P.Offset += *Base;
      } else if (K != CK_NoOp && K != CK_ArrayToPointerDecay &&
                 K != CK_LValueBitCast) {
        return P;
      }
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
      std::optional<uint64_t> At = offsetOf(F, Ctx);
      Known = Known && At;
      P.Offset += At.value_or(0);
      E = M->getBase();
      if (!M->isArrow())
        continue;
      if (!Known)
        Anywhere(0);
      followPointer(E, Ctx, P);
      return P;
    }
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_Deref) {
      if (Path)
        Path->push_back(U);
      if (!Known)
        Anywhere(0);
      followPointer(U->getSubExpr(), Ctx, P);
      return P;
    }
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      const Expr *Array = subscriptedArray(S);
      std::optional<uint64_t> Element = sizeOf(S->getType(), Ctx);
      Expr::EvalResult Index;
      if (Element && !S->getIdx()->isValueDependent() &&
          S->getIdx()->EvaluateAsInt(Index, Ctx) &&
          Index.Val.getInt().isNonNegative()) {
        P.Offset += *Element * Index.Val.getInt().getZExtValue();
      } else if (Array) {
        std::optional<uint64_t> Whole = sizeOf(Array->getType(), Ctx);
        Known = Known && Whole;
        Anywhere(Whole.value_or(0));
      } else {
        Anywhere(0);
      }
      if (!Array) {
        if (Path)
          Path->push_back(S);
        followPointer(S->getBase(), Ctx, P);
        return P;
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
        if (V->getType()->isReferenceType())
          P.Through = dyn_cast<ParmVarDecl>(V);
        if (!Known) // A bit-field or the like: anywhere in the variable.
          Anywhere(sizeOf(V->getType().getNonReferenceType(), Ctx).value_or(0));
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
