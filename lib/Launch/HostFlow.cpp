//===- HostFlow.cpp - Which writes reach a use of a local variable --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostFlow.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace warplint::launch {

std::unique_ptr<HostFlow> HostFlow::build(const FunctionDecl *F,
                                          ASTContext &Ctx) {
  const FunctionDecl *Definition = nullptr;
  Stmt *Body = F->getBody(Definition);
  if (!Body || Definition->isDependentContext() || Definition->isInvalidDecl())
    return nullptr;
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  auto Flow = std::make_unique<HostFlow>();
  Flow->Graph = CFG::buildCFG(Definition, Body, &Ctx, Options);
  if (!Flow->Graph)
    return nullptr;
  for (const CFGBlock *Block : *Flow->Graph) {
    unsigned Index = 0;
    for (const CFGElement &Element : *Block) {
      if (auto S = Element.getAs<CFGStmt>()) {
        Point At{Block, Index};
        Flow->Where[S->getStmt()] = At;
        // Declarations of several variables are split into made-up statements,
        // so a declaration is found by its variable.
        if (const auto *D = dyn_cast<DeclStmt>(S->getStmt()))
          for (const Decl *Each : D->decls())
            if (const auto *V = dyn_cast<VarDecl>(Each))
              Flow->Declared[V] = At;
      }
      ++Index;
    }
  }
  return Flow;
}

static bool endsProgram(const CFGBlock &Block) {
  if (Block.hasNoReturnElement())
    return true;
  return llvm::any_of(Block, [](const CFGElement &Element) {
    auto S = Element.getAs<CFGStmt>();
    return S && isa<CXXThrowExpr>(S->getStmt());
  });
}

bool mayHappen(const Write &W, const Deciding &Decides) {
  return llvm::none_of(W.Guards, [&](const Guard &G) {
    std::optional<bool> Holds;
    if (!G.Switch)
      Holds = Decides(G.Condition);
    return Holds && *Holds == G.Negated;
  });
}

/// False: \p From ends in a condition that is known to lead elsewhere.
static bool mayGo(const CFGBlock &From, const CFGBlock *To,
                  const Deciding &Decides) {
  const Stmt *End = From.getTerminatorStmt();
  const Expr *Condition = nullptr;
  if (const auto *If = dyn_cast_or_null<IfStmt>(End))
    Condition = If->getCond();
  else if (const auto *Choice = dyn_cast_or_null<ConditionalOperator>(End))
    Condition = Choice->getCond();
  else if (const auto *Logical = dyn_cast_or_null<BinaryOperator>(End);
           Logical && Logical->isLogicalOp())
    Condition = Logical->getLHS(); // `a || (n = b)`
  if (!Condition || From.succ_size() != 2)
    return true;
  const CFGBlock *Then = From.succ_begin()->getReachableBlock();
  const CFGBlock *Else = std::next(From.succ_begin())->getReachableBlock();
  if (Then == Else)
    return true;
  std::optional<bool> Taken = Decides(Condition);
  return !Taken || To == (*Taken ? Then : Else);
}

static const Stmt *conditionOf(const Stmt *Loop) {
  const Expr *Cond = nullptr;
  if (const auto *W = dyn_cast<WhileStmt>(Loop))
    Cond = W->getCond();
  else if (const auto *F = dyn_cast<ForStmt>(Loop))
    Cond = F->getCond();
  else if (const auto *D = dyn_cast<DoStmt>(Loop))
    Cond = D->getCond();
  return Cond ? Cond->IgnoreParens() : nullptr;
}

bool HostFlow::isReached(const Stmt *At, const Deciding &Decides,
                         EndingCall Ends) const {
  auto Start = Where.find(At);
  if (Start == Where.end())
    return true;
  auto EndsBefore = [&](const CFGBlock &Block, unsigned End) {
    unsigned Number = 0;
    for (const CFGElement &Element : Block) {
      if (Number++ >= End)
        return false;
      auto S = Element.getAs<CFGStmt>();
      const auto *Call = S ? dyn_cast<CallExpr>(S->getStmt()) : nullptr;
      if (Call && Ends(Call))
        return true;
    }
    return false;
  };
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
  llvm::SmallVector<Point, 8> Work{Start->second};
  while (!Work.empty()) {
    Point Here = Work.pop_back_val();
    if (EndsBefore(*Here.Block, Here.Index))
      continue;
    if (Here.Block == &Graph->getEntry())
      return true;
    for (const CFGBlock *Before : Here.Block->preds())
      if (Before && mayGo(*Before, Here.Block, Decides) &&
          Seen.insert(Before).second)
        Work.push_back({Before, Before->size()});
  }
  return false;
}

