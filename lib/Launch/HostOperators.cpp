//===- HostOperators.cpp - Casts and operators of host expressions --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"

using namespace clang;

namespace warplint::launch {

HostValue HostEvaluator::evaluateCast(const CastExpr *E, Frame &F) {
  const Expr *Sub = E->getSubExpr();
  QualType T = E->getType();
  switch (E->getCastKind()) {
  case CK_ArrayToPointerDecay:
    return addressOf(Sub, F);
  case CK_NullToPointer:
    return HostValue::unknown("nullptr");
  case CK_FunctionToPointerDecay:
  case CK_BuiltinFnToFnPtr:
    return evaluate(Sub, F);
  case CK_UserDefinedConversion:
  case CK_ConstructorConversion:
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_BitCast:
  case CK_LValueBitCast:
  case CK_AddressSpaceConversion:
  case CK_AtomicToNonAtomic:
  case CK_NonAtomicToAtomic:
    return evaluate(Sub, F);
  case CK_PointerToIntegral: {
    // A pointer's bits keep the alignment of the allocation only.
    HostValue V = evaluate(Sub, F);
    HostValue R = HostValue::unknown(V.BaseName);
    R.Grants = V.Grants;
    return R;
  }
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral: {
    HostValue V = evaluate(Sub, F);
    if (V.isInteger() && T->isIntegralOrEnumerationType()) {
      if (T->isBooleanType())
        V.Int = V.Int != 0;
      else
        V.Int = wrapTo(V.Int, Ctx.getIntWidth(T),
                       T->isSignedIntegerOrEnumerationType());
    } else if (!V.Among.empty() && T->isIntegralOrEnumerationType()) {
      // x + 0 in the new type.
      HostValue R = foldTyped(BO_Add, V, HostValue::integer(0), T);
      R.Divisor = std::gcd(R.Divisor, V.Divisor);
      return R;
    }
    return V;
  }
  case CK_PointerToBoolean: {
    HostValue V = evaluate(Sub, F);
    std::optional<bool> Null = isNullText(V);
    if (!Null)
      return opaque(E);
    HostValue R = HostValue::integer(!*Null);
    R.Grants = V.Grants;
    return R;
  }
  case CK_IntegralToBoolean: {
    HostValue V = evaluate(Sub, F);
    if (V.isInteger())
      V.Int = V.Int != 0;
    else
      V.Divisor = 1;
    V.Among.clear();
    return V;
  }
  case CK_IntegralToFloating: {
    HostValue V = evaluate(Sub, F);
    if (!V.isInteger()) {
      HostValue R = HostValue::unknown(V.Culprit);
      R.CommandLine = V.CommandLine;
      return R;
    }
    HostValue R =
        HostValue::floating(Sub->getType()->isUnsignedIntegerOrEnumerationType()
                                ? double(uint64_t(V.Int))
                                : double(V.Int));
    R.Grants = V.Grants;
    return R;
  }
  case CK_FloatingCast: {
    HostValue V = evaluate(Sub, F);
    if (V.K == HostValue::Floating &&
        T->isSpecificBuiltinType(BuiltinType::Float))
      V.Float = float(V.Float);
    return V;
  }
  case CK_FloatingToIntegral: {
    HostValue V = evaluate(Sub, F);
    constexpr double Limit = 9.0e18; // inside int64_t
    if (V.K == HostValue::Floating && V.Float > -Limit && V.Float < Limit) {
      HostValue R =
          HostValue::integer(wrapTo(int64_t(V.Float), Ctx.getIntWidth(T),
                                    T->isSignedIntegerOrEnumerationType()));
      R.Grants = V.Grants;
      return R;
    }
    V = HostValue::unknown(V.Culprit);
    return V;
  }
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase: {
    HostValue V = evaluate(Sub, F);
    if (!Sub->getType()->isRecordType() || V.K != HostValue::Record)
      return V;
    std::optional<uint64_t> Offset = offsetOfBase(E, Sub->getType(), Ctx);
    return Offset ? V.slice(*Offset, sizeOf(T, Ctx).value_or(0))
                  : HostValue::unknown();
  }
  default: {
    HostValue V = foldConstant(E);
    return V.K == HostValue::Unknown ? opaque(E) : V;
  }
  }
}

HostValue HostEvaluator::evaluateUnary(const UnaryOperator *E, Frame &F) {
  switch (E->getOpcode()) {
  case UO_AddrOf:
    return addressOf(E->getSubExpr(), F);
  case UO_Deref: {
    const Expr *Sub = E->getSubExpr()->IgnoreParenImpCasts();
    // `*kernel` names the function it points to; `*&x` is x.
    if (E->getType()->isFunctionType())
      return evaluate(Sub, F);
    if (const auto *U = dyn_cast<UnaryOperator>(Sub);
        U && U->getOpcode() == UO_AddrOf)
      return evaluate(U->getSubExpr(), F);
    if (HostValue V = evaluate(E->getSubExpr(), F); isText(V))
      return loadOfText(V).value_or(opaque(E));
    if (std::optional<HostValue> V = behindParameter(E, F))
      return *V;
    return opaque(E);
  }
  case UO_Plus:
    return evaluate(E->getSubExpr(), F);
  case UO_Minus: {
    HostValue V = evaluate(E->getSubExpr(), F);
    if (V.K == HostValue::Floating) {
      V.Float = -V.Float;
      return V;
    }
    return foldTyped(BO_Sub, HostValue::integer(0), V, E->getType());
  }
  case UO_Not:
    return foldTyped(BO_Xor, evaluate(E->getSubExpr(), F),
                     HostValue::integer(-1), E->getType());
  case UO_LNot:
    return foldTyped(BO_EQ, evaluate(E->getSubExpr(), F), HostValue::integer(0),
                     E->getType());
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    HostValue V = evaluate(E->getSubExpr(), F);
    if (E->isPostfix())
      return V;
    if (E->getType()->isAnyPointerType())
      return offsetPointer(
          V, HostValue::integer(1),
          sizeOf(E->getType()->getPointeeType(), Ctx).value_or(1),
          E->isDecrementOp());
    return foldTyped(E->isIncrementOp() ? BO_Add : BO_Sub, V,
                     HostValue::integer(1), E->getType());
  }
  case UO_Extension:
    return evaluate(E->getSubExpr(), F);
  default:
    return HostValue::unknown();
  }
}

