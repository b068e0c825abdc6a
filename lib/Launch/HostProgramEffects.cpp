//===- HostProgramEffects.cpp - What the expressions of a program do ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An expression is run part by part, in order; what a part with effects (a
/// call, an assignment) gave is kept in Done until the whole is evaluated, and
/// HostEvaluator does that.
///
//===----------------------------------------------------------------------===//

#include "HostProgram.h"

using namespace clang;

namespace warplint::launch {

// Elements of an array that are initialised one by one.
static constexpr uint64_t MaxElements = 256;

const void *HostProgram::allocate(std::optional<Rest> Fresh) {
  const void *Id =
      evaluator().identityOf("allocation " + std::to_string(++Serial));
  Allocated.insert(Id);
  if (Fresh) {
    Now.create(Id, *Fresh);
    Exposed.insert(Id);
  }
  return Id;
}

HostValue HostProgram::pointerTo(const VarDecl *V) {
  return HostValue::pointer(objectOf(V), V->getName(), 0);
}

HostValue HostProgram::peek(const Expr *X) {
  Frame &F = Stack.back()->F;
  return evaluator().Depth ? evaluator().evaluate(X, F)
                           : evaluator().evaluateAnew(X, F);
}

bool HostProgram::hasEffects(const Expr *X) {
  auto It = Effects.find(X);
  if (It != Effects.end())
    return It->second;
  bool Has = false;
  if (const auto *B = dyn_cast<BinaryOperator>(X))
    Has = B->isAssignmentOp();
  else if (const auto *U = dyn_cast<UnaryOperator>(X))
    Has = U->isIncrementDecrementOp();
  else if (const auto *C = dyn_cast<CXXConstructExpr>(X))
    Has = !C->getConstructor()->isTrivial();
  else
    Has = isa<CallExpr, CXXNewExpr, StmtExpr, CXXThrowExpr>(X);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(X))
    Has = hasEffects(D->getExpr());
  else if (const auto *D = dyn_cast<CXXDefaultInitExpr>(X))
    Has = hasEffects(D->getExpr());
  else if (!Has && !isa<UnaryExprOrTypeTraitExpr, LambdaExpr>(X))
    for (const Stmt *Child : X->children())
      if (const auto *Part = dyn_cast_or_null<Expr>(Child))
        Has |= hasEffects(Part);
  return Effects[X] = Has;
}

void HostProgram::runEffects(const Expr *X) {
  if (!X || !runs() || !hasEffects(X))
    return;
  if (Left == 0 || X->containsErrors() || X->isTypeDependent())
    return giveUp();
  --Left;
  if (const auto *C = dyn_cast<CallExpr>(X))
    return runCall(C);
  if (const auto *B = dyn_cast<BinaryOperator>(X)) {
    if (B->isLogicalOp())
      return runLogical(B);
    if (B->isAssignmentOp())
      return runAssignment(B);
  }
  if (const auto *U = dyn_cast<UnaryOperator>(X);
      U && U->isIncrementDecrementOp())
    return runStep(U);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(X))
    return runConditional(C);
  if (const auto *N = dyn_cast<CXXNewExpr>(X))
    return runNew(N);
  if (isa<CXXThrowExpr>(X)) {
    Alive = false; // Of a program that works.
    return;
  }
  if (isa<StmtExpr>(X))
    return giveUp();
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(X))
    return runEffects(D->getExpr());
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(X))
    return runEffects(D->getExpr());
  if (const auto *C = dyn_cast<CXXConstructExpr>(X);
      C && !C->getConstructor()->isTrivial() &&
      !C->getConstructor()->isCopyOrMoveConstructor()) {
    // A temporary.
    HostValue Object = HostValue::pointer(allocate(Rest::Uninitialised), "", 0);
    construct(C, Object);
    if (runs())
      Done[X] = {Now.load(Object.Base, 0, C->getType()), false};
    Now.destroy(Object.Base);
    return;
  }
  llvm::SmallVector<const Expr *, 2> Parts;
  for (const Stmt *Child : X->children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      Parts.push_back(Part);
  const auto *B = dyn_cast<BinaryOperator>(X);
  if (!B || B->isCommaOp())
    for (const Expr *Part : Parts)
      runEffects(Part);
  else
    runParts(Parts);
}

