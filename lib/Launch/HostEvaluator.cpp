//===- HostEvaluator.cpp - Evaluate host expressions without running them -===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "GivenConditions.h"
#include "HostProgram.h"
#include "warplint/Driver/ShortText.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace warplint::launch {

// For one condition on the way to a value, and for all of one launch.
static constexpr unsigned MaxStepsOfCondition = 1000;
static constexpr unsigned MaxStepsToDecide = 100000;
static constexpr unsigned MaxLeaves = 64;
// Rounds until a value that depends on itself is given up. Divisors fall to
// their fixed point in two or three.
static constexpr unsigned MaxRounds = 5;

void HostEvaluator::beginProgram(HostProgram *P) {
  begin();
  Lenient = First = EveryIteration = false;
  Scan = OptionScan();
  Program = P;
}

void HostEvaluator::begin() {
  Picks = Choices();
  StepsToDecide = 0;
  Known.clear();
  Steps = 0;
}

bool HostEvaluator::nextAlternative() {
  Known.clear();
  Steps = 0;
  return Picks.advance();
}

bool HostEvaluator::isFeasible(llvm::ArrayRef<Guard> Guards, Frame &F) {
  for (const Guard &G : Guards) {
    HostValue V = evaluateAnew(G.Switch ? G.Switch->getCond() : G.Condition, F);
    // What the command line may change rules nothing out.
    if (!V.isInteger() || !(V.Grants.empty() || restsOnRun(V.Grants)))
      continue;
    if (!G.Switch) {
      if ((V.Int != 0) == G.Negated)
        return false;
      continue;
    }
    const SwitchCase *Taken = nullptr, *Default = nullptr;
    for (const SwitchCase *S = G.Switch->getSwitchCaseList(); S;
         S = S->getNextSwitchCase()) {
      const auto *C = dyn_cast<CaseStmt>(S);
      if (!C) {
        Default = S;
        continue;
      }
      HostValue Label = foldConstant(C->getLHS());
      if (!Label.isInteger() || C->getRHS())
        return true;
      if (Label.Int == V.Int)
        Taken = C;
    }
    if (!llvm::is_contained(G.Labels, Taken ? Taken : Default))
      return false;
  }
  return true;
}

HostValue HostEvaluator::underGuards(const HostValue &Value, const VarDecl *V,
                                     llvm::ArrayRef<Guard> Guards, Frame &F) {
  // A guess rules nothing out.
  const bool Guessed = Value.isInteger() && !Value.Culprit.empty();
  if (Value.values().empty() || Guessed || Guards.empty() ||
      Stepped.contains(V))
    return Value;
  std::vector<int64_t> Left;
  for (int64_t X : Value.values()) {
    Stepped[V] = HostValue::integer(X);
    if (isFeasible(Guards, F))
      Left.push_back(X);
  }
  Stepped.erase(V);
  if (Left.size() == Value.values().size())
    return Value;
  if (Left.empty())
    return HostValue::bottom();
  HostValue Some = HostValue::oneOf(std::move(Left));
  Some.Culprit = Value.Culprit;
  Some.Grants = Value.Grants;
  return Some;
}

HostValue HostEvaluator::solve(CycleKey Key,
                               llvm::function_ref<HostValue()> Compute) {
  auto [Entry, New] = InProgress.try_emplace(Key);
  if (!New) {
    Entry->second.Used = true;
    OutermostCut = std::min(OutermostCut, Entry->second.Level);
    return Entry->second.Value;
  }
  auto Leave = llvm::scope_exit([&, It = Entry] { InProgress.erase(It); });
  Approximation &Current = Entry->second;
  Current.Level = unsigned(InProgress.size()) - 1;
  HostValue Value = Compute();
  if (!Current.Used)
    return Value;
  // What is true for one alternative need not be for the next round.
  bool WasSuspended = Picks.suspend(true);
  bool WasLenient = std::exchange(Lenient, false);
  auto Restore = llvm::scope_exit([&] {
    Picks.suspend(WasSuspended);
    Lenient = WasLenient;
  });
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    HostValue Next = join(Current.Value, Value);
    Next.Among.clear(); // a cycle could add one at a time
    if (Next.sameAs(Current.Value))
      return Value;
    Current.Value = Next;
    Value = Compute();
  }
  return HostValue::unknown(Value.Culprit);
}

