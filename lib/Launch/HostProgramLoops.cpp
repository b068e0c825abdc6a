//===- HostProgramLoops.cpp - The loops of a program that is run ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Round by round while that is known and short, all rounds at once else.
///
//===----------------------------------------------------------------------===//

#include "HostNotes.h"
#include "HostProgram.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include <array>

using namespace clang;

namespace warplint::launch {

// Rounds that are run one by one, of one loop at one time and in all.
static constexpr unsigned MaxRounds = 256, MaxRoundsInAll = 1024;
// Of one without launches: what goes on longer fills arrays.
static constexpr unsigned MaxRoundsOfData = 64, MaxRoundsOfDataInAll = 512;
// Goes through a loop until nothing changes: values fall to their divisors in
// two or three, then to nothing known.
static constexpr unsigned MaxGoes = 10, GoesWithDivisors = 3;

void HostProgram::runRound(LoopLevel &Level, Block Body, const Expr *Inc) {
  Body();
  if (GivenUp)
    return;
  comeBack(Level.Continues);
  if (runs() && Inc) {
    Done.clear();
    runEffects(Inc);
  }
}

bool HostProgram::mayLaunch(const Stmt *S) {
  if (!S || isa<LambdaExpr>(S))
    return false;
  auto [It, New] = MayLaunch.try_emplace(S, false);
  if (!New)
    return It->second;
  bool May = isa<CUDAKernelCallExpr>(S);
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee();
    May |= !F || isLaunchCall(nameOf(F)) ||
           Launching.contains(F->getCanonicalDecl());
    if (const auto *M = dyn_cast_or_null<CXXMethodDecl>(F))
      May |= M->isVirtual();
  }
  for (const Stmt *Child : S->children())
    May |= mayLaunch(Child);
  return MayLaunch[S] = May;
}

/// \p S says something of \p V, or may: what a closure captures is not among
/// its children.
static bool mayMention(const Stmt *S, const VarDecl *V) {
  if (!S)
    return false;
  if (const auto *R = dyn_cast<DeclRefExpr>(S))
    return R->getDecl() == V;
  return isa<LambdaExpr>(S) ||
         llvm::any_of(S->children(),
                      [V](const Stmt *Child) { return mayMention(Child, V); });
}

const VarDecl *HostProgram::repetitionsOf(const Stmt *Loop) {
  auto [It, New] = Repetitions.try_emplace(Loop, nullptr);
  const auto *For = dyn_cast<ForStmt>(Loop);
  if (!New || !For || !For->getCond() || hasEffects(For->getCond()))
    return It->second;
  const auto *D = dyn_cast_or_null<DeclStmt>(For->getInit());
  const auto *V =
      D && D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
  if (V && !V->getType()->isReferenceType() && V->hasLocalStorage() &&
      !mayMention(For->getBody(), V))
    It->second = V;
  return It->second;
}

void HostProgram::runLoop(const Stmt *Loop, const Expr *Cond, bool TestFirst,
                          Block Body, const Expr *Inc) {
  const bool Launches = mayLaunch(Loop);
  const unsigned Most = Launches ? MaxRounds : MaxRoundsOfData;
  const unsigned MostInAll = Launches ? MaxRoundsInAll : MaxRoundsOfDataInAll;
  Activation &Act = *Stack.back();
  LoopLevel Level;
  Act.Levels.push_back(&Level);
  Invariants *Around = std::exchange(Act.Around, nullptr);
  auto RunAllRounds = [&](bool Test) {
    Act.Around = Around;
    runAllRounds(Loop, Level, Cond, Test, Body, Inc);
  };
  const VarDecl *Repetitions = repetitionsOf(Loop);
  // What the last rounds began with.
  std::array<Pending, 2> Heads;
  for (unsigned Round = 0; runs(); ++Round) {
    if (Repetitions && Round > 0) {
      // The rounds to come do what these have done: nothing reads the counter
      // but the condition. Two, where buffers are swapped.
      RunMemory Head = Now;
      Head.destroy(objectOf(Repetitions));
      if (llvm::any_of(Heads, [&](const Pending &Before) {
            return Before && Head.sameAs(*Before);
          }))
        break;
      Heads[Round % 2] = std::move(Head);
    }
    if (Round == Most || Rounds[Loop] >= MostInAll) {
      RunAllRounds(TestFirst || Round);
      break;
    }
    if (Cond && (TestFirst || Round)) {
      Pending Before;
      const auto Scanned = evaluator().scannedSoFar();
      if (hasEffects(Cond))
        Before = Now;
      Done.clear();
      runEffects(Cond);
      if (!runs())
        break;
      HostValue Goes = peek(Cond);
      if (!Goes.isInteger()) {
        if (Scanned != evaluator().scannedSoFar())
          giveUp();
        if (Before)
          Now = std::move(*Before);
        RunAllRounds(true);
        break;
      }
      llvm::append_range(Level.Grants, Goes.Grants);
      if (!Goes.Int)
        break;
    }
    ++Rounds[Loop];
    runRound(Level, Body, Inc);
  }
  Act.Levels.pop_back();
  Act.Around = Around;
  comeBack(Level.Breaks);
}

