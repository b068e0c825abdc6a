//===- HostVariables.cpp - Values of variables, members and parameters ----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "HostProgram.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warplint::launch {

// Writes to one member that are looked at for its value.
static constexpr size_t MaxFieldWrites = 64;
// Scalars in a record that is put together from writes to its parts.
static constexpr unsigned MaxParts = 64;

HostValue HostEvaluator::unknownVariable(const VarDecl *V, QualType T,
                                         uint64_t Offset) {
  if (T->isAnyPointerType())
    return HostValue::pointer(identityAt(V, Offset), V->getName(), 0);
  HostValue U = HostValue::unknown(V->getNameAsString());
  if (!isScalar(T)) {
    // Pointers inside keep an identity of their own.
    HostValue R = HostValue::record();
    forEachLeaf(T, Ctx, MaxParts, [&](uint64_t At, QualType Leaf) {
      R.setLeaf(At, Leaf->isAnyPointerType()
                        ? unknownVariable(V, Leaf, Offset + At)
                        : U);
    });
    return R;
  }
  return U;
}

HostValue HostEvaluator::variable(const VarDecl *V, const DeclRefExpr *Use,
                                  uint64_t Offset, QualType T, Frame &F) {
  if (auto It = Stepped.find(V); It != Stepped.end())
    return part(It->second, Offset, T, V->getName());
  if (V->isInvalidDecl() || V->getType()->isDependentType())
    return HostValue::unknown(V->getNameAsString());
  if (V->getName() == "optarg" && V->hasGlobalStorage()) {
    if (Scan.Argument)
      return *Scan.Argument;
    HostValue Text = HostValue::unknown("optarg"); // getopt's
    Text.CommandLine = true;
    return Text;
  }
  // A write to one member of a union is one to all; a static local has what
  // an earlier call left.
  if (V->getType().getNonReferenceType()->isUnionType() ||
      (Run && V->isStaticLocal() && !V->getType().isConstQualified()))
    return unknownVariable(V, T, Offset);
  const Expr *Init = V->getAnyInitializer();
  if (Init && (Init->isValueDependent() || Init->containsErrors()))
    return unknownVariable(V, T, Offset);
  if (Offset == 0 && isScalar(T) && Use &&
      V->mightBeUsableInConstantExpressions(Ctx)) {
    HostValue C = foldConstant(Use);
    if (C.isConstant())
      return C;
  }
  if (Index.rangeLoopOf(V))
    if (std::optional<HostValue> Value = rangeLoopValue(V, F))
      return part(*Value, Offset, T, V->getName());
  if (const auto *P = dyn_cast<ParmVarDecl>(V);
      P && V->getType()->isReferenceType() && Use && ownerOf(V) == F.Function &&
      !Index.pointeeUsesOf(P).Writes.empty())
    return pointeeValue(P, Use, Offset, T, F);
  const Uses &U = Index.usesOf(V);
  bool Own = ownerOf(V) == F.Function && F.Function && V->hasLocalStorage();
  if (V->getType()->isReferenceType() && !isa<ParmVarDecl>(V)) {
    // A reference reads what it is bound to.
    if (!Init)
      return unknownVariable(V, T, Offset);
    Frame Other;
    Other.Function = ownerOf(V);
    return initialValue(V, Offset, T, Own ? F : Other);
  }
  if (Own && Use)
    return cached({V, Use, Offset, T.getAsOpaquePtr(), false, false, false}, F,
                  [&] { return localVariable(V, U, Use, Offset, T, F); });
  if (Own)
    return localVariable(V, U, Use, Offset, T, F);
  if (const auto *P = dyn_cast<ParmVarDecl>(V)) {
    // Captured by a lambda.
    Frame Other;
    Other.Function = ownerOf(V);
    if (!Other.Function || !U.Writes.empty() || U.Escapes)
      return unknownVariable(V, T, Offset);
    return part(parameter(P, Other), Offset, T, V->getName());
  }
  HostValue Value = anywhereVariable(V, U, Offset, T);
  F.hand(Value);
  return Value;
}