HostValue HostEvaluator::cached(UseKey Key, const Frame &F,
                                llvm::function_ref<HostValue()> Compute) {
  // What an inlined call's parameters or a loop being stepped give is of this
  // moment only.
  if (F.Inlined || F.Given || F.This || !Stepped.empty() || Program)
    return Compute();
  Key.Lenient = Lenient;
  Key.Suspended = Picks.isSuspended();
  Key.EveryIteration = EveryIteration;
  Key.First = First;
  if (auto It = Settled.find(Key); It != Settled.end())
    return It->second;
  if (auto It = Known.find(Key); It != Known.end()) {
    Picks.noteQuestion(); // What rests on it is of this run, too.
    return It->second;
  }
  unsigned OuterCut = std::exchange(OutermostCut, ~0u);
  unsigned Questions = Picks.questions();
  HostValue Value = Compute();
  // A value that rests on what is still in progress around it is not final.
  if (OutermostCut >= InProgress.size())
    (Picks.questions() == Questions ? Settled : Known)[Key] = Value;
  OutermostCut = std::min(OutermostCut, OuterCut);
  return Value;
}

HostValue HostEvaluator::evaluate(const Expr *E, Frame &F) {
  if (!E || Depth >= MaxDepth || ++Steps > MaxSteps)
    return HostValue::unknown();
  if (E->isTypeDependent() || E->isValueDependent() || E->containsErrors())
    return HostValue::unknown();
  ++Depth;
  auto Leave = llvm::scope_exit([&] { --Depth; });
  return evaluateUnguarded(E, F);
}

HostValue HostEvaluator::evaluateUnguarded(const Expr *E, Frame &F) {
  E = E->IgnoreParens();
  if (Program)
    if (std::optional<HostValue> V = Program->valueOf(E))
      return *V;
  if (const auto *C = dyn_cast<CastExpr>(E))
    return evaluateCast(C, F);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(B, F);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(U, F);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return evaluateConditional(C, F);
  if (const auto *M = dyn_cast<MemberExpr>(E))
    return member(M, F);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return cached({C, nullptr, 0, nullptr, false, false, false}, F,
                  [&] { return evaluateCall(C, F); });
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return evaluateConstruct(C, F);
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return evaluateSubscript(S, F);
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return evaluateInitList(L, F);
  if (const auto *L = dyn_cast<LambdaExpr>(E))
    return evaluateLambda(L, F);
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      return variable(V, D, 0, V->getType().getNonReferenceType(), F);
    if (const auto *Fn = dyn_cast<FunctionDecl>(D->getDecl()))
      return HostValue::function(Fn);
    return foldConstant(E);
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return evaluate(M->getSubExpr(), F);
  if (const auto *Full =
          dyn_cast<FullExpr>(E)) // ExprWithCleanups, ConstantExpr
    return evaluate(Full->getSubExpr(), F);
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return evaluate(B->getSubExpr(), F);
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(S->getReplacement(), F);
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return evaluate(D->getExpr(), F);
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return evaluate(D->getExpr(), F);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(E))
    return zeroOf(E->getType());
  if (const auto *S = dyn_cast<CXXStdInitializerListExpr>(E))
    return evaluate(S->getSubExpr(), F);
  if (const auto *C = dyn_cast<CompoundLiteralExpr>(E))
    return evaluate(C->getInitializer(), F);
  if (const auto *N = dyn_cast<CXXNewExpr>(E))
    return HostValue::pointer(N, "", 0);
  return foldConstant(E);
}

HostValue HostEvaluator::foldConstant(const Expr *E) const {
  if (E->isValueDependent() || E->containsErrors())
    return HostValue::unknown();
  QualType T = E->getType();
  if (T->isIntegralOrEnumerationType()) {
    Expr::EvalResult R;
    if (E->EvaluateAsInt(R, Ctx) && R.Val.getInt().getBitWidth() <= 64)
      return HostValue::integer(
          int64_t(R.Val.getInt().extOrTrunc(64).getZExtValue()));
  } else if (T->isRealFloatingType()) {
    llvm::APFloat Value(0.0);
    if (E->EvaluateAsFloat(Value, Ctx))
      return HostValue::floating(Value.convertToDouble());
  }
  return HostValue::unknown();
}

HostValue HostEvaluator::zeroOf(QualType T) const {
  if (T->isIntegralOrEnumerationType())
    return HostValue::integer(0);
  if (T->isRealFloatingType())
    return HostValue::floating(0);
  if (T->isAnyPointerType() || T->isNullPtrType())
    return HostValue::unknown("nullptr");
  // Of vectors, complex numbers and pointers to members nothing is noted.
  if (!T->isRecordType() && !T->isConstantArrayType())
    return HostValue::unknown();
  HostValue R = HostValue::record();
  forEachLeaf(T, Ctx, MaxLeaves,
              [&](uint64_t At, QualType Leaf) { R.setLeaf(At, zeroOf(Leaf)); });
  return R;
}

