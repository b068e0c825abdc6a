//===- HostCalls.cpp - Values that calls and constructors give ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "HostNotes.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warplint::launch {

// cudaMalloc and its kin align to 256 bytes (CUDA C++ Programming Guide,
// "Device Memory Accesses": "at least 256 bytes").
static constexpr uint64_t AllocationAlign = 256;
// Rows that cudaMallocPitch lays out: CUDA promises no number, only rows
// aligned for coalesced access and for textures
// (cudaDeviceProp::textureAlignment, 512 on every GPU since Fermi); the pitches
// seen are multiples of it.
static constexpr uint64_t PitchAlign = 512;

// Scalars of a record that a constructor's body is followed for.
static constexpr unsigned MaxMembers = 64;

static bool isAllocator(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
              "cudaHostAlloc", "cudaMallocHost", "cudaMallocPitch",
              "cudaMallocFromPoolAsync", "cudaMalloc3D"},
             true)
      .Default(false);
}

std::optional<HostValue> HostEvaluator::allocated(llvm::StringRef Name,
                                                  const void *Id) {
  return isAllocator(Name)
             ? std::optional(HostValue::pointer(Id, "", AllocationAlign))
             : std::nullopt;
}

HostValue HostEvaluator::pitchOf(llvm::StringRef Name) {
  return HostValue::unknown(Name.str(), PitchAlign);
}

HostValue HostEvaluator::passedValue(const Write &W, uint64_t At,
                                     llvm::StringRef Name, const void *Id,
                                     QualType T, Frame &F) {
  HostValue Unknown = T->isAnyPointerType() ? HostValue::pointer(Id, Name, 0)
                                            : HostValue::unknown(Name.str());
  const auto *C = dyn_cast<CallExpr>(W.Where);
  llvm::StringRef Callee = C ? nameOf(C->getDirectCallee()) : "";
  if (isAllocator(Callee) && T->isAnyPointerType())
    return HostValue::pointer(Id, Name, AllocationAlign);
  // The second member of a cudaPitchedPtr is the pitch.
  bool IsPitch = Callee == "cudaMallocPitch" ||
                 (Callee == "cudaMalloc3D" && At == sizeof(void *));
  if (IsPitch && T->isIntegralOrEnumerationType())
    return HostValue::unknown(Name.str(), PitchAlign);
  if (Callee == "sscanf" && T->isArithmeticType())
    if (std::optional<HostValue> V = scanned(C, W.Target, F))
      return *V;
  if (Callee == "sscanf" && C->getNumArgs() > 0)
    Unknown.CommandLine = evaluate(C->getArg(0), F).CommandLine;
  return Unknown;
}

HostValue HostEvaluator::evaluateCall(const CallExpr *E, Frame &F) {
  const FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee)
    return opaque(E);
  if (Callee->isConstexpr()) {
    HostValue V = foldConstant(E);
    if (V.isConstant())
      return V;
  }
  if (std::optional<HostValue> V = knownFunction(E, Callee, F))
    return *V;
  if (std::optional<HostValue> V = inlineCall(E, Callee, F))
    if (V->isConstant() || V->K == HostValue::Bottom || V->divisor() > 1 ||
        V->CommandLine || V->K == HostValue::Record) {
      // `buffer.data()` is known by the object.
      if (const auto *M = dyn_cast<CXXMemberCallExpr>(E);
          M && V->K == HostValue::Pointer && V->BaseName.empty())
        V->BaseName = textOf(M->getImplicitObjectArgument());
      return *V;
    }
  if (E->getType()->isAnyPointerType())
    return HostValue::pointer(E, "", 0); // Named by what it is assigned to.
  return HostValue::unknown(textOf(E));
}

