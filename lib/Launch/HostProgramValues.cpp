//===- HostProgramValues.cpp - What the variables of a program hold -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What HostEvaluator asks while it evaluates an expression of a program that
/// is run: what is stored where.
///
//===----------------------------------------------------------------------===//

#include "HostProgram.h"

using namespace clang;

namespace warplint::launch {

HostValue HostProgram::load(const HostValue &Address, const Expr *X) {
  QualType T = X->getType();
  HostValue V = HostValue::unknown();
  if (Address.K == HostValue::Pointer && Now.contains(Address.Base)) {
    ++Loads;
    V = Address.OffsetKnown ? Now.load(Address.Base, Address.Int, T)
                            : Now.loadAny(Address.Base, T);
    V.grantAll(Address.Grants);
  } else if (evaluator().isText(Address)) {
    if (std::optional<HostValue> Loaded = evaluator().loadOfText(Address))
      V = *Loaded;
  }
  if (V.K == HostValue::Bottom)
    V = HostValue::unknown();
  // Say where it is kept.
  if (V.K == HostValue::Pointer && V.BaseName.empty() && V.Base)
    V.BaseName = evaluator().textOf(X);
  if (V.K == HostValue::Unknown && T->isAnyPointerType() && !V.isNull())
    V = evaluator().opaque(X);
  if ((V.K == HostValue::Unknown || V.K == HostValue::Record) &&
      V.Culprit.empty())
    V.Culprit = evaluator().textOf(X);
  return V;
}

/// The variable that the lvalue \p X is a part of, or null.
static const VarDecl *rootOf(const Expr *X) {
  while (true) {
    X = X->IgnoreParens();
    if (const auto *M = dyn_cast<MemberExpr>(X); M && !M->isArrow()) {
      X = M->getBase();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(X)) {
      const auto *Decay = dyn_cast<ImplicitCastExpr>(S->getBase());
      if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay)
        return nullptr;
      X = Decay->getSubExpr();
    } else if (const auto *C = dyn_cast<CastExpr>(X);
               C && C->isGLValue() && C->getSubExpr()->isGLValue()) {
      X = C->getSubExpr();
    } else {
      const auto *D = dyn_cast<DeclRefExpr>(X);
      return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
    }
  }
}