HostValue HostEvaluator::part(const HostValue &Whole, uint64_t Offset,
                              QualType T, llvm::StringRef Name) const {
  if (Whole.K == HostValue::Bottom)
    return Whole;
  bool Scalar = isScalar(T);
  // A std::string is the text it was made of.
  if (Whole.K != HostValue::Record)
    return (Scalar || textIn(Whole)) && Offset == 0
               ? Whole
               : HostValue::unknown(Whole.Culprit.empty() ? Name.str()
                                                          : Whole.Culprit);
  if (!Scalar)
    return Whole.slice(Offset, sizeOf(T, Ctx).value_or(0));
  if (const HostValue *Leaf = Whole.leaf(Offset)) {
    HostValue V = *Leaf;
    V.grantAll(Whole.Grants);
    return V;
  }
  return HostValue::unknown(Whole.Culprit.empty() ? Name.str() : Whole.Culprit);
}

HostValue HostEvaluator::opaque(const Expr *E) {
  std::string Text = textOf(E);
  if (E->getType()->isAnyPointerType())
    return HostValue::pointer(identityNow(Text), Text, 0);
  return HostValue::unknown(Text);
}

std::string HostEvaluator::textOf(const Expr *E) const {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  E->IgnoreParenImpCasts()->printPretty(OS, nullptr, Ctx.getPrintingPolicy());
  std::string Line;
  for (char C : Text)
    if (C != '\n')
      Line += C;
  // Members as in the source, where `this` is not written.
  constexpr llvm::StringRef This = "this->";
  for (size_t At = 0; (At = Line.find(This, At)) != std::string::npos;)
    Line.erase(At, This.size());
  constexpr size_t MaxText = 40;
  return shortened(Line, MaxText);
}

const void *HostEvaluator::identityOf(llvm::StringRef Text) {
  return Texts.insert(Text).first->getKeyData();
}

const void *HostEvaluator::identityNow(const std::string &Text) {
  return identityOf(Program ? Text + "@" + llvm::utostr(Program->moment())
                            : Text);
}

const void *HostEvaluator::identityAt(const void *Of, uint64_t Offset) {
  if (!Offset)
    return Of;
  return identityOf(llvm::utostr(reinterpret_cast<uintptr_t>(Of)) + "+" +
                    llvm::utostr(Offset));
}

HostValue HostEvaluator::evaluateSubscript(const ArraySubscriptExpr *E,
                                           Frame &F) {
  const Expr *Base = E->getBase()->IgnoreParens();
  const auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
  if (!Decay || Decay->getCastKind() != CK_ArrayToPointerDecay) {
    HostValue V = evaluate(Base, F);
    if (isText(V)) {
      HostValue At = evaluate(E->getIdx(), F);
      V.grantAll(At.Grants);
      return loadOfText(
                 offsetPointer(V, At, sizeOf(E->getType(), Ctx).value_or(1)))
          .value_or(opaque(E));
    }
    if (std::optional<HostValue> V = behindParameter(E, F))
      return *V;
    // argv[i]
    return V.K == HostValue::Unknown && V.CommandLine ? V : opaque(E);
  }
  HostPlace P = placeOf(E, Ctx);
  if (P.Var && P.Exact && !P.Var->getType()->isReferenceType()) {
    HostValue V = variable(P.Var, P.Ref, P.Offset, E->getType(), F);
    return V.K == HostValue::Unknown && V.Divisor == 1 ? opaque(E) : V;
  }
  HostValue Index = evaluate(E->getIdx(), F);
  HostValue Array = evaluate(Decay->getSubExpr(), F);
  uint64_t Step = sizeOf(E->getType(), Ctx).value_or(0);
  if (Array.K == HostValue::Record && Index.isInteger() && Step) {
    HostValue V = part(Array, uint64_t(Index.Int) * Step, E->getType(), "");
    V.grantAll(Index.Grants);
    if (V.K != HostValue::Unknown)
      return V;
  }
  // Which element is not known: one of all, when there are few.
  if (Array.K == HostValue::Record && !Index.isInteger() && Step &&
      E->getType()->isIntegralOrEnumerationType() &&
      Array.Leaves.size() <= Choices::MaxAlternatives && Array.isConstant()) {
    std::vector<HostValue> Values;
    for (const auto &[At, Leaf] : Array.Leaves)
      Values.push_back(Leaf);
    std::vector<const void *> NoBranches(Values.size(), nullptr);
    return combine(E, textOf(E), Values, NoBranches, E->getType());
  }
  return opaque(E);
}