HostValue HostEvaluator::foldTyped(BinaryOperatorKind Op, const HostValue &L,
                                   const HostValue &R, QualType T) const {
  if (!T->isIntegralOrEnumerationType())
    return HostValue::unknown();
  return foldBinary(Op, L, R, Ctx.getIntWidth(T),
                    T->isSignedIntegerOrEnumerationType());
}

static std::optional<double> asDouble(const HostValue &V) {
  if (V.K == HostValue::Floating)
    return V.Float;
  if (V.isInteger())
    return double(V.Int);
  return std::nullopt;
}

static HostValue foldFloats(BinaryOperatorKind Op, const HostValue &L,
                            const HostValue &R) {
  std::optional<double> A = asDouble(L), B = asDouble(R);
  HostValue V;
  if (A && B) {
    switch (Op) {
    case BO_Add:
      V = HostValue::floating(*A + *B);
      break;
    case BO_Sub:
      V = HostValue::floating(*A - *B);
      break;
    case BO_Mul:
      V = HostValue::floating(*A * *B);
      break;
    case BO_Div:
      if (*B != 0)
        V = HostValue::floating(*A / *B);
      break;
    case BO_LT:
      V = HostValue::integer(*A < *B);
      break;
    case BO_GT:
      V = HostValue::integer(*A > *B);
      break;
    case BO_LE:
      V = HostValue::integer(*A <= *B);
      break;
    case BO_GE:
      V = HostValue::integer(*A >= *B);
      break;
    case BO_EQ:
      V = HostValue::integer(*A == *B);
      break;
    case BO_NE:
      V = HostValue::integer(*A != *B);
      break;
    default:
      break;
    }
  }
  if (V.K == HostValue::Unknown)
    V.Culprit = !A ? L.Culprit : R.Culprit;
  V.grantAll(L.Grants);
  V.grantAll(R.Grants);
  return V;
}

/// \p V as a \p T holds it.
static HostValue rounded(HostValue V, QualType T) {
  if (V.K == HostValue::Floating &&
      T->isSpecificBuiltinType(BuiltinType::Float))
    V.Float = float(V.Float);
  return V;
}

HostValue HostEvaluator::evaluateBinary(const BinaryOperator *E, Frame &F) {
  BinaryOperatorKind Op = E->getOpcode();
  if (Op == BO_Comma || Op == BO_Assign)
    return evaluate(E->getRHS(), F);
  if (E->isPtrMemOp())
    return opaque(E);
  if (E->isCompoundAssignmentOp())
    Op = BinaryOperator::getOpForCompoundAssignment(Op);
  QualType LT = E->getLHS()->getType(), RT = E->getRHS()->getType();
  HostValue L = evaluate(E->getLHS(), F), R = evaluate(E->getRHS(), F);
  if (LT->isAnyPointerType() && RT->isAnyPointerType())
    return comparedTexts(Op, L, R).value_or(HostValue::unknown(textOf(E)));
  if (LT->isAnyPointerType() && (Op == BO_Add || Op == BO_Sub))
    return offsetPointer(L, R, sizeOf(LT->getPointeeType(), Ctx).value_or(1),
                         Op == BO_Sub);
  if (RT->isAnyPointerType() && Op == BO_Add)
    return offsetPointer(R, L, sizeOf(RT->getPointeeType(), Ctx).value_or(1));
  if (LT->isRealFloatingType() || RT->isRealFloatingType())
    return rounded(foldFloats(Op, L, R), E->getType());
  if (!LT->isIntegralOrEnumerationType() || !RT->isIntegralOrEnumerationType())
    return HostValue::unknown(textOf(E));
  // Comparisons and divisions depend on the operands' type, not the result's.
  QualType T = E->getType();
  if (BinaryOperator::isComparisonOp(Op))
    T = LT;
  if (const auto *C = dyn_cast<CompoundAssignOperator>(E))
    if (C->getComputationResultType()->isIntegralOrEnumerationType())
      T = C->getComputationResultType();
  HostValue V = foldTyped(Op, L, R, T);
  if (V.isInteger() && E->getType()->isBooleanType())
    V.Int = V.Int != 0;
  else if (V.isInteger() && E->isCompoundAssignmentOp())
    V.Int = wrapTo(V.Int, Ctx.getIntWidth(E->getType()),
                   E->getType()->isSignedIntegerOrEnumerationType());
  if (V.K == HostValue::Unknown && V.Culprit.empty())
    V.Culprit = textOf(E);
  return V;
}

HostValue
HostEvaluator::evaluateConditional(const AbstractConditionalOperator *E,
                                   Frame &F) {
  HostValue Condition = evaluate(E->getCond(), F);
  if (Condition.isInteger()) {
    HostValue V =
        evaluate(Condition.Int ? E->getTrueExpr() : E->getFalseExpr(), F);
    V.grantAll(Condition.Grants);
    return V;
  }
  HostValue Arms[] = {evaluate(E->getTrueExpr(), F),
                      evaluate(E->getFalseExpr(), F)};
  const void *NoBranches[] = {nullptr, nullptr};
  return combine(E, textOf(E), Arms, NoBranches, E->getType());
}

} // namespace warplint::launch