HostValue HostEvaluator::initialValue(const VarDecl *V, uint64_t Offset,
                                      QualType T, Frame &F) {
  if (const auto *P = dyn_cast<ParmVarDecl>(V))
    return part(parameter(P, F), Offset, T, V->getName());
  const Expr *Init = V->getAnyInitializer();
  if (!Init) {
    if (V->hasLocalStorage())
      return HostValue::bottom(); // Not initialised: nothing reads that.
    bool Zero =
        V->isStaticLocal() || (!V->isExternallyVisible() &&
                               V->hasDefinition() != VarDecl::DeclarationOnly);
    return Zero ? part(zeroOf(V->getType()), Offset, T, V->getName())
                : unknownVariable(V, T, Offset);
  }
  if (const auto *C = dyn_cast<CXXConstructExpr>(Init->IgnoreImplicit());
      C && C->getConstructor()->isTrivial() &&
      C->getConstructor()->isDefaultConstructor() && V->hasLocalStorage() &&
      !C->requiresZeroInitialization())
    return HostValue::bottom();
  HostValue Value =
      part(solve({V, F.identity()}, [&] { return evaluate(Init, F); }), Offset,
           T, V->getName());
  if (Value.K == HostValue::Pointer && Value.BaseName.empty() && Value.Base)
    Value.BaseName = V->getNameAsString();
  if (Value.K == HostValue::Unknown && T->isAnyPointerType() &&
      Value.Culprit != "nullptr")
    return unknownVariable(V, T, Offset);
  return Value;
}

HostValue HostEvaluator::stepped(const UnaryOperator *E, QualType T, Frame &F) {
  HostValue Old = evaluate(E->getSubExpr(), F);
  if (T->isAnyPointerType())
    return offsetPointer(Old, HostValue::integer(1),
                         sizeOf(T->getPointeeType(), Ctx).value_or(1),
                         E->isDecrementOp());
  return foldTyped(E->isIncrementOp() ? BO_Add : BO_Sub, Old,
                   HostValue::integer(1), T);
}

HostValue HostEvaluator::writtenWhole(const Write &W, QualType T, Frame &F) {
  switch (W.K) {
  case Write::Assign:
  case Write::Swap:
    return evaluate(W.Value, F);
  case Write::Compound:
    return evaluate(cast<Expr>(W.Where), F);
  case Write::Step:
    return stepped(cast<UnaryOperator>(W.Where), T, F);
  case Write::Passed:
    break;
  }
  return HostValue::unknown();
}

HostValue HostEvaluator::written(const Write &W, const VarDecl *V,
                                 uint64_t Offset, QualType T, Frame &F) {
  std::string Name = V          ? V->getNameAsString()
                     : W.Target ? textOf(W.Target)
                                : std::string();
  HostValue Opaque =
      V ? unknownVariable(V, T, Offset) : HostValue::unknown(Name);
  bool Whole = W.K == Write::Assign || W.K == Write::Swap;
  if (W.K == Write::Passed) {
    Frame Other;
    Other.Function = W.In;
    const void *Id = Opaque.Base ? Opaque.Base : identityAt(W.Where, Offset);
    if (std::optional<HostValue> Value =
            effectOfCall(W, Offset, T, Id, W.In == F.Function ? F : Other)) {
      if (Value->K == HostValue::Pointer && Value->BaseName.empty())
        Value->BaseName = Name;
      return *Value;
    }
    if (!isScalar(T))
      return Opaque;
    return passedValue(W, Offset >= W.Offset ? Offset - W.Offset : 0, Name, Id,
                       T, W.In == F.Function ? F : Other);
  }
  if (!W.Exact || (Whole ? W.Offset > Offset : !isScalar(T)))
    return Opaque;
  Frame Other;
  Other.Function = W.In;
  Frame &In = W.In == F.Function ? F : Other;
  HostValue Value =
      solve({&W, In.identity()}, [&] { return writtenWhole(W, T, In); });
  if (Whole)
    Value = part(Value, Offset - W.Offset, T, Name);
  if (Value.K == HostValue::Pointer && Value.BaseName.empty() && Value.Base)
    Value.BaseName = Name;
  return Value;
}