HostValue HostEvaluator::addressOf(const Expr *E, Frame &F) {
  E = E->IgnoreParens();
  if (Program)
    if (std::optional<HostValue> V = Program->addressOf(E))
      return *V;
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
    HostValue Base = evaluate(S->getBase(), F);
    return offsetPointer(Base, evaluate(S->getIdx(), F),
                         sizeOf(S->getType(), Ctx).value_or(1));
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return evaluate(U->getSubExpr(), F);
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
    std::optional<uint64_t> At =
        Field ? offsetOf(Field, Ctx) : std::optional<uint64_t>();
    if (At) {
      HostValue Base =
          M->isArrow() ? evaluate(M->getBase(), F) : addressOf(M->getBase(), F);
      return offsetPointer(Base, HostValue::integer(int64_t(*At)), 1);
    }
  }
  if (const auto *S = dyn_cast<StringLiteral>(E); S && S->isOrdinary()) {
    Literals[S] = S;
    return HostValue::pointer(S, textOf(S), 1);
  }
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *Fn = dyn_cast<FunctionDecl>(D->getDecl()))
      return HostValue::function(Fn);
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl());
        V && !V->getType()->isReferenceType())
      return HostValue::pointer(V, V->getName(), 0);
  }
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getOperator() == OO_Subscript && C->getNumArgs() == 2)
    return elementAddress(C->getArg(0), C->getArg(1), E, F);
  std::string Text = "&" + textOf(E);
  return HostValue::pointer(identityNow(Text), Text, 0);
}

HostValue HostEvaluator::evaluateInitList(const InitListExpr *E, Frame &F) {
  if (!E->isSemanticForm() && E->getSemanticForm())
    E = E->getSemanticForm();
  QualType T = E->getType();
  if (E->isTransparent() && E->getNumInits() == 1)
    return evaluate(E->getInit(0), F);
  HostValue V = HostValue::record();
  if (const ConstantArrayType *A = Ctx.getAsConstantArrayType(T)) {
    uint64_t Step = sizeOf(A->getElementType(), Ctx).value_or(0);
    uint64_t Count = A->getSize().getLimitedValue(MaxLeaves + 1);
    if (!Step || Count > MaxLeaves)
      return HostValue::unknown();
    for (uint64_t I = 0; I < Count; ++I) {
      const Expr *Init =
          I < E->getNumInits() ? E->getInit(I) : E->getArrayFiller();
      if (Init)
        V.setLeaf(I * Step, evaluate(Init, F));
    }
    return V;
  }
  const RecordDecl *R = T->getAsRecordDecl();
  if (!R) {
    // A scalar in braces, or none.
    return E->getNumInits() == 1 ? evaluate(E->getInit(0), F) : zeroOf(T);
  }
  if (!sizeOf(T, Ctx) || R->isUnion())
    return HostValue::unknown();
  unsigned I = 0;
  if (const auto *C = dyn_cast<CXXRecordDecl>(R))
    for (const CXXBaseSpecifier &B : C->bases()) {
      const CXXRecordDecl *Base = B.getType()->getAsCXXRecordDecl();
      if (I < E->getNumInits() && Base && !B.isVirtual())
        V.setLeaf(offsetOf(Base, R, Ctx), evaluate(E->getInit(I), F));
      ++I;
    }
  for (const FieldDecl *Field : R->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (I >= E->getNumInits())
      break;
    const Expr *Init = E->getInit(I++);
    std::optional<uint64_t> At = offsetOf(Field, Ctx);
    if (Init && At && !Field->getType()->isReferenceType())
      V.setLeaf(*At, evaluate(Init, F));
  }
  return V;
}

HostValue HostEvaluator::evaluateLambda(const LambdaExpr *E, Frame &F) {
  // A closure is passed by value: its fields are the captures, in order.
  HostValue V = HostValue::record();
  for (auto [Field, Init] :
       llvm::zip(E->getLambdaClass()->fields(), E->capture_inits())) {
    std::optional<uint64_t> At = offsetOf(Field, Ctx);
    if (Init && At && !Field->getType()->isReferenceType())
      V.setLeaf(*At, evaluate(Init, F));
  }
  return V;
}