std::optional<HostValue>
HostEvaluator::knownFunction(const CallExpr *E, const FunctionDecl *Callee,
                             Frame &F) {
  llvm::StringRef Name = nameOf(Callee);
  unsigned Args = E->getNumArgs();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    // Overloaded by proxies that Thrust's containers give for an element.
    if (Operator->getOperator() == OO_Amp && Args == 1)
      return addressOf(E->getArg(0)->IgnoreImplicit(), F);
    if (std::optional<HostValue> V = textFunction(E, "", F))
      return V;
    return containerCall(E, "", F);
  }
  if (Name.empty())
    return std::nullopt;

  if (std::optional<HostValue> V = textFunction(E, Name, F))
    return V;
  if (readsNumber(Name) || Name == "getenv") {
    HostValue V = HostValue::unknown(textOf(E));
    V.CommandLine = true;
    return V;
  }
  if (Args == 1 && (Name == "move" || Name == "forward"))
    return evaluate(E->getArg(0), F);
  if (Name == "malloc" || Name == "calloc" || Name == "realloc" ||
      Name == "aligned_alloc")
    return HostValue::pointer(E, "", 0);
  if (std::optional<HostValue> V = mathFunction(E, Name, F))
    return V;
  return containerCall(E, Name, F);
}

/// True when \p S is `case Value:` or a chain of labels that has it.
static bool matchesCase(const Stmt *S, int64_t Value, const ASTContext &Ctx,
                        bool &IsDefault) {
  while (const auto *Label = dyn_cast<SwitchCase>(S)) {
    if (isa<DefaultStmt>(Label))
      IsDefault = true;
    else if (const auto *C = dyn_cast<CaseStmt>(Label)) {
      Expr::EvalResult R;
      auto Label = [&](const Expr *E) -> std::optional<int64_t> {
        if (E->isValueDependent() || !E->EvaluateAsInt(R, Ctx) ||
            R.Val.getInt().getBitWidth() > 64)
          return std::nullopt;
        return int64_t(R.Val.getInt().extOrTrunc(64).getZExtValue());
      };
      std::optional<int64_t> First = Label(C->getLHS());
      std::optional<int64_t> Last =
          C->getRHS() ? Label(C->getRHS()) : First; // GNU's `'a' ... 'd'`
      if (First && Last && *First <= Value && Value <= *Last)
        return true;
    }
    S = Label->getSubStmt();
  }
  return false;
}

std::vector<const Stmt *> switchArm(const SwitchStmt *S, int64_t Value,
                                    const ASTContext &Ctx) {
  const auto *Body = dyn_cast<CompoundStmt>(S->getBody());
  std::vector<const Stmt *> Arm;
  if (!Body)
    return Arm;
  const Stmt *Start = nullptr, *Default = nullptr;
  for (const Stmt *Child : Body->body()) {
    bool IsDefault = false;
    if (matchesCase(Child, Value, Ctx, IsDefault)) {
      Start = Child;
      break;
    }
    if (IsDefault)
      Default = Child;
  }
  if (!Start)
    Start = Default;
  bool On = false;
  for (const Stmt *Child : Body->body()) {
    On |= Child == Start;
    if (!On)
      continue;
    while (const auto *Label = dyn_cast<SwitchCase>(Child))
      Child = Label->getSubStmt();
    if (isa<BreakStmt>(Child))
      break;
    Arm.push_back(Child);
  }
  return Arm;
}

bool HostEvaluator::collectReturns(const Stmt *S, Frame &F, Returns &Out) {
  if (!S)
    return false;
  if (const auto *R = dyn_cast<ReturnStmt>(S)) {
    Out.Values.push_back(R->getRetValue() ? evaluate(R->getRetValue(), F)
                                          : HostValue::unknown());
    return true;
  }
  if (const auto *C = dyn_cast<CompoundStmt>(S)) {
    for (const Stmt *Child : C->body())
      if (collectReturns(Child, F, Out))
        return true;
    return false;
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    if (If->getCond()) {
      HostValue Condition = evaluate(If->getCond(), F);
      if (Condition.isInteger()) {
        llvm::append_range(Out.Grants, Condition.Grants);
        return collectReturns(Condition.Int ? If->getThen() : If->getElse(), F,
                              Out);
      }
    }
    bool Then = collectReturns(If->getThen(), F, Out);
    bool Else = collectReturns(If->getElse(), F, Out);
    return Then && Else;
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    HostValue Condition = evaluate(Switch->getCond(), F);
    if (Condition.isInteger()) {
      llvm::append_range(Out.Grants, Condition.Grants);
      for (const Stmt *Child : switchArm(Switch, Condition.Int, Ctx))
        if (collectReturns(Child, F, Out))
          return true;
      return false;
    }
  }
  if (isa<Expr, DeclStmt>(S))
    return false;
  if (isa<ForStmt, WhileStmt, DoStmt>(S)) {
    std::optional<HostValue> Returned;
    Ending End = runToReturn(S, F, Returned);
    if (End == Ending::Falls)
      return false;
    if (End == Ending::Returns && Returned) {
      Out.Values.push_back(*Returned);
      return true;
    }
  }
  for (const Stmt *Child : S->children())
    collectReturns(Child, F, Out);
  return false;
}

