//===- HostInterpreter.cpp - Loops that can be run ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `while (threads < n) threads *= 2;` with known n is run, statement by
/// statement: what a loop leaves in a variable is no meeting of its iterations.
///
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "clang/AST/StmtVisitor.h"

using namespace clang;

namespace warplint::launch {

// Iterations of one loop; a helper that rounds up or counts bits needs 64.
static constexpr unsigned MaxIterations = 256;

namespace {
/// What the statements of a loop do to local variables.
struct LoopEffects : ConstStmtVisitor<LoopEffects> {
  /// Variables that some statement assigns, in the order of the source.
  llvm::SmallVector<const VarDecl *, 4> Assigned;
  /// Variables of which a part is assigned, or whose own functions are called.
  llvm::SmallVector<const VarDecl *, 4> Touched;
  bool Jumps = false; ///< break, continue, return, goto

  void VisitStmt(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (Child)
        Visit(Child);
  }
  void VisitLambdaExpr(const LambdaExpr *) {}
  void VisitBreakStmt(const BreakStmt *) { Jumps = true; }
  void VisitContinueStmt(const ContinueStmt *) { Jumps = true; }
  void VisitGotoStmt(const GotoStmt *) { Jumps = true; }
  void VisitReturnStmt(const ReturnStmt *) { Jumps = true; }
  void VisitBinaryOperator(const BinaryOperator *E) {
    VisitStmt(E);
    if (E->isAssignmentOp())
      assigned(E->getLHS());
  }
  void VisitCompoundAssignOperator(const CompoundAssignOperator *E) {
    VisitBinaryOperator(E);
  }
  void VisitUnaryOperator(const UnaryOperator *E) {
    VisitStmt(E);
    if (E->isIncrementDecrementOp())
      assigned(E->getSubExpr());
  }
  void VisitCXXOperatorCallExpr(const CXXOperatorCallExpr *E) {
    VisitStmt(E);
    if (E->isAssignmentOp() || E->getOperator() == OO_PlusPlus ||
        E->getOperator() == OO_MinusMinus)
      touched(E->getArg(0));
  }
  void VisitCXXMemberCallExpr(const CXXMemberCallExpr *E) {
    VisitStmt(E);
    if (const CXXMethodDecl *M = E->getMethodDecl(); M && !M->isConst())
      touched(E->getImplicitObjectArgument());
  }

private:
  void assigned(const Expr *Target) {
    const VarDecl *V = variableOf(Target);
    if (!V)
      touched(Target);
    else if (!is_contained(Assigned, V))
      Assigned.push_back(V);
  }
  /// The variable that \p Target is a part of.
  void touched(const Expr *Target) {
    while (true) {
      Target = Target->IgnoreParenImpCasts();
      if (const auto *M = dyn_cast<MemberExpr>(Target); M && !M->isArrow())
        Target = M->getBase();
      else if (const auto *S = dyn_cast<ArraySubscriptExpr>(Target))
        Target = S->getBase();
      else
        break;
    }
    if (const VarDecl *V = variableOf(Target); V && !is_contained(Touched, V))
      Touched.push_back(V);
  }

public:
  static const VarDecl *variableOf(const Expr *Target) {
    const auto *D = dyn_cast<DeclRefExpr>(Target->IgnoreParens());
    return D ? dyn_cast<VarDecl>(D->getDecl()) : nullptr;
  }
};

/// The assignments to variables of \p Tracked in an expression.
struct FindAssignments : ConstStmtVisitor<FindAssignments> {
  llvm::function_ref<bool(const VarDecl *)> Tracked;
  llvm::SmallVector<std::pair<const VarDecl *, const Expr *>, 2> Found;
  const CallExpr *Scan = nullptr; ///< of getopt
  bool Unclear = false;           ///< two of one variable, or under a condition
  bool Sequenced = false;         ///< one part is over before another begins
  unsigned Conditions = 0;
  bool any() const { return !Found.empty() || Scan; }