std::optional<bool> HostEvaluator::decide(const Expr *Condition, Frame &F,
                                          Basis On) {
  if (F.Given && Condition)
    if (std::optional<bool> Holds = F.Given->valueOf(Condition))
      return Holds;
  auto Once = std::make_pair<const void *, const void *>(Condition, F.Function);
  if (!Condition || StepsToDecide > MaxStepsToDecide ||
      !Active.insert(Once).second)
    return std::nullopt; // Too dear, or it depends on itself.
  // Conditions on the way to this one share its steps.
  constexpr unsigned Start = MaxSteps - MaxStepsOfCondition;
  bool Outermost = !EveryIteration;
  unsigned Before = Outermost ? std::exchange(Steps, Start) : Steps;
  EveryIteration = true;
  bool WasFirst = std::exchange(First, false);
  bool WasFrozen = Picks.freeze(true);
  UseKey Key{Condition, nullptr, 0, nullptr, false, false, false};
  HostValue V = cached(Key, F, [&] { return evaluate(Condition, F); });
  Picks.freeze(WasFrozen);
  First = WasFirst;
  Active.erase(Once);
  if (Outermost) {
    EveryIteration = false;
    StepsToDecide += Steps - Start;
    Steps = Before;
  }
  // What the command line may change rules nothing out.
  if (!V.isInteger() || !(V.Grants.empty() || On == Basis::Granted ||
                          (On == Basis::OfRun && restsOnRun(V.Grants))))
    return std::nullopt;
  return V.Int != 0;
}

std::optional<Reaching>
HostEvaluator::reaching(const VarDecl *V, llvm::ArrayRef<Write> Writes,
                        const Stmt *Use, uint64_t Offset, uint64_t Size,
                        Frame &F, const LoopView *View) {
  const HostFlow *Flow = flowOf(F.Function);
  if (!Flow)
    return std::nullopt;
  auto GoesRound = [&](const Stmt *Loop) {
    return isFirstRound(F) && Use && isInside(Loop, Use);
  };
  auto By = [&](Basis On) {
    return [this, &F, On](const Expr *Condition) {
      return decide(Condition, F, On);
    };
  };
  auto Find = [&](Basis On) {
    return Flow->reaching(V, Writes, Use, Offset, Size, By(On), GoesRound,
                          View);
  };
  std::optional<Reaching> Always = Find(Basis::Certain);
  // Past a loop that is known, none may be left; else one is, or the run does
  // not come here.
  const size_t Least = View && View->K == LoopView::Left ? 0 : 1;
  if (!Run || !Always || Always->Definitions.size() <= Least)
    return Always;
  std::optional<Reaching> InRun = Find(Basis::OfRun);
  auto Returns = [](const CallExpr *) { return false; };
  if (InRun)
    llvm::erase_if(InRun->Definitions, [&](const Reaching::Definition &D) {
      return D.W && !Flow->isReached(D.W->Where, By(Basis::OfRun), Returns);
    });
  if (!InRun || InRun->Definitions.size() < Least ||
      InRun->Definitions.size() == Always->Definitions.size())
    return Always;
  InRun->Grants.push_back(RunGrant);
  return InRun;
}

HostValue HostEvaluator::atFirst(llvm::function_ref<HostValue()> Evaluate) {
  bool WasFirst = std::exchange(First, true);
  bool WasLenient = std::exchange(Lenient, true);
  bool WasFrozen = Picks.freeze(true);
  HostValue V = Evaluate();
  Picks.freeze(WasFrozen);
  Lenient = WasLenient;
  First = WasFirst;
  return V;
}

HostValue HostEvaluator::firstValueOf(const Expr *E, Frame &F) {
  return atFirst([&] { return evaluateAnew(E, F); });
}

HostValue HostEvaluator::firstValueAt(const Expr *E, const Stmt *At, Frame &F) {
  return atFirst([&] { return valueAt(E, At, F); });
}

bool HostEvaluator::isFeasibleAtFirst(llvm::ArrayRef<Guard> Guards, Frame &F) {
  bool Feasible = true;
  atFirst([&] {
    Feasible = isFeasible(Guards, F);
    return HostValue();
  });
  return Feasible;
}

const HostFlow *HostEvaluator::flowOf(const FunctionDecl *F) {
  auto [It, New] = Flows.try_emplace(F);
  if (New)
    It->second = HostFlow::build(F, Ctx);
  return It->second.get();
}

} // namespace warplint::launch