HostValue HostEvaluator::reachingValue(const Write &W, const VarDecl *V,
                                       const Stmt *Use, uint64_t Offset,
                                       QualType T, Frame &F) {
  // A loop that is over has not left what its first round wrote.
  bool Over = false;
  for (const Stmt *L = W.Loop; L; L = Index.loopAround(L))
    Over |= !Use || !isInside(L, Use);
  bool WasFirst = std::exchange(First, First && !Over);
  // Of a known run it has left one value, of whichever round.
  bool WasEvery =
      std::exchange(EveryIteration, EveryIteration || (Run && Over));
  HostValue Value = written(W, V, Offset, T, F);
  EveryIteration = WasEvery;
  First = WasFirst;
  return Value;
}

/// The value, put together from its scalars.
static HostValue
byLeaf(QualType T, const ASTContext &Ctx,
       llvm::function_ref<HostValue(uint64_t, QualType)> Read) {
  HostValue R = HostValue::record();
  forEachLeaf(T, Ctx, MaxParts, [&](uint64_t At, QualType Leaf) {
    R.setLeaf(At, Read(At, Leaf));
  });
  return R;
}

static bool isWhole(const VarDecl *V, uint64_t Offset, QualType T,
                    const ASTContext &Ctx) {
  return Offset == 0 && sizeOf(V->getType(), Ctx) == sizeOf(T, Ctx);
}

HostValue HostEvaluator::localVariable(const VarDecl *V, const Uses &U,
                                       const Stmt *Use, uint64_t Offset,
                                       QualType T, Frame &F) {
  if (U.Escapes)
    return unknownVariable(V, T, Offset);
  if (U.Writes.empty())
    return initialValue(V, Offset, T, F);
  if (U.WrittenElsewhere)
    return Stepped.empty() ? anywhereVariable(V, U, Offset, T)
                           : unknownVariable(V, T, Offset);
  uint64_t Size = sizeOf(T, Ctx).value_or(0);
  std::optional<Reaching> R;
  if (Use)
    R = reaching(V, U.Writes, Use, Offset, Size, F);
  if (!R)
    return anywhereVariable(V, U, Offset, T);

  if (!isScalar(T))
    for (const Reaching::Definition &D : R->Definitions)
      if (D.W && (!D.W->Exact || D.W->Offset > Offset || D.W->Size < Size ||
                  D.W->K == Write::Passed))
        return byLeaf(T, Ctx, [&](uint64_t At, QualType Leaf) {
          return localVariable(V, U, Use, Offset + At, Leaf, F);
        });

  std::vector<HostValue> Values;
  std::vector<const void *> Branches;
  if (!isFirstRound(F) && R->Definitions.size() == 2 &&
      T->isIntegralOrEnumerationType())
    for (const Reaching::Definition &D : R->Definitions)
      if (const ForStmt *Loop = D.W ? Index.loopOf(V, D.W->Where) : nullptr)
        if (std::optional<std::vector<HostValue>> Steps =
                loopValues(V, Loop, Use, F)) {
          HostValue Value = combineIterations(V, *Steps, T, F);
          Value.grantAll(R->Grants);
          return Value;
        }
  // What a loop before the use leaves, where it can be run.
  const Stmt *Loop = nullptr;
  for (const Reaching::Definition &D : R->Definitions)
    for (const Stmt *L = D.W ? D.W->Loop : nullptr; L; L = Index.loopAround(L))
      if (!isInside(L, Use))
        Loop = L;
  auto InLoop = [&](const Stmt *S) { return isInside(Loop, S); };
  if (Loop && isWhole(V, Offset, T, Ctx) &&
      (T->isIntegralOrEnumerationType() || (Run && T->isAnyPointerType())))
    if (std::optional<HostValue> Left = loopLeaves(V, Loop, F)) {
      LoopView View{LoopView::Left, Loop, InLoop};
      R = reaching(V, U.Writes, Use, Offset, Size, F, &View);
      Values.push_back(*Left);
      Branches.push_back(nullptr);
    }
  for (const Reaching::Definition &D : R->Definitions) {
    Values.push_back(D.W ? reachingValue(*D.W, V, Use, Offset, T, F)
                         : initialValue(V, Offset, T, F));
    Branches.push_back(D.W ? D.Block : nullptr);
  }
  if (Values.empty())
    return unknownVariable(V, T, Offset);
  HostValue Value = combine(V, V->getName(), Values, Branches, T);
  Value.grantAll(R->Grants);
  return Value;
}

