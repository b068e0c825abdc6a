//===- HostProgram.cpp - main(), run as far as it can be ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The statements of a program that is run.
///
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "ArgumentFacts.h"
#include "HostNotes.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace warplint::launch {

// Statements and parts of expressions that are run, in all; what most programs
// do before their launches takes a few thousand.
static constexpr unsigned MaxRunSteps = 150000;
static constexpr size_t MaxLaunches = 4096;

HostProgram::HostProgram(llvm::ArrayRef<ProgramUnit> Units)
    : Units(Units), Here(&Units.front()), Now(Units.front().Ctx),
      Left(MaxRunSteps) {
  std::vector<std::pair<const ProgramUnit *, const FunctionDecl *>> Work;
  auto Add = [&](const ProgramUnit &In, const FunctionDecl *F) {
    if (F && Launching.insert(F->getCanonicalDecl()).second)
      Work.push_back({&In, F});
  };
  for (const ProgramUnit &Unit : Units)
    for (const Launch &L : Unit.Index.Launches)
      Add(Unit, L.In);
  while (!Work.empty()) {
    const auto [In, F] = Work.back();
    Work.pop_back();
    for (const CallSite &Site : In->Index.callsOf(F))
      Add(*In, Site.In);
    if (F->hasBody() && F->isExternallyVisible())
      for (const ProgramUnit &Other : Units)
        if (auto It = Other.Called.find(In->Others.nameOf(F));
            It != Other.Called.end())
          Add(Other, It->second);
  }
}

void HostProgram::createGlobals(const ProgramUnit &Unit) {
  enterUnit(Unit);
  llvm::SetVector<const VarDecl *> All;
  // Others may write what this file only reads.
  if (Units.size() > 1)
    forEachGlobal(context().getTranslationUnitDecl(),
                  [&](const VarDecl *V) { All.insert(V->getCanonicalDecl()); });
  index().forEachVariable([&](const VarDecl *V, const Uses &U) {
    if (V->hasGlobalStorage() && (!U.Writes.empty() || U.Escapes))
      All.insert(V->getCanonicalDecl());
  });
  for (const VarDecl *V : All) {
    if (!V->hasGlobalStorage() || V->getType()->isReferenceType() ||
        V->getType()->isDependentType() || V->isInvalidDecl() ||
        context().getSourceManager().isInSystemHeader(V->getLocation()))
      continue;
    const bool IsHere = definitionHere(V) || V->isStaticLocal();
    const std::string &Name = Unit.Others.nameOf(V);
    if (Units.size() > 1 && !V->isStaticLocal() && !Name.empty()) {
      auto [It, New] = Globals.try_emplace(Name, V);
      SharedObjects[V] = It->second;
      if (!New && !IsHere)
        continue; // What another file defines.
    }
    const void *Object = objectOf(V);
    Classes[Object] = V->getType()->getAsCXXRecordDecl();
    Now.create(Object, IsHere ? Rest::Zero : Rest::Unknown);
    if (const Expr *Init = V->getAnyInitializer();
        Init && !Init->isValueDependent() && !Init->containsErrors()) {
      // What a constructor of a global does is done before main().
      Done.clear();
      initialise(pointerTo(V), V->getType(), Init);
    }
  }
}

bool HostProgram::run(const ProgramUnit &Start, const FunctionDecl *Main,
                      bool WritesWords) {
  MayWriteWords = WritesWords;
  for (const ProgramUnit &Unit : Units)
    Unit.Evaluator.beginProgram(this);
  auto End = llvm::scope_exit([&] {
    for (const ProgramUnit &Unit : Units)
      Unit.Evaluator.beginProgram(nullptr);
  });
  Activation Outside; // The initialisers of globals.
  Outside.F.Inlined = true;
  Stack.push_back(&Outside);
  for (const ProgramUnit &Unit : Units)
    createGlobals(Unit);
  Stack.pop_back();
  enterUnit(Start);
  if (!GivenUp)
    enter(Main, {}, std::nullopt);
  return !GivenUp;
}

void HostProgram::enterUnit(const ProgramUnit &Unit) {
  if (&Unit != Here)
    Unit.Evaluator.takeTextsOf(Here->Evaluator);
  Here = &Unit;
  Now.setContext(Unit.Ctx);
}

void HostProgram::meet(RunMemory &There, const RunMemory &Here,
                       RunMemory::Join How, bool KeepOwn) {
  auto Identity = [&](const void *Object, uint64_t At) {
    return evaluator().identityAt(Object, At + 1);
  };
  // Gone through and compared: not for nothing in a large memory.
  constexpr size_t ObjectsAStep = 128;
  const size_t Gone = There.joinWith(Here, Identity, How, KeepOwn);
  Left -= std::min<size_t>(Left, Gone / ObjectsAStep);
}

