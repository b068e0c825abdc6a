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
    unsigned At = P->getFunctionScopeIndex();
    return At < F.Arguments.size() ? handedIn(F.Arguments[At], F)
                                   : unknownVariable(P, T);
  }
  const FunctionDecl *Function = F.Function;
  if (!Function)
    return unknownVariable(P, T);
  if (Function->isMain())
    return mainParameter(P);
  llvm::ArrayRef<CallSite> Sites = Index.callsOf(Function);
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  bool Hidden = Index.hasHiddenCalls(Function);
  size_t Callers = Sites.size() + Others.callsOf(Function).size();
  if (Callers == 0 || Callers > MaxCallers || (Hidden && !Lenient) ||
      (Method && Method->isVirtual())) {
    Others.ask(Function, Lenient && !T->isAnyPointerType());
    return unknownVariable(P, T);
  }

  HostValue Value =
      solve({P, nullptr}, [&] { return callersArgument(P, Function); });
  if (Value.K == HostValue::Pointer && Value.BaseName.empty())
    Value.BaseName = P->getNameAsString();
  Others.ask(Function,
             Lenient && !T->isAnyPointerType() && !Value.isConstant());
  grantCallers(Function, Value);
  return Value;
}

void HostEvaluator::grantCallers(const FunctionDecl *Function,
                                 HostValue &Value) const {
  std::string Name = Function->getNameAsString();
  if (Function->isExternallyVisible() && !Function->isInlined() &&
      !Function->isTemplateInstantiation() && Value.isInteger())
    Value.grant("'" + Name + "' is called from " +
                (Others.wasSearched() ? "the files analysed" : "this file") +
                " only");
  if (Index.isCalledByPointer(Function))
    Value.grant("calls of '" + Name + "' through a pointer are in this file");
  else if (Index.isAddressTaken(Function))
    Value.grant("calls of '" + Name +
                "' through a pointer pass what the others pass");
}

/// Argument \p Position of \p Call, a call of \p Callee, or null.
static const Expr *argumentOf(const Expr *Call, const FunctionDecl *Callee,
                              unsigned Position) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (const auto *C = dyn_cast<CXXConstructExpr>(Call))
    return Position < C->getNumArgs() ? C->getArg(Position) : nullptr;
  const auto *C = cast<CallExpr>(Call);
  if (isa<CXXOperatorCallExpr>(C) && Method && Method->isInstance())
    ++Position;
  return Position < C->getNumArgs() ? C->getArg(Position) : nullptr;
}

HostValue HostEvaluator::callersArgument(const ParmVarDecl *P,
                                         const FunctionDecl *Function) {
  QualType T = P->getType().getNonReferenceType();
  llvm::ArrayRef<CallSite> Sites = Index.callsOf(Function);
  llvm::ArrayRef<SharedCall> FromOthers = Others.callsOf(Function);
  const unsigned Position = P->getFunctionScopeIndex();
  auto ArgumentAt = [&](size_t Number) {
    if (Number >= Sites.size()) {
      const SharedCall &Call = FromOthers[Number - Sites.size()];
      const std::vector<SharedValue> &Passed = First     ? Call.AtFirst
                                               : Lenient ? Call.Guesses
                                                         : Call.Arguments;
      return Position < Passed.size() ? Others.receive(Passed[Position])
                                      : unknownVariable(P, T);
    }
    Frame Caller;
    Caller.Function = Sites[Number].In;
    const Expr *Argument = argumentOf(Sites[Number].Call, Function, Position);
    return Argument ? evaluate(Argument, Caller) : unknownVariable(P, T);
  };
  return fromCallers(Function, P, P->getName(), T,
                     Sites.size() + FromOthers.size(), ArgumentAt);
}

HostValue HostEvaluator::callersPointee(const ParmVarDecl *P, uint64_t Offset,
                                        QualType T) {
  const auto *Function = cast<FunctionDecl>(P->getDeclContext());
  llvm::ArrayRef<CallSite> Sites = Index.callsOf(Function);
  llvm::ArrayRef<SharedCall> FromOthers = Others.callsOf(Function);
  const auto *Method = dyn_cast<CXXMethodDecl>(Function);
  size_t Callers = Sites.size() + FromOthers.size();
  Others.ask(Function, Lenient);
  if (Callers == 0 || Callers > MaxCallers || Function->isMain() ||
      (Index.hasHiddenCalls(Function) && !Lenient) ||
      (Method && Method->isVirtual()))
    return HostValue::unknown();
  const unsigned Position = P->getFunctionScopeIndex();
  auto PointeeAt = [&](size_t Number) {
    if (Number >= Sites.size()) {
      const SharedCall &Call = FromOthers[Number - Sites.size()];
      const std::vector<SharedValue> &Passed = First     ? Call.AtFirst
                                               : Lenient ? Call.Guesses
                                                         : Call.Arguments;
      if (Position < Passed.size())
        for (const auto &[At, Leaf] : Passed[Position].Leaves)
          if (At == Offset && Passed[Position].K == SharedValue::Pointer)
            return Others.receive(Leaf);
      return HostValue::unknown();
    }
    Frame Caller;
    Caller.Function = Sites[Number].In;
    const Expr *Argument = argumentOf(Sites[Number].Call, Function, Position);
    if (!Argument)
      return HostValue::unknown();
    HostPlace Place = pointeeOf(Argument, Ctx);
    if (!Place.Exact || !(Place.Var || pointeeKey(Place, Caller.Function)))
      return HostValue::unknown();
    return placeValue({Place, Sites[Number].Call, &Caller}, Offset, T);
  };
  const void *Id = identityAt(P, Offset + 1);
  HostValue Value = solve({Id, nullptr}, [&] {
    return fromCallers(Function, Id, P->getName(), T, Callers, PointeeAt);
  });
  grantCallers(Function, Value);
  return Value;
}

HostValue HostEvaluator::fromCallers(const FunctionDecl *Function,
                                     const void *Key, llvm::StringRef Name,
                                     QualType T, size_t Callers,
                                     llvm::function_ref<HostValue(size_t)> At) {
  const void *Caller = Function->getCanonicalDecl();
  if (std::optional<unsigned> Site = Picks.picked(Caller);
      Site && *Site < Callers)
    return At(*Site);
  if (Callers == 1)
    return At(0);
  // What each caller passes, whatever varies there.
  bool WasSuspended = Picks.suspend(true);
  unsigned Refusals = Picks.refusals();
  std::vector<HostValue> Values;
  for (size_t I = 0; I < Callers; ++I)
    Values.push_back(At(I));
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
  return Site ? At(*Site) : combine(Key, Name, Values, Branches, T);
}

} // namespace warplint::launch
