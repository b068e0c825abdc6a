//===- HostParameters.cpp - What a function's callers pass ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"

using namespace clang;

namespace warplint::launch {

// Callers of one function that are looked at for a parameter.
static constexpr unsigned MaxCallers = 64;
HostValue HostEvaluator::parameter(const ParmVarDecl *P, Frame &F) {
  QualType T = P->getType().getNonReferenceType();
  if (F.Inlined) {
    auto It = F.Parameters.find(P);
    return It == F.Parameters.end() ? unknownVariable(P, T) : It->second;
  }
  const FunctionDecl *Function = F.Function;
  if (!Function)
    return unknownVariable(P, T);
  if (Function->isMain()) {
    HostValue V = HostValue::unknown(P->getNameAsString());
    V.CommandLine = true;
    return V;
  }
  llvm::ArrayRef<CallSite> Sites = Index.callsOf(Function);
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  bool AddressTaken = Index.isAddressTaken(Function);
  if (Sites.empty() || Sites.size() > MaxCallers ||
      (AddressTaken && !Lenient) || (Method && Method->isVirtual()))
    return unknownVariable(P, T);

  HostValue Value =
      solve({P, nullptr}, [&] { return callersArgument(P, Function); });
  if (Value.K == HostValue::Pointer && Value.BaseName.empty())
    Value.BaseName = P->getNameAsString();
  if (Function->isExternallyVisible() && !Function->isInlined() &&
      !Function->isTemplateInstantiation() && Value.isInteger())
    Value.grant("'" + Function->getNameAsString() +
                "' is called from this file only");
  if (AddressTaken)
    Value.grant("calls of '" + Function->getNameAsString() +
                "' through a pointer pass what the others pass");
  return Value;
}

HostValue HostEvaluator::callersArgument(const ParmVarDecl *P,
                                         const FunctionDecl *Function) {
  QualType T = P->getType().getNonReferenceType();
  llvm::ArrayRef<CallSite> Sites = Index.callsOf(Function);
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  unsigned Position = P->getFunctionScopeIndex();
  auto ArgumentAt = [&](const CallSite &Site) {
    const Expr *Argument = nullptr;
    unsigned At = Position;
    if (const auto *C = dyn_cast<CXXConstructExpr>(Site.Call)) {
      Argument = At < C->getNumArgs() ? C->getArg(At) : nullptr;
    } else if (const auto *C = dyn_cast<CallExpr>(Site.Call)) {
      if (isa<CXXOperatorCallExpr>(C) && Method && Method->isInstance())
        ++At;
      Argument = At < C->getNumArgs() ? C->getArg(At) : nullptr;
    }
    Frame Caller;
    Caller.Function = Site.In;
    return Argument ? evaluate(Argument, Caller) : unknownVariable(P, T);
  };

  const void *Caller = Function->getCanonicalDecl();
  HostValue Value;
  if (std::optional<unsigned> Site = Picks.picked(Caller);
      Site && *Site < Sites.size()) {
    Value = ArgumentAt(Sites[*Site]);
  } else if (Sites.size() == 1) {
    Value = ArgumentAt(Sites[0]);
  } else {
    // What each caller passes, whatever varies there.
    bool WasSuspended = Picks.suspend(true);
    unsigned Refusals = Picks.refusals();
    std::vector<HostValue> Values;
    for (const CallSite &S : Sites)
      Values.push_back(ArgumentAt(S));
    bool Varies = Picks.refusals() != Refusals;
    Picks.suspend(WasSuspended);
    bool Same = true, Constant = true;
    for (const HostValue &V : Values) {
      Same &= V.sameAs(Values[0]);
      Constant &= V.isConstant();
    }
    std::vector<const void *> Branches(Values.size(), nullptr);
    std::optional<unsigned> Site;
    // All arguments of one call belong together, so the call is picked.
    if (!T->isAnyPointerType() && (Varies || (Constant && !Same)))
      Site = Picks.pick(Caller, Branches);
    Value = Site ? ArgumentAt(Sites[*Site])
                 : combine(P, P->getName(), Values, Branches, T);
  }
  return Value;
}

} // namespace warplint::launch