void HostProgram::leaveTo(Pending &Where) {
  if (Where)
    meet(*Where, Now, RunMemory::Join::Ways);
  else
    Where = Now;
  Alive = false;
}

void HostProgram::comeBack(Pending &From) {
  if (!From)
    return;
  if (Alive)
    meet(Now, *From, RunMemory::Join::Ways);
  else
    Now = std::move(*From);
  Alive = true;
  From.reset();
}

void HostProgram::runEither(const HostValue &Condition, Block Then,
                            Block Else) {
  if (Condition.isInteger()) {
    const size_t Outside = Control.size();
    llvm::append_range(Control, Condition.Grants);
    if (Condition.Int)
      Then();
    else
      Else();
    Control.resize(Outside);
    return;
  }
  const auto Scanned = evaluator().scannedSoFar();
  RunMemory Before = Now;
  ++Unsure;
  Then();
  const bool ThenAlive = Alive;
  RunMemory AfterThen = std::exchange(Now, std::move(Before));
  Alive = true;
  Else();
  --Unsure;
  if (Scanned != evaluator().scannedSoFar())
    giveUp(); // How far getopt has come is not known now.
  if (!ThenAlive)
    return;
  if (Alive)
    meet(Now, AfterThen, RunMemory::Join::Ways);
  else
    Now = std::move(AfterThen);
  Alive = true;
}

namespace {
/// Ways out of a statement.
struct Jumps {
  bool OfLoop = false, OfFunction = false;
  explicit Jumps(const Stmt *S) { look(S); }

private:
  void look(const Stmt *S) {
    if (!S || isa<LambdaExpr>(S))
      return;
    OfLoop |= isa<BreakStmt, ContinueStmt>(S);
    OfFunction |= isa<ReturnStmt>(S);
    for (const Stmt *Child : S->children())
      look(Child);
  }
};
} // namespace

void HostProgram::runIf(const IfStmt *S) {
  runStatement(S->getInit());
  if (S->getConditionVariableDeclStmt())
    runDecl(S->getConditionVariableDeclStmt());
  if (!runs())
    return;
  runEffects(S->getCond());
  if (!runs())
    return;
  HostValue Condition = peek(S->getCond());
  // What comes after rests on the condition, too, if it may have gone away.
  if (Condition.isInteger() && !Condition.Grants.empty()) {
    const Jumps Out(S);
    Activation &Act = *Stack.back();
    if (Out.OfFunction && !Act.F.Function->isMain())
      llvm::append_range(Act.Grants, Condition.Grants);
    if (Out.OfLoop)
      for (LoopLevel *Level : Act.Levels)
        llvm::append_range(Level->Grants, Condition.Grants);
  }
  runEither(
      Condition, [&] { runStatement(S->getThen()); },
      [&] { runStatement(S->getElse()); });
}

void HostProgram::runSwitch(const SwitchStmt *S) {
  runStatement(S->getInit());
  if (S->getConditionVariableDeclStmt())
    runDecl(S->getConditionVariableDeclStmt());
  const auto *Body = dyn_cast<CompoundStmt>(S->getBody());
  if (!runs() || !Body)
    return giveUp();
  runEffects(S->getCond());
  if (!runs())
    return;
  HostValue On = peek(S->getCond());
  Activation &Act = *Stack.back();
  // A `continue` goes to the loop around.
  LoopLevel Level;
  LoopLevel *Loop = Act.Levels.empty() ? nullptr : Act.Levels.back();
  Act.Levels.push_back(&Level);
  const size_t Outside = Control.size();
  if (On.isInteger()) {
    llvm::append_range(Control, On.Grants);
    for (const Stmt *Each : switchArm(S, On.Int, context()))
      if (runs())
        runStatement(Each);
  } else {
    // From each label on.
    RunMemory Before = Now;
    Pending After;
    bool HasDefault = false;
    llvm::ArrayRef<Stmt *> Statements(Body->body_begin(), Body->body_end());
    for (size_t I = 0; I < Statements.size() && !GivenUp; ++I) {
      const auto *Label = dyn_cast<SwitchCase>(Statements[I]);
      for (const Stmt *L = Label;
           const auto *C = dyn_cast_or_null<SwitchCase>(L); L = C->getSubStmt())
        HasDefault |= isa<DefaultStmt>(C);
      if (!Label)
        continue;
      Now = Before;
      Alive = true;
      for (size_t J = I; J < Statements.size() && runs(); ++J)
        runStatement(Statements[J]);
      if (Alive)
        leaveTo(After);
    }
    Now = std::move(Before);
    Alive = !HasDefault;
    comeBack(After);
  }
  Control.resize(Outside);
  Act.Levels.pop_back();
  if (Level.Continues) {
    if (!Loop)
      return giveUp();
    if (Loop->Continues)
      meet(*Loop->Continues, *Level.Continues, RunMemory::Join::Ways);
    else
      Loop->Continues = std::move(Level.Continues);
  }
  comeBack(Level.Breaks);
}