HostValue HostEvaluator::anywhereVariable(const VarDecl *V, const Uses &U,
                                          uint64_t Offset, QualType T) {
  // Clang marks host constants as __constant__ too, implicitly.
  auto OnDevice = [&](const Attr *A) { return A && !A->isImplicit(); };
  if (U.Escapes || OnDevice(V->getAttr<CUDADeviceAttr>()) ||
      OnDevice(V->getAttr<CUDAConstantAttr>()))
    return unknownVariable(V, T, Offset);
  Frame Owner;
  Owner.Function = ownerOf(V);
  HostValue Value;
  // Of a record other units tell nothing.
  llvm::ArrayRef<SharedValue> FromOthers;
  if (V->hasGlobalStorage() && Offset == 0 && isScalar(T))
    FromOthers = Others.writesOf(V);
  if (U.Writes.empty() && FromOthers.empty()) {
    Value = initialValue(V, Offset, T, Owner);
  } else if (!isScalar(T)) {
    return byLeaf(T, Ctx, [&](uint64_t At, QualType Leaf) {
      return anywhereVariable(V, U, Offset + At, Leaf);
    });
  } else {
    std::vector<HostValue> Values;
    // Without an initialiser, the zero it starts with is not what is used.
    if (V->getAnyInitializer() || isa<ParmVarDecl>(V))
      Values.push_back(initialValue(V, Offset, T, Owner));
    uint64_t Size = sizeOf(T, Ctx).value_or(0);
    for (const Write &W : U.Writes)
      if ((!W.Size ||
           (W.Offset < Offset + Size && Offset < W.Offset + W.Size)) &&
          happensInRun(W))
        Values.push_back(reachingValue(W, V, nullptr, Offset, T, Owner));
    for (const SharedValue &Other : FromOthers)
      Values.push_back(Others.receive(Other));
    if (Values.empty())
      return unknownVariable(V, T, Offset);
    std::vector<const void *> Branches(Values.size(), nullptr);
    Value = combine(V, V->getName(), Values, Branches, T);
  }
  if (Value.K == HostValue::Bottom)
    return unknownVariable(V, T, Offset);
  if (V->hasGlobalStorage() && V->isExternallyVisible() &&
      !V->getType().isConstQualified() && !V->isStaticLocal() &&
      Value.isInteger())
    Value.grant("no other file changes '" + V->getNameAsString() + "'");
  return Value;
}

/// Members of cudaDeviceProp that are the same on every GPU from compute
/// capability 2.0 to today's (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
static std::optional<int64_t> deviceProperty(const FieldDecl *Field) {
  if (Field->getParent()->getName() != "cudaDeviceProp")
    return std::nullopt;
  if (Field->getName() == "warpSize")
    return 32;
  if (Field->getName() == "maxThreadsPerBlock")
    return 1024;
  return std::nullopt;
}

HostValue HostEvaluator::member(const MemberExpr *E, Frame &F) {
  QualType T = E->getType();
  if (const auto *V = dyn_cast<VarDecl>(E->getMemberDecl())) {
    HostValue C = foldConstant(E);
    return C.isConstant() ? C : anywhereVariable(V, Index.usesOf(V), 0, T);
  }
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (!Field)
    return opaque(E);
  if (std::optional<int64_t> Value = deviceProperty(Field))
    return HostValue::integer(*Value);
  HostPlace P = placeOf(E, Ctx);
  std::optional<uint64_t> At = offsetOf(Field, Ctx);
  HostValue Value = HostValue::unknown(textOf(E));
  bool Exact = false;
  if (const Decl *Key = pointeeKey(P, F.Function); Key && !P.Var && P.Exact) {
    Value = pointeeValue(Key, E, P.Offset, T, F);
  } else if (P.Var && P.Exact) {
    Value = variable(P.Var, P.Ref, P.Offset, T, F);
    Exact = !P.Var->getType()->isReferenceType() && !isa<ParmVarDecl>(P.Var);
  } else if (!At) {
    // A bit-field.
  } else if (!E->isArrow()) {
    Value = part(evaluate(E->getBase(), F), *At, T, "");
  } else if (isa<CXXThisExpr>(E->getBase()->IgnoreParenImpCasts())) {
    if (std::optional<HostValue> Object = objectOf(F))
      Value = part(*Object, *At, T, "");
  }
  if (Value.K == HostValue::Bottom)
    Value = HostValue::unknown(textOf(E));
  if (Value.isConstant() && Value.K != HostValue::Pointer)
    return Value;
  if (Value.K == HostValue::Pointer) {
    // Say "p.data", not the name of the record it is in.
    if (Value.Base && (Value.BaseName.empty() ||
                       (P.Var && Value.BaseName == P.Var->getName())))
      Value.BaseName = textOf(E);
    return Value;
  }
  if (!Exact)
    Value = fieldAnywhere(Field, E);
  else if (T->isAnyPointerType() && Value.Culprit != "nullptr")
    Value = opaque(E);
  if (Value.K == HostValue::Unknown)
    Value.Culprit = textOf(E);
  return Value;
}