void Frame::hand(const HostValue &V) {
  if (V.K == HostValue::Pointer)
    Handed.insert(V.Base);
  for (const auto &[At, Leaf] : V.Leaves)
    hand(Leaf);
}

Frame HostEvaluator::frameOfCall(const Expr *Call, const FunctionDecl *Callee,
                                 Frame &F) {
  Index.noteLocals(Callee);
  Frame In;
  In.Function = Callee;
  In.Inlined = true;
  In.Caller = &F;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (const auto *C = dyn_cast<CXXConstructExpr>(Call)) {
    In.Arguments.assign(C->arg_begin(), C->arg_end());
  } else if (const auto *C = dyn_cast<CallExpr>(Call)) {
    In.Arguments.assign(C->arg_begin(), C->arg_end());
    if (isa<CXXOperatorCallExpr>(C) && Method && Method->isInstance()) {
      if (!Method->getParent()->isLambda())
        In.Object = C->getArg(0);
      In.Arguments.erase(In.Arguments.begin());
    } else if (const auto *M = dyn_cast<CXXMemberCallExpr>(C)) {
      In.Object = M->getImplicitObjectArgument();
    }
  }
  auto Pass = [&](const Decl *Key, HostPlace Place) {
    if (Place.Exact && (Place.Var || pointeeKey(Place, F.Function)))
      In.Passed[Key] = {Place, Call, &F};
  };
  if (In.Object && Method)
    Pass(Method, In.Object->getType()->isAnyPointerType()
                     ? pointeeOf(In.Object, Ctx)
                     : placeOf(In.Object, Ctx));
  for (const ParmVarDecl *P : Callee->parameters()) {
    unsigned At = P->getFunctionScopeIndex();
    if (At >= In.Arguments.size())
      continue;
    if (P->getType()->isReferenceType())
      Pass(P, placeOf(In.Arguments[At], Ctx));
    else if (P->getType()->isAnyPointerType())
      Pass(P, pointeeOf(In.Arguments[At], Ctx));
  }
  return In;
}

HostValue HostEvaluator::handedIn(const Expr *E, Frame &F) {
  unsigned Mode =
      Lenient + 2 * Picks.isSuspended() + 4 * EveryIteration + 8 * First;
  auto [At, New] = F.Evaluated.try_emplace({E, Mode});
  if (New) {
    HostValue V = evaluate(E, *F.Caller);
    F.hand(V);
    F.Evaluated[{E, Mode}] = V;
    return V;
  }
  return At->second;
}

std::optional<HostValue> HostEvaluator::objectOf(Frame &F) {
  if (F.This)
    return F.This;
  if (!F.Object || !F.Caller)
    return std::nullopt;
  if (!F.Object->getType()->isAnyPointerType())
    return handedIn(F.Object, F);
  if (!isa<CXXThisExpr>(F.Object->IgnoreParenImpCasts()))
    return std::nullopt;
  std::optional<HostValue> Object = objectOf(*F.Caller);
  if (Object)
    F.hand(*Object);
  return Object;
}

void HostEvaluator::ownAllocation(HostValue &V, const Frame &In,
                                  const void *Id) const {
  if (V.K == HostValue::Pointer && V.Base && !In.Handed.contains(V.Base)) {
    V.Base = Id;
    V.BaseName.clear();
  }
}