  explicit FindAssignments(llvm::function_ref<bool(const VarDecl *)> Tracked)
      : Tracked(Tracked) {}
  void VisitStmt(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (Child)
        Visit(Child);
  }
  void VisitLambdaExpr(const LambdaExpr *) {}
  void VisitBinaryOperator(const BinaryOperator *E) {
    bool Conditional = E->isLogicalOp();
    Sequenced |= Conditional || E->isCommaOp();
    Visit(E->getLHS());
    Conditions += Conditional;
    Visit(E->getRHS());
    Conditions -= Conditional;
    if (E->isAssignmentOp())
      note(E, E->getLHS());
  }
  void VisitCompoundAssignOperator(const CompoundAssignOperator *E) {
    VisitBinaryOperator(E);
  }
  void VisitConditionalOperator(const ConditionalOperator *E) {
    Sequenced = true;
    Visit(E->getCond());
    ++Conditions;
    Visit(E->getTrueExpr());
    Visit(E->getFalseExpr());
    --Conditions;
  }
  void VisitUnaryOperator(const UnaryOperator *E) {
    VisitStmt(E);
    if (E->isIncrementDecrementOp())
      note(E, E->getSubExpr());
  }
  void VisitCallExpr(const CallExpr *E) {
    VisitStmt(E);
    if (!HostEvaluator::scansOptions(E))
      return;
    Unclear |= Scan || Conditions;
    Scan = E;
  }

private:
  void note(const Expr *E, const Expr *Target) {
    const VarDecl *V = LoopEffects::variableOf(Target);
    if (!V || !Tracked(V))
      return;
    Unclear |= Conditions != 0 || llvm::any_of(Found, [&](const auto &Other) {
                 return Other.first == V;
               });
    Found.push_back({V, E});
  }
};
} // namespace

/// One loop while it is run; variables are in HostEvaluator::Stepped.
struct HostEvaluator::LoopRun {
  Frame &F;
  llvm::SmallPtrSet<const VarDecl *, 8> Tracked;
  std::vector<std::string> Grants; ///< of the conditions that decided
  std::optional<HostValue> Returned;
};

/// Value of \p E, whose assignments to tracked variables take effect; nullopt:
/// what it assigns cannot be told.
std::optional<HostValue> HostEvaluator::runExpression(const Expr *E,
                                                      LoopRun &R) {
  auto IsTracked = [&](const VarDecl *V) { return R.Tracked.contains(V); };
  FindAssignments Find(IsTracked);
  Find.Visit(E);
  if (Find.any() && Find.Sequenced)
    return runInSequence(E->IgnoreParens(), R);
  if (Find.Unclear)
    return std::nullopt;
  // All of it reads what was there before it.
  HostValue Value = evaluate(E, R.F);
  llvm::SmallVector<HostValue, 2> News;
  for (const auto &[V, Assignment] : Find.Found) {
    QualType T = V->getType();
    const auto *U = dyn_cast<UnaryOperator>(Assignment);
    HostValue New = U ? stepped(U, T, R.F) : evaluate(Assignment, R.F);
    if (New.isInteger() && T->isBooleanType())
      New.Int = New.Int != 0;
    else if (New.isInteger() && T->isIntegralOrEnumerationType())
      New.Int = wrapTo(New.Int, Ctx.getIntWidth(T),
                       T->isSignedIntegerOrEnumerationType());
    News.push_back(std::move(New));
  }
  for (const auto &[Found, New] : llvm::zip_equal(Find.Found, News))
    Stepped[Found.first] = New;
  if (Find.Scan && !scanOption(Find.Scan, R.F))
    return std::nullopt;
  return Value;
}

/// The same of an expression with effects of which one part is over before
/// another begins.
std::optional<HostValue> HostEvaluator::runInSequence(const Expr *E,
                                                      LoopRun &R) {
  auto Truth = [](const HostValue &V, bool Negated = false) {
    HostValue T = HostValue::integer((V.Int != 0) != Negated);
    T.Grants = V.Grants;
    return T;
  };
  auto Run = [&](const Expr *Part) -> std::optional<HostValue> {
    std::optional<HostValue> V = runExpression(Part, R);
    if (V && !V->isInteger())
      return std::nullopt;
    return V;
  };
  if (const auto *Cast = dyn_cast<CastExpr>(E)) {
    switch (Cast->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp:
      return runExpression(Cast->getSubExpr(), R);
    case CK_IntegralToBoolean: {
      std::optional<HostValue> V = Run(Cast->getSubExpr());
      return V ? std::optional(Truth(*V)) : std::nullopt;
    }
    default:
      return std::nullopt;
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_LNot) {
    std::optional<HostValue> V = Run(U->getSubExpr());
    return V ? std::optional(Truth(*V, /*Negated=*/true)) : std::nullopt;
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    std::optional<HostValue> Which = Run(C->getCond());
    if (!Which)
      return std::nullopt;
    llvm::append_range(R.Grants, Which->Grants);
    return runExpression(Which->Int ? C->getTrueExpr() : C->getFalseExpr(), R);
  }
  const auto *B = dyn_cast<BinaryOperator>(E);
  if (!B || !(B->isLogicalOp() || B->isCommaOp()))
    return std::nullopt;
  if (B->isCommaOp())
    return runExpression(B->getLHS(), R) ? runExpression(B->getRHS(), R)
                                         : std::nullopt;
  std::optional<HostValue> Left = Run(B->getLHS());
  if (!Left)
    return std::nullopt;
  llvm::append_range(R.Grants, Left->Grants);
  if ((Left->Int != 0) == (B->getOpcode() == BO_LOr))
    return Truth(*Left);
  std::optional<HostValue> Right = Run(B->getRHS());
  return Right ? std::optional(Truth(*Right)) : std::nullopt;
}

HostEvaluator::Ending HostEvaluator::runLoop(const Expr *Cond, bool TestFirst,
                                             const Stmt *Body, const Expr *Inc,
                                             LoopRun &R) {
  for (unsigned Round = 0; Round < MaxIterations; ++Round) {
    if (Cond && (TestFirst || Round)) {
      std::optional<HostValue> Goes = runExpression(Cond, R);
      if (!Goes || !Goes->isInteger())
        return Ending::NotKnown;
      llvm::append_range(R.Grants, Goes->Grants);
      if (!Goes->Int)
        return Ending::Falls;
    }
    Ending E = runStatement(Body, R);
    if (E == Ending::Breaks)
      return Ending::Falls;
    if (E == Ending::Returns || E == Ending::NotKnown)
      return E;
    if (Inc && !runExpression(Inc, R))
      return Ending::NotKnown;
  }
  return Ending::NotKnown;
}

bool HostEvaluator::isFollowed(const VarDecl *V) const {
  const Uses &U = Index.usesOf(V);
  if (!V->hasLocalStorage() || V->getType()->isReferenceType() || U.Escapes ||
      U.WrittenElsewhere)
    return false;
  // Of records and arrays, parts are written.
  if (V->getType()->isRecordType() || V->getType()->isArrayType())
    return U.Writes.empty();
  return llvm::none_of(U.Writes, [](const Write &W) {
    return W.K == Write::Passed || W.K == Write::Swap || !W.Exact;
  });
}

void HostEvaluator::loseSight(const VarDecl *V) {
  if (!V->getType()->isReferenceType())
    Stepped[V] = unknownVariable(V, V->getType(), 0);
}

HostEvaluator::Ending HostEvaluator::runStatement(const Stmt *S, LoopRun &R) {
  if (!S)
    return Ending::Falls;
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : C->body())
      if (Ending E = runStatement(Child, R); E != Ending::Falls)
        return E;
    return Ending::Falls;
  }
  if (const auto *E = dyn_cast<Expr>(S))
    return runExpression(E, R) ? Ending::Falls : Ending::NotKnown;
  if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Each : D->decls()) {
      const auto *V = dyn_cast<VarDecl>(Each);
      if (!V || V->getType()->isReferenceType())
        continue;
      if (V->isStaticLocal() && !V->getType().isConstQualified())
        return Ending::NotKnown; // What an earlier call left.
      if (!V->hasLocalStorage())
        continue;
      HostValue Init = HostValue::bottom();
      if (V->getInit()) {
        std::optional<HostValue> Value = runExpression(V->getInit(), R);
        if (!Value)
          return Ending::NotKnown;
        Init = std::move(*Value);
      }
      if (!isFollowed(V)) {
        loseSight(V);
        continue;
      }
      R.Tracked.insert(V);
      Stepped[V] = std::move(Init);
    }
    return Ending::Falls;
  }
  if (const auto *If = dyn_cast<IfStmt>(S); If && If->getCond()) {
    if (runStatement(If->getInit(), R) != Ending::Falls)
      return Ending::NotKnown;
    std::optional<HostValue> Condition = runExpression(If->getCond(), R);
    if (Condition && Condition->isInteger()) {
      llvm::append_range(R.Grants, Condition->Grants);
      return runStatement(Condition->Int ? If->getThen() : If->getElse(), R);
    }
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    std::optional<HostValue> On = runExpression(Switch->getCond(), R);
    if (On && On->isInteger()) {
      llvm::append_range(R.Grants, On->Grants);
      for (const Stmt *Each : switchArm(Switch, On->Int, Ctx))
        if (Ending E = runStatement(Each, R); E != Ending::Falls)
          return E == Ending::Breaks ? Ending::Falls : E;
      return Ending::Falls;
    }
  }
  if (const auto *W = dyn_cast<WhileStmt>(S); W && !W->getConditionVariable())
    return runLoop(W->getCond(), true, W->getBody(), nullptr, R);
  if (const auto *D = dyn_cast<DoStmt>(S))
    return runLoop(D->getCond(), false, D->getBody(), nullptr, R);
  if (const auto *L = dyn_cast<ForStmt>(S); L && !L->getConditionVariable()) {
    if (runStatement(L->getInit(), R) != Ending::Falls)
      return Ending::NotKnown;
    return runLoop(L->getCond(), true, L->getBody(), L->getInc(), R);
  }
  if (isa<BreakStmt>(S))
    return Ending::Breaks;
  if (isa<ContinueStmt>(S))
    return Ending::Continues;
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (const Expr *Value = Return->getRetValue())
      R.Returned = evaluate(Value, R.F);
    return Ending::Returns;
  }
  // Of anything else it is only known what it may change.
  LoopEffects Effects;
  Effects.Visit(S);
  if (Effects.Jumps)
    return Ending::NotKnown;
  for (const VarDecl *V : Effects.Assigned)
    loseSight(V);
  for (const VarDecl *V : Effects.Touched)
    loseSight(V);
  return Ending::Falls;
}