HostValue HostEvaluator::valueOf(const Write &W, QualType T) {
  Steps = 0;
  Frame In;
  In.Function = W.In;
  return written(W, nullptr, 0, T, In);
}

HostValue HostEvaluator::startOf(const VarDecl *V) {
  Steps = 0;
  Frame None;
  return initialValue(V, 0, V->getType(), None);
}

HostValue HostEvaluator::fieldAnywhere(const FieldDecl *Field,
                                       const MemberExpr *E) {
  QualType T = Field->getType();
  const Uses &U = Index.usesOf(Field);
  // Records of the toolkit (dim3) are used all over for different things.
  if (U.Escapes || T->isReferenceType() ||
      Ctx.getSourceManager().isInSystemHeader(Field->getLocation()))
    return opaque(E);
  HostValue Value =
      solve({Field, nullptr}, [&] { return fieldWrites(Field, E); });
  const SourceManager &SM = Ctx.getSourceManager();
  if (Value.isInteger() && Field->getParent()->isExternallyVisible() &&
      !SM.isInMainFile(SM.getExpansionLoc(Field->getLocation())))
    Value.grant("no other file changes '" + Field->getNameAsString() + "'");
  return Value;
}

HostValue HostEvaluator::fieldWrites(const FieldDecl *Field,
                                     const MemberExpr *E) {
  QualType T = Field->getType();
  const Uses &U = Index.usesOf(Field);
  std::vector<HostValue> Values;
  if (const Expr *Init = Field->getInClassInitializer()) {
    Frame None;
    Values.push_back(evaluate(Init, None));
  }
  for (const Write &W : U.Writes) {
    if (!happensInRun(W))
      continue;
    Frame In;
    In.Function = W.In;
    Values.push_back(reachingValue(W, nullptr, nullptr, 0, T, In));
    if (Values.size() > MaxFieldWrites)
      return opaque(E);
  }
  for (const SharedValue &Other : Others.writesOf(Field))
    Values.push_back(Others.receive(Other));
  if (Values.empty())
    return opaque(E);
  if (T->isAnyPointerType()) {
    HostValue P = opaque(E);
    uint64_t Align = 0;
    for (const HostValue &V : Values) {
      if (V.isNull())
        continue;
      if (V.K != HostValue::Pointer || !V.OffsetKnown || V.Int || !V.BaseAlign)
        return P;
      Align = Align ? std::min(Align, V.BaseAlign) : V.BaseAlign;
    }
    P.BaseAlign = Align;
    return P;
  }
  std::vector<const void *> Branches(Values.size(), nullptr);
  if (Lenient)
    return combine(Field, textOf(E), Values, Branches, T);
  // Objects with different values are different arguments, not alternatives.
  HostValue All = HostValue::bottom();
  for (const HostValue &V : Values)
    All = join(All, V);
  return All;
}

static std::string describe(const HostValue &V) {
  if (V.isInteger())
    return std::to_string(V.Int);
  if (V.K == HostValue::Record) {
    std::string Text;
    for (const auto &[At, Leaf] : V.Leaves)
      Text += (Text.empty() ? "" : "x") + describe(Leaf);
    return Text;
  }
  return "a constant";
}

