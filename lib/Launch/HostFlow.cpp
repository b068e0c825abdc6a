//===- HostFlow.cpp - Which writes reach a use of a local variable --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostFlow.h"
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

std::optional<Reaching> HostFlow::reaching(const VarDecl *V,
                                           llvm::ArrayRef<Write> Writes,
                                           const Stmt *Use, uint64_t Offset,
                                           uint64_t Size) const {
  auto Start = Where.find(Use);
  if (Start == Where.end())
    return std::nullopt;
  // The definitions in each block, latest first.
  struct Local {
    unsigned Index;
    const Write *W;
    bool Kills;
  };
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
    ByBlock[It->second.Block].push_back({It->second.Index, &W, Covers});
  }
  if (auto It = Declared.find(V); It != Declared.end())
    ByBlock[It->second.Block].push_back({It->second.Index, nullptr, true});
  for (auto &Entry : ByBlock)
    llvm::sort(Entry.second, [](const Local &A, const Local &B) {
      return A.Index > B.Index;
    });

  Reaching Result;
  llvm::SmallVector<Point, 8> Work{Start->second};
  llvm::SmallPtrSet<const CFGBlock *, 16> Seen;
  llvm::SmallPtrSet<const Write *, 4> Found;
  bool FoundDeclaration = false, FoundEntry = false;
  while (!Work.empty()) {
    Point At = Work.pop_back_val();
    bool Killed = false;
    if (auto It = ByBlock.find(At.Block); It != ByBlock.end())
      for (const Local &L : It->second) {
        if (L.Index >= At.Index)
          continue;
        if (L.W ? Found.insert(L.W).second : !FoundDeclaration)
          Result.Definitions.push_back({L.W, At.Block});
        FoundDeclaration |= !L.W;
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
    for (const CFGBlock *Before : At.Block->preds())
      if (Before && Seen.insert(Before).second)
        Work.push_back({Before, Before->size()});
  }
  // The order of the source, so that configurations come in it.
  llvm::sort(Result.Definitions, [&](const auto &A, const auto &B) {
    return std::make_pair(A.W ? 1 : 0, A.W) < std::make_pair(B.W ? 1 : 0, B.W);
  });
  return Result;
}

} // namespace warplint::launch