bool HostFlow::neverReturns() const {
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
  llvm::SmallVector<const CFGBlock *, 8> Work{&Graph->getExit()};
  while (!Work.empty()) {
    const CFGBlock *Here = Work.pop_back_val();
    if (Here == &Graph->getEntry())
      return false;
    for (const CFGBlock *Before : Here->preds())
      if (Before && !endsProgram(*Before) && Seen.insert(Before).second)
        Work.push_back(Before);
  }
  return true;
}

std::optional<Reaching>
HostFlow::reaching(const VarDecl *V, llvm::ArrayRef<Write> Writes,
                   const Stmt *Use, uint64_t Offset, uint64_t Size,
                   const Deciding &Decides, GoingRound LeftOut,
                   const LoopView *View) const {
  auto Start = Where.find(Use);
  if (Use && Start == Where.end())
    return std::nullopt;
  // The definitions in each block, latest first.
  struct Local {
    unsigned Index;
    const Write *W;
    bool Kills;
    bool Hidden; ///< of no interest, whatever it does
  };
  const bool Left = View && View->K == LoopView::Left;
  llvm::DenseMap<const CFGBlock *, llvm::SmallVector<Local, 2>> ByBlock;
  for (const Write &W : Writes) {
    if (W.Size && Size &&
        (W.Offset >= Offset + Size || Offset >= W.Offset + W.Size))
      continue;
    auto It = Where.find(W.Where);
    if (It == Where.end())
      return std::nullopt;
    bool Covers =
        W.Exact && W.Offset <= Offset && W.Offset + W.Size >= Offset + Size;
    bool Hidden = Left && View->Inside(W.Where);
    ByBlock[It->second.Block].push_back(
        {It->second.Index, &W, Covers || Hidden, Hidden});
  }
  if (Left)
    if (auto It = Where.find(conditionOf(View->Loop)); It != Where.end())
      ByBlock[It->second.Block].push_back(
          {It->second.Index, nullptr, true, true});
  if (auto It = Declared.find(V); It != Declared.end())
    ByBlock[It->second.Block].push_back(
        {It->second.Index, nullptr, true, false});
  for (auto &Entry : ByBlock)
    llvm::sort(Entry.second, [](const Local &A, const Local &B) {
      return A.Index > B.Index;
    });

  Reaching Result;
  llvm::SmallVector<Point, 8> Work{Use ? Start->second
                                       : Point{&Graph->getExit(), 0}};
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
  llvm::SmallPtrSet<const Write *, 4> Found;
  bool Entering = View && View->K == LoopView::Entered;
  bool FoundDeclaration = false, FoundEntry = false;
  while (!Work.empty()) {
    Point At = Work.pop_back_val();
    bool Killed = false;
    if (auto It = ByBlock.find(At.Block); It != ByBlock.end())
      for (const Local &L : It->second) {
        if (L.Index >= At.Index || (L.W && !mayHappen(*L.W, Decides)))
          continue;
        if (!L.Hidden) {
          if (L.W ? Found.insert(L.W).second : !FoundDeclaration)
            Result.Definitions.push_back({L.W, At.Block});
          FoundDeclaration |= !L.W;
        }
        if ((Killed = L.Kills))
          break;
      }
    if (Killed)
      continue;
    if (At.Block == &Graph->getEntry()) {
      if (!FoundEntry)
        Result.Definitions.push_back({nullptr, nullptr});
      FoundEntry = true;
    }
    for (const CFGBlock *Before : At.Block->preds()) {
      // After exit() or a throw nobody asks.
      if (!Before || (At.Block == &Graph->getExit() && endsProgram(*Before)))
        continue;
      if (!mayGo(*Before, At.Block, Decides))
        continue;
      const Stmt *Round = Before->getLoopTarget();
      bool Again =
          Round && ((Entering && Round == View->Loop) || LeftOut(Round));
      if (!Again && Seen.insert(Before).second)
        Work.push_back({Before, Before->size()});
    }
    Entering = false;
  }
  // The order of the source, so that configurations come in it.
  llvm::sort(Result.Definitions, [&](const auto &A, const auto &B) {
    return std::make_pair(A.W ? 1 : 0, A.W) < std::make_pair(B.W ? 1 : 0, B.W);
  });
  return Result;
}

} // namespace warplint::launch
