//===- ExportFacts.cpp - What other units may want to know ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchEvaluation.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warplint::launch {

// Calls and writes of one unit that are evaluated for others. Beyond, callers
// are not told of, and what is written is unknown.
static constexpr size_t MaxCalls = 1000, MaxWrites = 1000;
// Combinations of alternatives of one call.
static constexpr unsigned MaxAlternatives = 16;

/// A scalar as the record of which it is the one scalar.
static HostValue asRecord(const HostValue &V) {
  if (V.K == HostValue::Record)
    return V;
  HostValue R = HostValue::record();
  R.setLeaf(0, V);
  return R;
}

std::vector<SharedCall> evaluateCallForOthers(const CallSite &Site,
                                              HostEvaluator &Evaluator,
                                              Foreign &Others,
                                              ASTContext &Ctx) {
  std::vector<SharedCall> All;
  const auto *Call = dyn_cast<CallExpr>(Site.Call);
  if (!Call || Call->isTypeDependent())
    return All;
  llvm::ArrayRef<const Expr *> Arguments(Call->getArgs(), Call->getNumArgs());
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  if (isa<CXXOperatorCallExpr>(Call) && Method && Method->isInstance())
    Arguments = Arguments.drop_front();
  Frame F;
  F.Function = Site.In;
  Evaluator.begin();
  do {
    SharedCall One;
    One.Place = placeOfCall(Call, Ctx.getSourceManager());
    auto Send = [&](const Expr *A, bool AtFirst = false) {
      SharedValue V = Others.send(AtFirst ? Evaluator.firstValueOf(A, F)
                                          : Evaluator.evaluateAnew(A, F));
      if (V.K == SharedValue::Pointer)
        if (std::optional<HostValue> Behind = Evaluator.valueBehind(A, Call, F))
          V.Leaves = Others.send(asRecord(*Behind)).Leaves;
      return V;
    };
    Evaluator.setLenient(true);
    for (const Expr *A : Arguments)
      One.Guesses.push_back(Send(A));
    Evaluator.setLenient(false);
    for (const Expr *A : Arguments)
      One.Arguments.push_back(Send(A));
    for (const Expr *A : Arguments)
      One.AtFirst.push_back(Send(A, /*AtFirst=*/true));
    if (All.empty() || !(All.back() == One))
      All.push_back(std::move(One));
  } while (All.size() < MaxAlternatives && Evaluator.nextAlternative());
  return All;
}

/// What holds of all \p Calls, which are of one place; of guesses the first
/// call's.
static SharedCall joinCalls(llvm::ArrayRef<SharedCall> Calls, Foreign &Others) {
  SharedCall Joined = Calls.front();
  for (size_t I = 0; I < Joined.Arguments.size(); ++I) {
    HostValue All = HostValue::bottom();
    for (const SharedCall &Call : Calls) {
      HostValue V = Others.receive(Call.Arguments[I]);
      All = join(All, V);
      All.grantAll(V.Grants);
    }
    Joined.Arguments[I] = Others.send(All);
  }
  return Joined;
}

using Evaluators = llvm::ArrayRef<std::unique_ptr<HostEvaluator>>;

/// \p Site by the runs that come to it, or else whatever the run.
static std::vector<SharedCall> callsByRun(const CallSite &Site, Evaluators All,
                                          Foreign &Others, ASTContext &Ctx) {
  std::vector<SharedCall> Calls;
  auto Add = [&](HostEvaluator &Evaluator) {
    for (SharedCall &Call : evaluateCallForOthers(Site, Evaluator, Others, Ctx))
      if (!llvm::is_contained(Calls, Call))
        Calls.push_back(std::move(Call));
  };
  for (const auto &Evaluator : All.drop_front())
    if (Evaluator->isReached(Site.Call, Site.In))
      Add(*Evaluator);
  if (Calls.empty())
    Add(*All.front());
  else if (All.size() > 2 && Calls.size() > MaxArgumentVariants)
    Calls = {joinCalls(Calls, Others)};
  return Calls;
}