std::optional<HostValue> HostEvaluator::inlineCall(const CallExpr *E,
                                                   const FunctionDecl *Callee,
                                                   Frame &F) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = Callee->getBody(Definition);
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (!Body || Definition == F.Function ||
      Callee->getReturnType()->isVoidType() ||
      Definition->isDependentContext() || Definition->isInvalidDecl() ||
      (Method && Method->isVirtual()))
    return std::nullopt;
  auto Key = std::make_pair<const void *, const void *>(Definition, E);
  if (!Active.insert(Key).second)
    return std::nullopt; // Recursive.
  auto Leave = llvm::scope_exit([&] { Active.erase(Key); });

  Frame In = frameOfCall(E, Definition, F);
  if (Run)
    if (std::optional<HostValue> V = runCall(Definition, Body, In);
        V && V->isConstant()) {
      ownAllocation(*V, In, E);
      return V;
    }
  Returns Returned;
  collectReturns(Body, In, Returned);
  if (Returned.Values.empty())
    return std::nullopt;
  for (HostValue &V : Returned.Values)
    ownAllocation(V, In, E);
  std::vector<const void *> Branches(Returned.Values.size(), nullptr);
  HostValue Value =
      combine(E, textOf(E), Returned.Values, Branches, E->getType());
  Value.grantAll(Returned.Grants);
  return Value;
}

HostValue HostEvaluator::evaluateConstruct(const CXXConstructExpr *E,
                                           Frame &F) {
  const CXXConstructorDecl *C = E->getConstructor();
  if (C->isCopyOrMoveConstructor() && E->getNumArgs() >= 1)
    return evaluate(E->getArg(0), F);
  if (E->requiresZeroInitialization())
    return zeroOf(E->getType());
  if (std::optional<HostValue> Text = madeOfText(E, F))
    return *Text;
  HostValue R = HostValue::record();
  const FunctionDecl *Body = nullptr;
  if (!C->hasBody(Body) || Body->isDependentContext() || C->isInvalidDecl() ||
      C->isInStdNamespace())
    return R;
  const auto *Definition = cast<CXXConstructorDecl>(Body);
  const CXXRecordDecl *Class = Definition->getParent();
  if (!sizeOf(E->getType(), Ctx))
    return R;
  auto Key = std::make_pair<const void *, const void *>(Definition, E);
  if (!Active.insert(Key).second)
    return R;
  auto Leave = llvm::scope_exit([&] { Active.erase(Key); });

  Frame In = frameOfCall(E, Definition, F);
  for (const CXXCtorInitializer *I : Definition->inits()) {
    HostValue V = evaluate(I->getInit(), In);
    if (I->isDelegatingInitializer()) {
      R = V;
    } else if (const FieldDecl *Field = I->getAnyMember()) {
      std::optional<uint64_t> At = offsetOf(Field, Ctx);
      if (At && I->isMemberInitializer() &&
          !Field->getType()->isReferenceType())
        R.setLeaf(*At, V);
    } else if (I->isBaseInitializer() && !I->isBaseVirtual()) {
      if (const auto *Base = I->getBaseClass()->getAsCXXRecordDecl())
        R.setLeaf(offsetOf(Base, Class, Ctx), V);
    }
  }
  // What the body leaves in the members that it writes.
  llvm::ArrayRef<Write> Writes = Index.pointeeUsesOf(Definition).Writes;
  if (Writes.empty())
    return R;
  In.This = R;
  In.hand(R);
  forEachLeaf(E->getType(), Ctx, MaxMembers, [&](uint64_t At, QualType T) {
    uint64_t Size = sizeOf(T, Ctx).value_or(0);
    if (llvm::none_of(Writes, [&](const Write &W) {
          return !W.Size || (W.Offset < At + Size && At < W.Offset + W.Size);
        }))
      return;
    HostValue V = pointeeValue(Definition, nullptr, At, T, In);
    ownAllocation(V, In, identityAt(E, At));
    R.setLeaf(At, V);
  });
  return R;
}

} // namespace warplint::launch