void HostProgram::runDecl(const DeclStmt *S) {
  for (const Decl *D : S->decls()) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V || !runs())
      continue;
    if (V->isInvalidDecl() || V->getType()->isDependentType())
      return giveUp();
    if (V->hasGlobalStorage())
      continue; // Set before main(), or left by an earlier call.
    Done.clear();
    if (V->getType()->isReferenceType()) {
      runEffects(V->getInit());
      if (!runs())
        return;
      HostValue Bound = bind(V->getInit());
      declare(V);
      store(pointerTo(V), context().VoidPtrTy, Bound);
      continue;
    }
    declare(V);
    if (V->getInit())
      initialise(pointerTo(V), V->getType(), V->getInit());
  }
}

void HostProgram::runStatement(const Stmt *S) {
  if (!S || !runs())
    return;
  ++Moment;
  if (Left == 0)
    return giveUp();
  --Left;
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : C->body())
      runStatement(Child);
    return;
  }
  if (const auto *X = dyn_cast<Expr>(S)) {
    Done.clear();
    return runEffects(X);
  }
  if (const auto *D = dyn_cast<DeclStmt>(S))
    return runDecl(D);
  Done.clear();
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (If->isConsteval())
      return runStatement(If->isNegatedConsteval() ? If->getThen()
                                                   : If->getElse());
    return runIf(If);
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S))
    return runSwitch(Switch);
  if (const auto *W = dyn_cast<WhileStmt>(S); W && !W->getConditionVariable())
    return runLoop(
        W, W->getCond(), true, [&] { runStatement(W->getBody()); }, nullptr);
  if (const auto *D = dyn_cast<DoStmt>(S))
    return runLoop(
        D, D->getCond(), false, [&] { runStatement(D->getBody()); }, nullptr);
  if (const auto *L = dyn_cast<ForStmt>(S); L && !L->getConditionVariable()) {
    runStatement(L->getInit());
    return runLoop(
        L, L->getCond(), true, [&] { runStatement(L->getBody()); },
        L->getInc());
  }
  if (const auto *R = dyn_cast<CXXForRangeStmt>(S))
    return runRange(R);
  Activation &Act = *Stack.back();
  if (isa<BreakStmt, ContinueStmt>(S)) {
    if (Act.Levels.empty())
      return giveUp();
    return leaveTo(isa<BreakStmt>(S) ? Act.Levels.back()->Breaks
                                     : Act.Levels.back()->Continues);
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (const Expr *Value = Return->getRetValue()) {
      runEffects(Value);
      if (!runs())
        return;
      HostValue V = Act.F.Function->getReturnType()->isReferenceType()
                        ? bind(Value)
                        : peek(Value);
      V.grantAll(Control);
      for (const LoopLevel *Level : Act.Levels)
        V.grantAll(Level->Grants);
      Act.Returned = Act.Returned ? joinRun(*Act.Returned, V,
                                            evaluator().identityAt(Value, 1))
                                  : V;
    }
    return leaveTo(Act.Returns);
  }
  if (const auto *Label = dyn_cast<LabelStmt>(S))
    return runStatement(Label->getSubStmt());
  if (const auto *Label = dyn_cast<SwitchCase>(S))
    return runStatement(Label->getSubStmt());
  if (const auto *A = dyn_cast<AttributedStmt>(S))
    return runStatement(A->getSubStmt());
  // Nothing is thrown.
  if (const auto *Try = dyn_cast<CXXTryStmt>(S))
    return runStatement(Try->getTryBlock());
  if (isa<NullStmt>(S))
    return;
  giveUp();
}

void HostProgram::launch(const CallExpr *Call) {
  if (Launches.size() >= MaxLaunches)
    return giveUp();
  std::optional<EvaluatedLaunch> What =
      evaluateMade(Call, evaluator(), Stack.back()->F, context());
  if (!What) {
    Unclear.insert(Call);
    return;
  }
  auto [First, New] = FirstMade.try_emplace(Call, *What);
  if (!New && First->second.Kernel == What->Kernel)
    addGuesses(What->Site.Config.Arguments,
               First->second.Site.Config.Arguments);
  auto IsSame = [&](const Made &M) {
    return M.Call == Call && M.What.Kernel == What->Kernel &&
           isSameLaunch(M.What.Site, What->Site);
  };
  if (llvm::none_of(Launches, IsSame))
    Launches.push_back({Call, std::move(*What)});
}

void HostProgram::forgetLaunches(size_t From) {
  Launches.erase(Launches.begin() + ptrdiff_t(From), Launches.end());
}

} // namespace warplint::launch
