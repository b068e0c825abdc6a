//===- HostPointees.cpp - What lies behind parameters and `this` ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace warplint::launch {

// Scalars in a record that is put together from writes to its parts.
static constexpr unsigned MaxParts = 64;

HostValue HostEvaluator::placeValue(const PassedPlace &P, uint64_t Offset,
                                    QualType T) {
  Frame &F = *P.Caller;
  const HostPlace &Place = P.Place;
  Offset += Place.Offset;
  if (const Decl *Key = pointeeKey(Place, F.Function))
    return pointeeValue(Key, P.Call, Offset, T, F);
  const VarDecl *V = Place.Var;
  const Uses &U = Index.usesOf(V);
  if (V->getType()->isReferenceType())
    return part(variable(V, nullptr, 0, V->getType().getNonReferenceType(), F),
                Offset, T, V->getName());
  if (ownerOf(V) == F.Function && F.Function && V->hasLocalStorage())
    return localVariable(V, U, P.Call, Offset, T, F);
  return anywhereVariable(V, U, Offset, T);
}

HostValue HostEvaluator::valueAt(const Expr *E, const Stmt *At, Frame &F) {
  HostPlace Place = placeOf(E, Ctx);
  if (!Place.Exact || !(Place.Var || pointeeKey(Place, F.Function)))
    return evaluateAnew(E, F);
  Steps = 0;
  return placeValue({Place, At, &F}, 0, E->getType().getNonReferenceType());
}

std::optional<HostValue> HostEvaluator::valueBehind(const Expr *E,
                                                    const Stmt *At, Frame &F) {
  HostPlace Place = pointeeOf(E, Ctx);
  QualType T = E->IgnoreParenCasts()->getType();
  if (const auto *U = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
      U && U->getOpcode() == UO_AddrOf)
    T = U->getSubExpr()->getType();
  if (!Place.Var || !Place.Exact || !sizeOf(T, Ctx))
    return std::nullopt;
  Steps = 0;
  return placeValue({Place, At, &F}, 0, T);
}

HostValue HostEvaluator::pointeeAtEntry(const Decl *Key, uint64_t Offset,
                                        QualType T, Frame &F) {
  HostValue Value = HostValue::unknown();
  const auto *P = dyn_cast<ParmVarDecl>(Key);
  if (auto It = F.Passed.find(Key); It != F.Passed.end())
    Value = placeValue(It->second, Offset, T);
  else if (P && P->getType()->isReferenceType())
    Value = part(parameter(P, F), Offset, T, P->getName());
  else if (P && !F.Inlined)
    Value = callersPointee(P, Offset, T);
  else if (std::optional<HostValue> Object = P ? std::nullopt : objectOf(F))
    Value = part(*Object, Offset, T, "");
  F.hand(Value);
  return Value;
}

HostValue HostEvaluator::pointeeValue(const Decl *Key, const Stmt *Use,
                                      uint64_t Offset, QualType T, Frame &F) {
  // What is behind a chain of calls may take long to see through.
  if (Depth >= MaxDepth || ++Steps > MaxSteps)
    return HostValue::unknown();
  ++Depth;
  auto Leave = llvm::scope_exit([&] { --Depth; });
  const Uses &U = Index.pointeeUsesOf(Key);
  const auto *P = dyn_cast<ParmVarDecl>(Key);
  // A pointer that is moved, or copied, is not followed.
  if (U.Escapes ||
      (P && !P->getType()->isReferenceType() &&
       (Index.usesOf(P).Escapes || !Index.usesOf(P).Writes.empty())))
    return HostValue::unknown();
  if (U.Writes.empty())
    return pointeeAtEntry(Key, Offset, T, F);
  uint64_t Size = sizeOf(T, Ctx).value_or(0);
  std::optional<Reaching> R = reaching(nullptr, U.Writes, Use, Offset, Size, F);
  if (!R)
    return HostValue::unknown();
  if (T->isRecordType() || T->isArrayType()) {
    HostValue Record = HostValue::record();
    forEachLeaf(T, Ctx, MaxParts, [&](uint64_t At, QualType Leaf) {
      Record.setLeaf(At, pointeeValue(Key, Use, Offset + At, Leaf, F));
    });
    return Record;
  }
  std::vector<HostValue> Values;
  std::vector<const void *> Branches;
  for (const Reaching::Definition &D : R->Definitions) {
    Values.push_back(D.W ? reachingValue(*D.W, nullptr, Use, Offset, T, F)
                         : pointeeAtEntry(Key, Offset, T, F));
    Branches.push_back(D.W ? D.Block : nullptr);
  }
  std::string Name = P ? P->getNameAsString() : "*this";
  for (const Reaching::Definition &D : R->Definitions)
    if (D.W && D.W->Target)
      Name = textOf(D.W->Target);
  HostValue Value = combine(Use ? static_cast<const void *>(Use) : Key, Name,
                            Values, Branches, T);
  Value.grantAll(R->Grants);
  return Value;
}

std::optional<HostValue> HostEvaluator::behindParameter(const Expr *E,
                                                        Frame &F) {
  HostPlace P = placeOf(E, Ctx);
  const Decl *Key = pointeeKey(P, F.Function);
  if (!Key || P.Var || !P.Exact)
    return std::nullopt;
  HostValue V = pointeeValue(Key, E, P.Offset, E->getType(), F);
  if (V.K == HostValue::Bottom ||
      (V.K == HostValue::Unknown && V.Divisor == 1 && !V.CommandLine))
    return std::nullopt;
  return V;
}

std::optional<HostValue> HostEvaluator::effectOfCall(const Write &W,
                                                     uint64_t Offset,
                                                     QualType T, const void *Id,
                                                     Frame &F) {
  const auto *Call = dyn_cast<CallExpr>(W.Where);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (const auto *C = dyn_cast<CXXConstructExpr>(W.Where))
    Callee = C->getConstructor();
  const FunctionDecl *Definition = nullptr;
  if (!Callee || !Callee->hasBody(Definition) || !W.Exact ||
      Offset < W.Offset || Definition->isDependentContext() ||
      Definition->isInvalidDecl())
    return std::nullopt;
  const auto *Method = dyn_cast<CXXMethodDecl>(Definition);
  if ((Method && Method->isVirtual()) ||
      Ctx.getSourceManager().isInSystemHeader(Definition->getLocation()))
    return std::nullopt;
  const Decl *Key = Method;
  if (W.Parameter != Write::OnObject)
    Key = unsigned(W.Parameter) < Definition->getNumParams()
              ? Definition->getParamDecl(unsigned(W.Parameter))
              : nullptr;
  if (!Key)
    return std::nullopt;
  auto Once = std::make_pair<const void *, const void *>(Key, W.Where);
  if (!Active.insert(Once).second)
    return std::nullopt; // Recursive.
  auto Leave = llvm::scope_exit([&] { Active.erase(Once); });

  Frame In = frameOfCall(cast<Expr>(W.Where), Definition, F);
  HostValue Value = pointeeValue(Key, nullptr, Offset - W.Offset, T, In);
  if (Value.K == HostValue::Unknown && Value.Divisor == 1 && !Value.CommandLine)
    return std::nullopt;
  ownAllocation(Value, In, Id);
  return Value;
}

} // namespace warplint::launch