std::optional<HostValue> HostProgram::valueOf(const Expr *X) {
  X = X->IgnoreParens();
  if (auto It = Done.find(X); It != Done.end())
    return It->second.IsAddress ? load(It->second.Value, X) : It->second.Value;
  if (isa<CXXThisExpr>(X))
    return Stack.back()->This.value_or(HostValue::unknown("this"));
  if (const auto *B = dyn_cast<BinaryOperator>(X);
      B && B->isComparisonOp() && B->getLHS()->getType()->isAnyPointerType()) {
    HostValue L = peek(B->getLHS()), R = peek(B->getRHS());
    if (L.K == HostValue::Pointer && R.K == HostValue::Pointer &&
        L.Base == R.Base && L.Base && L.OffsetKnown && R.OffsetKnown) {
      HostValue V = foldBinary(B->getOpcode(), HostValue::integer(L.Int),
                               HostValue::integer(R.Int), 64, true);
      V.grantAll(L.Grants);
      V.grantAll(R.Grants);
      return V;
    }
    return std::nullopt;
  }
  // From here on pointers of unknown origin may lead there, too.
  const Expr *Addressed = nullptr;
  if (const auto *U = dyn_cast<UnaryOperator>(X);
      U && U->getOpcode() == UO_AddrOf)
    Addressed = U->getSubExpr();
  else if (const auto *C = dyn_cast<CastExpr>(X);
           C && C->getCastKind() == CK_ArrayToPointerDecay)
    Addressed = C->getSubExpr();
  if (Addressed && Addressed->isGLValue() &&
      !Addressed->getType()->isFunctionType()) {
    HostValue P = evaluator().addressOf(Addressed, Stack.back()->F);
    if (P.K == HostValue::Pointer)
      Exposed.insert(P.Base);
    return P;
  }
  if (!X->isGLValue() || X->getType()->isFunctionType())
    return std::nullopt;
  const auto *D = dyn_cast<DeclRefExpr>(X);
  const auto *M = dyn_cast<MemberExpr>(X);
  const auto *U = dyn_cast<UnaryOperator>(X);
  if (!(D && isa<VarDecl>(D->getDecl())) &&
      !(M && isa<FieldDecl>(M->getMemberDecl())) &&
      !isa<ArraySubscriptExpr>(X) && !(U && U->getOpcode() == UO_Deref))
    return std::nullopt;
  if (M && cast<FieldDecl>(M->getMemberDecl())->getParent()->getName() ==
               "cudaDeviceProp")
    return std::nullopt; // What is the same on every GPU.
  if (const VarDecl *V = rootOf(X);
      V && !V->getType()->isReferenceType() && !Now.contains(objectOf(V))) {
    if (V->getName() == "optarg" || V->getName() == "optind")
      return evaluator().optionVariable(V->getName());
    // A parameter of a function of a library, which is only evaluated.
    if (V->hasLocalStorage() && ownerOf(V) != Stack.back()->F.Function)
      return std::nullopt;
    const Uses &Used = index().usesOf(V);
    if (V->isConstexpr() || V->getType().isConstQualified() ||
        (V->hasGlobalStorage() && Used.Writes.empty() && !Used.Escapes))
      return std::nullopt; // What it starts with.
    return evaluator().opaque(X);
  }
  // A part of a value.
  if (M && !M->isArrow()) {
    const Expr *Base = M->getBase()->IgnoreParens();
    if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(Base))
      Base = T->getSubExpr();
    if (!Base->isGLValue()) {
      std::optional<uint64_t> At =
          offsetOf(cast<FieldDecl>(M->getMemberDecl()), context());
      return At ? evaluator().part(peek(Base), *At, M->getType(),
                                   evaluator().textOf(X))
                : HostValue::unknown(evaluator().textOf(X));
    }
  }
  return load(evaluator().addressOf(X, Stack.back()->F), X);
}

std::optional<HostValue> HostProgram::addressOf(const Expr *X) {
  X = X->IgnoreParens();
  if (auto It = Done.find(X); It != Done.end() && It->second.IsAddress)
    return It->second.Value;
  if (const auto *D = dyn_cast<DeclRefExpr>(X)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (!V)
      return std::nullopt;
    if (V->getType()->isReferenceType()) {
      if (Now.contains(objectOf(V)))
        return Now.load(objectOf(V), 0, context().VoidPtrTy);
      return std::nullopt;
    }
    Named.insert(objectOf(V));
    return pointerTo(V);
  }
  const auto *C = dyn_cast<CastExpr>(X);
  if (!C || !C->isGLValue() || !C->getSubExpr()->isGLValue())
    return std::nullopt;
  if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueBitCast)
    return evaluator().addressOf(C->getSubExpr(), Stack.back()->F);
  if (C->getCastKind() == CK_DerivedToBase ||
      C->getCastKind() == CK_UncheckedDerivedToBase) {
    std::optional<uint64_t> Offset =
        offsetOfBase(C, C->getSubExpr()->getType(), context());
    if (!Offset)
      return std::nullopt;
    return offsetPointer(
        evaluator().addressOf(C->getSubExpr(), Stack.back()->F),
        HostValue::integer(int64_t(*Offset)), 1);
  }
  return std::nullopt;
}

std::optional<bool> HostProgram::isNull(const HostValue &V) const {
  if (V.isNull())
    return true;
  if (V.K == HostValue::Function ||
      (V.K == HostValue::Pointer &&
       (Now.contains(V.Base) || Allocated.contains(V.Base) ||
        evaluator().isText(V))))
    return false;
  return std::nullopt;
}

} // namespace warplint::launch