void HostProgram::runParts(llvm::ArrayRef<const Expr *> Parts) {
  auto Has = [&](const Expr *Part) { return hasEffects(Part); };
  if (llvm::none_of(Parts, Has))
    return;
  llvm::SmallVector<std::pair<const Expr *, HostValue>, 4> Read;
  if (Parts.size() > 1)
    for (const Expr *Part : Parts)
      if (!Has(Part) && !Part->getType()->isFunctionType())
        Read.push_back({Part->IgnoreParens(), peek(Part)});
  for (const Expr *Part : Parts)
    runEffects(Part);
  // It may be read before or after.
  for (const auto &[Part, Before] : Read)
    if (runs() && !peek(Part).sameAs(Before))
      Done[Part] = {HostValue::unknown(evaluator().textOf(Part)), false};
}

void HostProgram::runLogical(const BinaryOperator *X) {
  runEffects(X->getLHS());
  if (!runs())
    return;
  HostValue Left = peek(X->getLHS());
  const bool Or = X->getOpcode() == BO_LOr;
  HostValue Value = HostValue::unknown();
  auto Decided = [&] { Value = HostValue::integer(Or); };
  auto Second = [&] {
    runEffects(X->getRHS());
    if (!runs())
      return;
    HostValue Right = peek(X->getRHS());
    if (Right.isInteger() && Left.isInteger()) {
      Value = HostValue::integer(Right.Int != 0);
      Value.grantAll(Right.Grants);
    }
  };
  // `f() || g()`: g is called when f gives 0.
  if (Or)
    runEither(Left, Decided, Second);
  else
    runEither(Left, Second, Decided);
  if (!Left.isInteger())
    Value = HostValue::unknown();
  Value.grantAll(Left.Grants);
  Done[X] = {std::move(Value), false};
}

void HostProgram::runConditional(const AbstractConditionalOperator *X) {
  if (isa<BinaryConditionalOperator>(X))
    return giveUp();
  runEffects(X->getCond());
  if (!runs())
    return;
  HostValue Condition = peek(X->getCond()), Value = HostValue::bottom();
  auto Take = [&](const Expr *Arm) {
    runEffects(Arm);
    if (!runs() || X->getType()->isVoidType())
      return;
    HostValue V = X->isGLValue() ? bind(Arm) : peek(Arm);
    Value = joinRun(Value, V, evaluator().identityAt(X, 1));
  };
  runEither(
      Condition, [&] { Take(X->getTrueExpr()); },
      [&] { Take(X->getFalseExpr()); });
  Value.grantAll(Condition.Grants);
  Done[X] = {std::move(Value), X->isGLValue()};
}

/// \p V as a variable of type \p T holds it.
static HostValue converted(HostValue V, QualType T, const ASTContext &Ctx) {
  if (T->isBooleanType() && V.isInteger())
    V.Int = V.Int != 0;
  else if (T->isIntegralOrEnumerationType() && V.isInteger())
    V.Int = wrapTo(V.Int, Ctx.getIntWidth(T),
                   T->isSignedIntegerOrEnumerationType());
  else if (T->isIntegralOrEnumerationType() && V.K == HostValue::Floating)
    V = HostValue::unknown(V.Culprit);
  return V;
}

void HostProgram::runAssignment(const BinaryOperator *X) {
  runEffects(X->getRHS());
  runEffects(X->getLHS());
  if (!runs())
    return;
  QualType T = X->getLHS()->getType();
  HostValue V = converted(
      X->getOpcode() == BO_Assign ? peek(X->getRHS()) : peek(X), T, context());
  HostValue Address =
      X->isGLValue() ? placeOf(X->getLHS()) : HostValue::unknown();
  assign(X->getLHS(), T, V);
  Done[X] = {X->isGLValue() ? std::move(Address) : std::move(V),
             X->isGLValue()};
}

void HostProgram::runStep(const UnaryOperator *X) {
  runEffects(X->getSubExpr());
  if (!runs())
    return;
  QualType T = X->getSubExpr()->getType();
  HostValue Old = peek(X->getSubExpr());
  HostValue New =
      converted(evaluator().stepped(X, T, Stack.back()->F), T, context());
  HostValue Address = X->isGLValue() ? placeOf(X->getSubExpr()) : Old;
  assign(X->getSubExpr(), T, New);
  if (X->isGLValue())
    Done[X] = {std::move(Address), true};
  else
    Done[X] = {X->isPostfix() ? std::move(Old) : std::move(New), false};
}