/// The statement of \p Loop that runs first, as the control-flow graph has it.
static const Stmt *firstOf(const Stmt *Loop) {
  const Stmt *S = nullptr;
  if (const auto *W = dyn_cast<WhileStmt>(Loop))
    S = W->getCond();
  else if (const auto *F = dyn_cast<ForStmt>(Loop))
    S = F->getInit() ? F->getInit() : F->getCond();
  else if (const auto *D = dyn_cast<DoStmt>(Loop))
    S = D->getBody();
  while (S) {
    const Stmt *Child = nullptr;
    if (const auto *D = dyn_cast<DeclStmt>(S)) {
      const auto *V = dyn_cast<VarDecl>(*D->decl_begin());
      Child = V ? V->getInit() : nullptr;
    } else if (!S->children().empty()) {
      Child = *S->child_begin();
    }
    if (!Child)
      return S;
    S = Child;
  }
  return nullptr;
}

std::optional<HostValue>
HostEvaluator::valueAtLoop(const VarDecl *V, const Stmt *Loop, Frame &F) {
  const Uses &U = Index.usesOf(V);
  const Stmt *First = firstOf(Loop);
  if (U.Escapes || U.WrittenElsewhere || ownerOf(V) != F.Function || !First)
    return std::nullopt;
  uint64_t Size = sizeOf(V->getType(), Ctx).value_or(0);
  auto Inside = [&](const Stmt *S) { return isInside(Loop, S); };
  LoopView View{LoopView::Entered, Loop, Inside};
  std::optional<Reaching> R = reaching(V, U.Writes, First, 0, Size, F, &View);
  if (!R)
    return std::nullopt;
  std::vector<HostValue> Values;
  std::vector<const void *> Branches;
  for (const Reaching::Definition &D : R->Definitions) {
    if (D.W && Inside(D.W->Where))
      return std::nullopt; // Left by an earlier run of the loop.
    Values.push_back(D.W ? written(*D.W, V, 0, V->getType(), F)
                         : initialValue(V, 0, V->getType(), F));
    Branches.push_back(D.W ? D.Block : nullptr);
  }
  HostValue Value = combine(V, V->getName(), Values, Branches, V->getType());
  Value.grantAll(R->Grants);
  return Value;
}

