//===- HostLoops.cpp - The values a loop's variable goes through ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "HostProgram.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace warplint::launch {

static void collectStatements(const Stmt *S,
                              llvm::DenseSet<const Stmt *> &Out) {
  Out.insert(S);
  for (const Stmt *Child : S->children())
    if (Child)
      collectStatements(Child, Out);
}

bool HostEvaluator::isInside(const Stmt *Whole, const Stmt *S) {
  auto [It, New] = Insides.try_emplace(Whole);
  if (New)
    collectStatements(Whole, It->second);
  return It->second.contains(S);
}

std::optional<std::vector<HostValue>>
HostEvaluator::loopValues(const VarDecl *V, const ForStmt *Loop,
                          const Stmt *Use, Frame &F) {
  if (!Loop->getCond() || !isInside(Loop->getBody(), Use))
    return std::nullopt;
  if (!Loop->getInit())
    return valuesByRunning(V, Loop, F);
  HostValue Value = HostValue::unknown();
  if (const auto *D = dyn_cast<DeclStmt>(Loop->getInit())) {
    for (const Decl *Each : D->decls())
      if (Each == V && V->getInit())
        Value = evaluate(V->getInit(), F);
  } else if (const auto *B = dyn_cast<BinaryOperator>(Loop->getInit());
             B && B->getOpcode() == BO_Assign &&
             placeOf(B->getLHS(), Ctx).Var == V) {
    Value = evaluate(B->getRHS(), F);
  }
  // From each value that it may start with; nothing else is in it.
  std::vector<HostValue> Values;
  for (int64_t Start : Value.values()) {
    HostValue First = HostValue::integer(Start);
    First.Grants = Value.Grants;
    if (!stepThrough(V, Loop, std::move(First), Values, F))
      return std::nullopt;
  }
  return Value.values().empty() ? std::nullopt : std::optional(Values);
}

bool HostEvaluator::stepThrough(const VarDecl *V, const ForStmt *Loop,
                                HostValue Value, std::vector<HostValue> &Values,
                                Frame &F) {
  auto Leave = llvm::scope_exit([&] { Stepped.erase(V); });
  while (Value.isInteger()) {
    Stepped[V] = Value;
    // Where only some of what the condition hangs on lets it go on, it may.
    HostValue Goes = evaluate(Loop->getCond(), F);
    if (Goes.values().empty())
      return false;
    Value.grantAll(Goes.Grants);
    // A guess does not say that the loop is never entered.
    if (Goes.isInteger() && !Goes.Int)
      return !Values.empty() || Goes.Culprit.empty();
    if (llvm::none_of(Values,
                      [&](const HostValue &X) { return X.sameAs(Value); })) {
      if (Values.size() == HostValue::MaxAmong)
        return false;
      Values.push_back(Value);
    }
    // The last part of a comma list that steps V.
    const Expr *Inc = Loop->getInc()->IgnoreParens();
    HostValue Next = HostValue::unknown();
    for (bool More = true; More;) {
      const Expr *Part = Inc;
      More = false;
      if (const auto *B = dyn_cast<BinaryOperator>(Inc);
          B && B->getOpcode() == BO_Comma) {
        Part = B->getRHS()->IgnoreParens();
        Inc = B->getLHS()->IgnoreParens();
        More = true;
      }
      if (const auto *U = dyn_cast<UnaryOperator>(Part);
          U && placeOf(U->getSubExpr(), Ctx).Var == V)
        Next = foldTyped(U->isIncrementOp() ? BO_Add : BO_Sub, Value,
                         HostValue::integer(1), V->getType());
      else if (const auto *B = dyn_cast<BinaryOperator>(Part);
               B && B->isAssignmentOp() && placeOf(B->getLHS(), Ctx).Var == V)
        Next = evaluate(B, F);
    }
    Value = Next;
  }
  return false;
}

std::optional<HostValue> HostEvaluator::rangeLoopValue(const VarDecl *V,
                                                       Frame &F) {
  const CXXForRangeStmt *Loop = Index.rangeLoopOf(V);
  Frame Other;
  Other.Function = ownerOf(V);
  std::optional<std::vector<HostValue>> Elements = elementsOf(
      Loop->getRangeInit(), Other.Function == F.Function ? F : Other);
  if (!Elements || Elements->empty())
    return std::nullopt;
  return combineIterations(V, *Elements, V->getType().getNonReferenceType(), F);
}

HostValue HostEvaluator::combineIterations(const VarDecl *V,
                                           llvm::ArrayRef<HostValue> Values,
                                           QualType T, const Frame &F) {
  if (Values.empty())
    return HostValue::bottom(); // The loop is never entered.
  if (isFirstRound(F))
    return Values.front();
  if (EveryIteration) {
    HostValue All = HostValue::bottom();
    for (const HostValue &Value : Values)
      All = join(All, Value);
    return All;
  }
  std::vector<const void *> Branches(Values.size(), nullptr);
  return combine(V, V->getName(), Values, Branches, T, /*Each=*/true);
}

std::optional<std::vector<HostValue>>
HostEvaluator::elementsOf(const Expr *Range, Frame &F) {
  const Expr *E = Range->IgnoreImplicit()->IgnoreParenImpCasts();
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    // `std::vector<int> sizes = {32, 64}` and `std::array`, never changed.
    if (V && V->getType()->isRecordType() && V->getInit() &&
        Index.usesOf(V).Writes.empty() && !Index.usesOf(V).Escapes) {
      const Expr *Init = V->getInit()->IgnoreImplicit();
      if (const auto *C = dyn_cast<CXXConstructExpr>(Init);
          C && C->getNumArgs() >= 1)
        E = C->getArg(0)->IgnoreImplicit();
      if (const auto *L = dyn_cast<InitListExpr>(Init);
          L && L->getNumInits() == 1 && L->getInit(0)->getType()->isArrayType())
        E = L->getInit(0);
    }
  }
  QualType T = E->getType();
  if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(E)) {
    E = L->getSubExpr()->IgnoreImplicit();
    T = E->getType();
  }
  const ConstantArrayType *A = Ctx.getAsConstantArrayType(T);
  if (!A || A->getSize().ugt(Choices::MaxAlternatives))
    return std::nullopt;
  QualType Element = A->getElementType();
  uint64_t Step = sizeOf(Element, Ctx).value_or(0);
  const unsigned Loads = Program ? Program->loads() : 0;
  HostValue Whole = evaluate(E, F);
  // A list that was made before, of what was in variables then.
  if (Program && Program->loads() != Loads && E != Range->IgnoreParenImpCasts())
    return std::nullopt;
  if (!Step || Whole.K != HostValue::Record)
    return std::nullopt;
  std::vector<HostValue> Elements;
  for (uint64_t I = 0; I < A->getSize().getZExtValue(); ++I)
    Elements.push_back(part(Whole, I * Step, Element, ""));
  return Elements;
}

} // namespace warplint::launch