void HostProgram::runNew(const CXXNewExpr *X) {
  for (const Expr *Placed : X->placement_arguments())
    runEffects(Placed);
  if (X->isArray() && *X->getArraySize())
    runEffects(*X->getArraySize());
  if (!runs())
    return;
  HostValue P = HostValue::pointer(allocate(Rest::Uninitialised), "", 0);
  QualType T = X->getAllocatedType();
  if (!X->isArray())
    Classes[P.Base] = T->getAsCXXRecordDecl();
  if (const Expr *Init = X->getInitializer()) {
    if (X->isArray())
      Now.create(P.Base,
                 isa<ImplicitValueInitExpr>(Init) ? Rest::Zero : Rest::Unknown);
    else
      initialise(P, T, Init);
  }
  Done[X] = {std::move(P), false};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool HostProgram::leadsAnywhere(const HostValue &P) const {
  if (P.K != HostValue::Pointer)
    return !P.isNull();
  return !Now.contains(P.Base) && !Allocated.contains(P.Base) &&
         !Named.contains(P.Base) && !evaluator().isText(P);
}

void HostProgram::store(const HostValue &Address, QualType T, HostValue V) {
  auto Grant = [&](HostValue &Leaf) {
    Leaf.grantAll(Control);
    Leaf.grantAll(Address.Grants);
    for (const Activation *Act : Stack) {
      Leaf.grantAll(Act->Grants);
      for (const LoopLevel *Level : Act->Levels)
        Leaf.grantAll(Level->Grants);
    }
    if (Leaf.K == HostValue::Pointer)
      Exposed.insert(Leaf.Base);
  };
  Grant(V);
  for (auto &[At, Leaf] : V.Leaves)
    Grant(Leaf);
  // Of a word of the command line, or the words.
  const bool Words = T->isAnyCharacterType() || T->isAnyPointerType();
  if (evaluator().isText(Address) ||
      (MayWriteWords && Words && leadsAnywhere(Address)))
    return giveUp();
  if (Address.K == HostValue::Pointer && Now.contains(Address.Base)) {
    if (Address.OffsetKnown)
      Now.store(Address.Base, Address.Int, T, V);
    else
      Now.loseSome(Address.Base, T);
  } else if (leadsAnywhere(Address)) {
    loseExposed(T);
  }
}

void HostProgram::assign(const Expr *Target, QualType T, HostValue V) {
  Target = Target->IgnoreParens();
  const auto *M = dyn_cast<MemberExpr>(Target);
  const auto *Field = M ? dyn_cast<FieldDecl>(M->getMemberDecl()) : nullptr;
  if (Field && Field->isBitField()) {
    HostValue Whole = M->isArrow() ? peek(M->getBase()) : placeOf(M->getBase());
    Whole.OffsetKnown = false; // Somewhere in it.
    return store(Whole, T, HostValue::unknown());
  }
  store(placeOf(Target), T, std::move(V));
}

void HostProgram::declare(const VarDecl *V) {
  Activation &Act = *Stack.back();
  if (!Act.Declared.contains(V)) {
    auto Outer = Objects.find(V);
    const bool Recursive = Outer != Objects.end();
    Act.Declared[V] = Recursive ? Outer->second : nullptr;
    Objects[V] =
        Recursive ? evaluator().identityOf("variable " + llvm::utostr(++Serial))
                  : V;
  }
  const void *Object = objectOf(V);
  Now.create(Object, Rest::Uninitialised);
  Classes[Object] = V->getType()->getAsCXXRecordDecl();
}

void HostProgram::initialise(const HostValue &Place, QualType T,
                             const Expr *Init) {
  Init = Init->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(Init))
    return initialise(Place, T, Full->getSubExpr());
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(Init))
    return initialise(Place, T, D->getExpr());
  auto At = [&](uint64_t Offset) {
    return offsetPointer(Place, HostValue::integer(int64_t(Offset)), 1);
  };
  if (const auto *C = dyn_cast<CXXConstructExpr>(Init)) {
    const CXXConstructorDecl *Ctor = C->getConstructor();
    if (Ctor->isTrivial() && Ctor->isDefaultConstructor()) {
      if (C->requiresZeroInitialization())
        store(Place, T, evaluator().zeroOf(T));
      return;
    }
    if (!Ctor->isCopyOrMoveConstructor() && !T->isArrayType())
      return construct(C, Place);
  }
  const auto *L = dyn_cast<InitListExpr>(Init);
  if (L && !L->isSemanticForm() && L->getSemanticForm())
    L = L->getSemanticForm();
  if (L && L->isTransparent() && L->getNumInits() == 1)
    return initialise(Place, T, L->getInit(0));
  const ConstantArrayType *A = context().getAsConstantArrayType(T);
  if (L && A) {
    QualType Element = A->getElementType();
    uint64_t Step = sizeOf(Element, context()).value_or(0);
    const bool Whole = Place.OffsetKnown && Place.Int == 0;
    if (!Step || L->getNumInits() > MaxElements)
      return Now.lose(Place.Base);
    // The filler is zero for all but classes.
    const Expr *Filler = L->getArrayFiller();
    if (A->getSize().ugt(L->getNumInits())) {
      const uint64_t Count = A->getSize().getZExtValue();
      if (!Filler || isa<ImplicitValueInitExpr>(Filler)) {
        if (Whole)
          Now.create(Place.Base, Rest::Zero);
        else if (Count > MaxElements)
          return Now.lose(Place.Base);
        else
          for (uint64_t I = L->getNumInits(); I < Count; ++I)
            store(At(I * Step), Element, evaluator().zeroOf(Element));
      } else {
        return Now.lose(Place.Base);
      }
    }
    for (unsigned I = 0; I < L->getNumInits() && runs(); ++I)
      initialise(At(I * Step), Element, L->getInit(I));
    return;
  }
  if (isa<ImplicitValueInitExpr>(Init) && A && A->getSize().ule(MaxElements)) {
    QualType Element = A->getElementType();
    uint64_t Step = sizeOf(Element, context()).value_or(0);
    for (uint64_t I = 0; Step && I < A->getSize().getZExtValue(); ++I)
      store(At(I * Step), Element, evaluator().zeroOf(Element));
    return;
  }
  const RecordDecl *R = T->getAsRecordDecl();
  if (L && R && !R->isUnion() && sizeOf(T, context())) {
    unsigned I = 0;
    if (const auto *C = dyn_cast<CXXRecordDecl>(R))
      for (const CXXBaseSpecifier &B : C->bases()) {
        const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
        if (I < L->getNumInits() && Base && !B.isVirtual())
          initialise(At(offsetOf(Base, R, context())), B.getType(),
                     L->getInit(I));
        ++I;
      }
    for (const FieldDecl *Field : R->fields()) {
      if (Field->isUnnamedBitField())
        continue;
      if (I >= L->getNumInits() || !runs())
        break;
      const Expr *Each = L->getInit(I++);
      if (std::optional<uint64_t> Offset = offsetOf(Field, context());
          Offset && Each && !Field->getType()->isReferenceType())
        initialise(At(*Offset), Field->getType(), Each);
    }
    return;
  }
  if (A || (R && R->isUnion()) || T->isVariableArrayType()) {
    runEffects(Init);
    return Now.lose(Place.Base); // A text, or a list for a union.
  }
  runEffects(Init);
  if (runs())
    store(Place, T, converted(peek(Init), T, context()));
}

HostValue HostProgram::bind(const Expr *X) {
  X = X->IgnoreParens();
  if (const auto *Full = dyn_cast<FullExpr>(X))
    return bind(Full->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(X)) {
    // In the next round of a loop it is in the same place.
    const void *Id = evaluator().identityAt(M, Stack.size() + 1);
    Now.create(Id, Rest::Unknown);
    Exposed.insert(Id);
    HostValue P = HostValue::pointer(Id, "", 0);
    store(P, M->getType(), peek(M->getSubExpr()));
    return P;
  }
  if (!X->isGLValue()) // An object that a method is called for.
    return HostValue::pointer(allocate(Rest::Unknown), "", 0);
  HostValue P = placeOf(X);
  if (P.K == HostValue::Pointer)
    Exposed.insert(P.Base);
  return P;
}

HostValue HostProgram::placeOf(const Expr *X) {
  return evaluator().addressOf(X, Stack.back()->F);
}

} // namespace warplint::launch