static void exportCalls(const HostIndex &Index, Evaluators All, Foreign &Others,
                        ASTContext &Ctx) {
  std::map<std::string, llvm::ArrayRef<CallSite>> Callees;
  size_t Count = 0;
  Index.forEachCallee([&](const FunctionDecl *F, llvm::ArrayRef<CallSite> S) {
    if (F->hasBody() || F->hasAttr<CUDAGlobalAttr>() || F->getBuiltinID() ||
        F->isDependentContext() || F->param_empty() ||
        Ctx.getSourceManager().isInSystemHeader(F->getLocation()))
      return;
    if (const std::string &Name = Others.nameOf(F); !Name.empty()) {
      Callees[Name] = S;
      Count += S.size();
    }
  });
  if (Count > MaxCalls)
    return;
  for (const auto &[Name, Sites] : Callees)
    for (const CallSite &Site : Sites)
      llvm::append_range(Others.Out.Calls[Name],
                         callsByRun(Site, All, Others, Ctx));
}

static void exportWrites(const HostIndex &Index, Evaluators ByRun,
                         Foreign &Others) {
  struct Written {
    const Uses *U;
    QualType T;
    const VarDecl *Variable;
  };
  std::map<std::string, Written> All;
  auto Note = [&](const ValueDecl *D, const Uses &U, const VarDecl *V) {
    QualType T = D->getType();
    bool Tells = T->isIntegralOrEnumerationType() || T->isAnyPointerType() ||
                 T->isRealFloatingType();
    bool Starts = V && V->hasInit() && V->isThisDeclarationADefinition();
    // A constant with a value is for all that declare it.
    if (!Tells || (T.isConstQualified() && !Starts) ||
        (U.Writes.empty() && !U.Escapes && !Starts))
      return;
    if (const std::string &Name = Others.nameOf(D); !Name.empty())
      All[Name] = {&U, T, Starts ? V : nullptr};
  };
  // Clang marks host constants as __constant__ too, implicitly.
  auto OnDevice = [](const Attr *A) { return A && !A->isImplicit(); };
  Index.forEachVariable([&](const VarDecl *V, const Uses &U) {
    if (V->hasGlobalStorage() && !V->isStaticLocal() &&
        !OnDevice(V->getAttr<CUDADeviceAttr>()) &&
        !OnDevice(V->getAttr<CUDAConstantAttr>())) {
      const VarDecl *Here = definitionHere(V);
      Note(V, U, Here ? Here : V);
    }
  });
  Index.forEachField(
      [&](const FieldDecl *F, const Uses &U) { Note(F, U, nullptr); });
  size_t Left = MaxWrites;
  for (const auto &[Name, W] : All) {
    std::vector<SharedValue> &Values = Others.Out.Writes[Name];
    if (W.U->Escapes || Left < W.U->Writes.size()) {
      Values.push_back(SharedValue());
      continue;
    }
    Left -= W.U->Writes.size();
    auto Send = [&](const HostValue &V) {
      SharedValue S = Others.send(V);
      if (!llvm::is_contained(Values, S))
        Values.push_back(std::move(S));
    };
    if (W.Variable)
      Others.Out.Defines.insert(Name);
    for (const auto &Evaluator : ByRun) {
      if (W.Variable) {
        Evaluator->begin();
        Send(Evaluator->startOf(W.Variable));
      }
      for (const Write &Each : W.U->Writes) {
        Evaluator->begin();
        Send(Evaluator->valueOf(Each, W.T));
      }
    }
  }
}

void exportFacts(const HostIndex &Index, Evaluators All, Foreign &Others,
                 ASTContext &Ctx) {
  for (const FunctionDecl *F : Index.Definitions)
    if (Others.isDefinedForOthers(F))
      if (const std::string &Name = Others.nameOf(F); !Name.empty())
        Others.Out.Defines.insert(Name);
  Evaluators ByRun = All.size() > 1 ? All.drop_front() : All;
  for (const auto &Evaluator : All)
    Evaluator->setLenient(false);
  exportCalls(Index, All, Others, Ctx);
  exportWrites(Index, ByRun, Others);
}

} // namespace warplint::launch