bool HostEvaluator::startLoop(const Stmt *Loop, LoopRun &R) {
  LoopEffects Effects;
  Effects.Visit(Loop);
  llvm::SmallVector<std::pair<const VarDecl *, HostValue>, 4> Start;
  llvm::SmallVector<const VarDecl *, 4> Lost(Effects.Touched);
  for (const VarDecl *V : Effects.Assigned) {
    const Uses &U = Index.usesOf(V);
    if (!V->hasLocalStorage() || V->getType()->isReferenceType() || U.Escapes ||
        U.WrittenElsewhere || ownerOf(V) != R.F.Function) {
      Lost.push_back(V);
      continue;
    }
    for (const Write &W : U.Writes)
      if (W.K == Write::Passed && isInside(Loop, W.Where))
        return false;
    Start.push_back(
        {V, valueAtLoop(V, Loop, R.F)
                .value_or(HostValue::unknown(V->getNameAsString()))});
  }
  for (const auto &[V, Value] : Start) {
    R.Tracked.insert(V);
    Stepped[V] = Value;
  }
  for (const VarDecl *V : Lost)
    loseSight(V);
  return true;
}

bool HostEvaluator::insideLoop(const Stmt *Loop, Frame &F,
                               llvm::function_ref<void(LoopRun &)> Run) {
  auto Key = std::make_pair<const void *, const void *>(Loop, F.Function);
  if (!Active.insert(Key).second)
    return false;
  auto Outer = Stepped;
  OptionScan OuterScan = std::exchange(Scan, OptionScan());
  LoopRun R{F, {}, {}, {}};
  const bool Starts = startLoop(Loop, R);
  if (Starts)
    Run(R);
  Active.erase(Key);
  Stepped = std::move(Outer);
  Scan = std::move(OuterScan);
  return Starts;
}