HostValue HostEvaluator::combine(const void *Key, llvm::StringRef Name,
                                 llvm::ArrayRef<HostValue> Values,
                                 llvm::ArrayRef<const void *> Branches,
                                 QualType T, bool Each) {
  if (Program) {
    // What happens in the run is seen; there is nothing to choose.
    HostValue Any = HostValue::bottom();
    for (const HostValue &V : Values)
      Any = joinRun(Any, V, identityAt(Key, 1));
    return Any;
  }
  llvm::SmallVector<HostValue, 4> Known;
  llvm::SmallVector<const void *, 4> KnownBranches;
  bool HasUnknown = false, OnlyCommandLine = true;
  HostValue All = HostValue::bottom();
  bool HasPointer = llvm::any_of(
      Values, [](const HostValue &V) { return V.K == HostValue::Pointer; });
  for (auto [V, Branch] : llvm::zip_equal(Values, Branches)) {
    if (V.K == HostValue::Bottom || (HasPointer && V.isNull()))
      continue;
    All = join(All, V);
    if (!V.isConstant()) {
      HasUnknown = true;
      OnlyCommandLine &= V.CommandLine;
      continue;
    }
    if (llvm::none_of(Known, [&](const HostValue &K) { return K.sameAs(V); })) {
      Known.push_back(V);
      KnownBranches.push_back(Branch);
    }
  }
  if (HasPointer && T->isAnyPointerType()) {
    // Several allocations at one offset: the variable stands for each.
    if (All.K == HostValue::Pointer)
      return All;
    HostValue P = HostValue::pointer(Key, Name, ~uint64_t(0));
    HostValue Offset = HostValue::bottom();
    for (const HostValue &V : Values) {
      if (V.K == HostValue::Bottom || V.Culprit == "nullptr")
        continue;
      if (V.K != HostValue::Pointer)
        return HostValue::pointer(Key, Name, 0);
      Offset = join(Offset, V.OffsetKnown ? HostValue::integer(V.Int)
                                          : HostValue::unknown("", V.Divisor));
      // A base not known yet comes from a cycle back to this variable.
      if (V.Base)
        P.BaseAlign = std::min(P.BaseAlign, V.BaseAlign);
    }
    if (P.BaseAlign == ~uint64_t(0))
      P.BaseAlign = 0;
    return offsetPointer(P, Offset, 1);
  }
  // The run that is known sets what cannot be followed: no default holds.
  const bool Overwritten = Run && Run->Words.size() > 1;
  OnlyCommandLine &= !Overwritten;
  // One of these happens in the run, and it is not known which.
  if (Run && !Each && Known.size() > 1 &&
      llvm::any_of(Known, [&](const HostValue &V) {
        return llvm::is_contained(V.Grants, RunGrant);
      })) {
    if (!Lenient)
      return All;
    HasUnknown = true;
    OnlyCommandLine = false;
    Known.resize(1);
    KnownBranches.resize(1);
  }
  if (HasUnknown) {
    if (!OnlyCommandLine && !Lenient)
      return All;
    // `if (n == 0) return 0;` is no guess at what a launch is made with, and
    // neither are the 1 that a loop doubles and the 0 that waits for the
    // command line: code would look dead.
    for (size_t I = Known.size(); I-- > 0;)
      if (Known[I].isInteger() && Known[I].Int <= 1) {
        Known.erase(Known.begin() + I);
        KnownBranches.erase(KnownBranches.begin() + I);
      }
  }
  if (Known.empty() || (Known.size() == 1 && !HasUnknown))
    return All;
  HostValue Value = Known[0];
  // A flag that is raised on the way (`found = true`) is no way to run a
  // kernel.
  if (Known.size() > 1 && T->isBooleanType() &&
      llvm::any_of(KnownBranches, [](const void *B) { return !B; }))
    return All;
  if (Known.size() > 1) {
    std::optional<unsigned> Pick = Picks.pick(Key, KnownBranches);
    if (!Pick)
      return All;
    Value = Known[*Pick];
  }
  if (HasUnknown) {
    Value.Culprit = Name.str();
    Value.grant("'" + Name.str() + "' is " + describe(Value) +
                (OnlyCommandLine ? " unless the command line changes it"
                                 : ", one of the values it may have"));
  }
  return Value;
}

} // namespace warplint::launch