void HostProgram::runAllRounds(const Stmt *Loop, LoopLevel &Level,
                               const Expr *Cond, bool TestFirst, Block Body,
                               const Expr *Inc) {
  const size_t Before = Launches.size();
  const Pending BreaksBefore = Level.Breaks;
  const auto Scanned = evaluator().scannedSoFar();
  Pending Ends;
  ++Unsure;
  // A loop around this one, gone through once more, comes here with no less
  // than before: from scratch, each of a nest of loops would take three times
  // as many goes as the one around it.
  Activation &Act = *Stack.back();
  Invariants Inside;
  Invariants *Around = std::exchange(Act.Around, &Inside);
  auto Leave = llvm::scope_exit([&] {
    --Unsure;
    Act.Around = Around;
  });
  if (Around)
    if (auto It = Around->find(Loop); It != Around->end())
      meet(Now, It->second, RunMemory::Join::Rounds, /*KeepOwn=*/true);
  for (unsigned Go = 0; runs(); ++Go) {
    if (Go == MaxGoes)
      return giveUp();
    // Only the last time it is seen what all rounds find.
    forgetLaunches(Before);
    Ends.reset();
    Level.Breaks = BreaksBefore;
    RunMemory Head = Now;
    if (Cond && (TestFirst || Go)) {
      Done.clear();
      runEffects(Cond);
      HostValue Goes = runs() ? peek(Cond) : HostValue::unknown();
      if (runs() && !(Goes.isInteger() && Goes.Int))
        Ends = Now;
      if (Goes.isInteger() && !Goes.Int)
        Alive = false;
    }
    if (runs())
      runRound(Level, Body, Inc);
    if (GivenUp)
      return;
    if (Scanned != evaluator().scannedSoFar())
      return giveUp();
    if (!Alive) {
      break; // Round once more there is none.
    }
    RunMemory Next = Head;
    meet(Next, Now,
         Go < GoesWithDivisors ? RunMemory::Join::Rounds
                               : RunMemory::Join::Whatever);
    if (Next.sameAs(Head)) {
      if (Around)
        Around->insert_or_assign(Loop, std::move(Next));
      break;
    }
    Now = std::move(Next);
  }
  Alive = false;
  comeBack(Ends);
}

void HostProgram::runRange(const CXXForRangeStmt *S) {
  runStatement(S->getInit());
  if (!runs())
    return;
  Frame &F = Stack.back()->F;
  const VarDecl *V = S->getLoopVariable();
  std::optional<std::vector<HostValue>> Elements;
  if (!hasEffects(S->getRangeInit()))
    Elements = evaluator().elementsOf(S->getRangeInit(), F);
  if (!Elements || V->getType()->isReferenceType()) {
    runStatement(S->getRangeStmt());
    runStatement(S->getBeginStmt());
    runStatement(S->getEndStmt());
    auto Body = [&] {
      runStatement(S->getLoopVarStmt());
      if (runs())
        runStatement(S->getBody());
    };
    return runLoop(S, S->getCond(), true, Body, S->getInc());
  }
  LoopLevel Level;
  Stack.back()->Levels.push_back(&Level);
  auto Body = [&] { runStatement(S->getBody()); };
  for (const HostValue &Element : *Elements) {
    if (!runs())
      break;
    declare(V);
    store(pointerTo(V), V->getType(), Element);
    runRound(Level, Body, nullptr);
  }
  Stack.back()->Levels.pop_back();
  comeBack(Level.Breaks);
}

} // namespace warplint::launch