std::optional<HostValue> HostEvaluator::loopLeaves(const VarDecl *V,
                                                   const Stmt *Loop, Frame &F) {
  std::optional<HostValue> Left;
  insideLoop(Loop, F, [&](LoopRun &R) {
    if (!R.Tracked.contains(V) || runStatement(Loop, R) != Ending::Falls ||
        !(Stepped[V].isConstant() || Stepped[V].Culprit == "nullptr"))
      return;
    Left = Stepped[V];
    Left->grantAll(R.Grants);
  });
  return Left;
}

/// The rounds of \p Loop, as long as each can be run.
bool HostEvaluator::collectRounds(const VarDecl *V, const ForStmt *Loop,
                                  LoopRun &R, std::vector<HostValue> &Values) {
  if (!R.Tracked.contains(V) ||
      runStatement(Loop->getInit(), R) != Ending::Falls)
    return false;
  while (true) {
    std::optional<HostValue> Goes = runExpression(Loop->getCond(), R);
    if (!Goes || !Goes->isInteger())
      return false;
    llvm::append_range(R.Grants, Goes->Grants);
    // A guess does not say that the loop is never entered.
    if (!Goes->Int)
      return !Values.empty() || Goes->Culprit.empty();
    if (!Stepped[V].isInteger() || Values.size() == HostValue::MaxAmong)
      return false;
    Values.push_back(Stepped[V]);
    Ending E = runStatement(Loop->getBody(), R);
    if (E != Ending::Falls && E != Ending::Continues)
      return false;
    if (Loop->getInc() && !runExpression(Loop->getInc(), R))
      return false;
  }
}

std::optional<std::vector<HostValue>>
HostEvaluator::valuesByRunning(const VarDecl *V, const ForStmt *Loop,
                               Frame &F) {
  bool InBody = llvm::any_of(Index.usesOf(V).Writes, [&](const Write &W) {
    return isInside(Loop->getBody(), W.Where);
  });
  if (InBody || Loop->getConditionVariable())
    return std::nullopt;
  std::vector<HostValue> Values;
  bool Known = false;
  insideLoop(Loop, F, [&](LoopRun &R) {
    Known = collectRounds(V, Loop, R, Values);
    for (HostValue &Value : Values)
      Value.grantAll(R.Grants);
  });
  return Known ? std::optional(std::move(Values)) : std::nullopt;
}

HostEvaluator::Ending
HostEvaluator::runToReturn(const Stmt *Loop, Frame &F,
                           std::optional<HostValue> &Returned) {
  Ending End = Ending::NotKnown;
  insideLoop(Loop, F, [&](LoopRun &R) {
    End = runStatement(Loop, R);
    Returned = std::move(R.Returned);
    if (Returned)
      Returned->grantAll(R.Grants);
  });
  return End;
}

std::optional<HostValue> HostEvaluator::runCall(const FunctionDecl *Callee,
                                                const Stmt *Body, Frame &In) {
  auto Outer = Stepped;
  OptionScan OuterScan = std::exchange(Scan, OptionScan());
  LoopRun R{In, {}, {}, {}};
  llvm::SmallVector<std::pair<const VarDecl *, HostValue>, 4> Given;
  for (const ParmVarDecl *P : Callee->parameters())
    if (isFollowed(P))
      Given.push_back({P, parameter(P, In)});
    else
      loseSight(P);
  for (const auto &[P, Value] : Given) {
    R.Tracked.insert(P);
    Stepped[P] = Value;
  }
  Ending End = runStatement(Body, R);
  Stepped = std::move(Outer);
  Scan = std::move(OuterScan);
  if (End != Ending::Returns || !R.Returned)
    return std::nullopt;
  R.Returned->grantAll(R.Grants);
  return R.Returned;
}

} // namespace warplint::launch
