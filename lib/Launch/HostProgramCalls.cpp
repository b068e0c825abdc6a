//===- HostProgramCalls.cpp - What the calls of a program do --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions with a body are run, of those of a library it is known what they
/// change: what they are handed a pointer to, if anything.
///
//===----------------------------------------------------------------------===//

#include "HostNotes.h"
#include "HostProgram.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warplint::launch {

// Calls that are under way at one time: recursion that halves ends before.
static constexpr size_t MaxCalls = 64;

bool HostProgram::isFollowable(const FunctionDecl *Definition) const {
  return !Definition->isDependentContext() && !Definition->isInvalidDecl() &&
         !Definition->getASTContext().getSourceManager().isInSystemHeader(
             Definition->getLocation()) &&
         !Definition->isInStdNamespace();
}

std::pair<const ProgramUnit *, const FunctionDecl *>
HostProgram::definitionOf(const FunctionDecl *F) const {
  const FunctionDecl *Definition = nullptr;
  if (F->hasBody(Definition)) {
    for (const ProgramUnit &Unit : Units)
      if (&Unit.Ctx == &Definition->getASTContext())
        return {&Unit, Definition};
    return {nullptr, nullptr};
  }
  std::pair<const ProgramUnit *, const FunctionDecl *> Found;
  if (Units.size() > 1 && F->isExternallyVisible())
    for (const ProgramUnit &Unit : Units)
      if (auto It = Unit.Defined.find(Here->Others.nameOf(F));
          It != Unit.Defined.end()) {
        if (Found.first)
          return {nullptr, nullptr};
        Found = {&Unit, It->second};
      }
  return Found;
}

void HostProgram::loseShared() {
  // Locals of the calls under way are nobody else's.
  llvm::DenseSet<const void *> Locals;
  for (const auto &[V, Object] : Objects)
    Locals.insert(Object);
  Now.loseIf(
      [&](const void *Object) {
        return Exposed.contains(Object) || !Locals.contains(Object);
      },
      context().VoidTy);
}

void HostProgram::runBody(const FunctionDecl *Callee) {
  Activation &Act = *Stack.back();
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Callee)) {
    const CXXRecordDecl *Class = Ctor->getParent();
    for (const CXXCtorInitializer *I : Ctor->inits()) {
      Done.clear();
      if (!runs() || !Act.This)
        return;
      auto At = [&](uint64_t Offset) {
        return offsetPointer(*Act.This, HostValue::integer(int64_t(Offset)), 1);
      };
      const FieldDecl *Field = I->getAnyMember();
      if (I->isDelegatingInitializer()) {
        initialise(*Act.This, context().getCanonicalTagType(Class),
                   I->getInit());
      } else if (Field && I->isMemberInitializer()) {
        std::optional<uint64_t> Offset = offsetOf(Field, context());
        if (Offset && !Field->getType()->isReferenceType())
          initialise(At(*Offset), Field->getType(), I->getInit());
        else
          runEffects(I->getInit());
      } else if (I->isBaseInitializer() && !I->isBaseVirtual()) {
        if (const auto *Base = I->getBaseClass()->getAsCXXRecordDecl())
          initialise(At(offsetOf(Base, Class, context())),
                     QualType(I->getBaseClass(), 0), I->getInit());
      } else {
        giveUp();
      }
    }
  }
  runStatement(Callee->getBody());
}

HostProgram::Result HostProgram::enter(const FunctionDecl *Callee,
                                       llvm::ArrayRef<const Expr *> Arguments,
                                       std::optional<HostValue> This,
                                       const ProgramUnit *In) {
  auto IsDeeper = [&](const Activation *Act) {
    return Act->F.Function == Callee && Act->Unsure < Unsure;
  };
  if (Stack.size() >= MaxCalls || llvm::any_of(Stack, IsDeeper)) {
    // How deep it goes is not known: it may do what it can.
    if (MayWriteWords || Launching.contains(Callee->getCanonicalDecl()))
      giveUp();
    loseShared();
    return {HostValue::unknown(), Callee->getReturnType()->isReferenceType()};
  }
  std::vector<HostValue> Values;
  for (const ParmVarDecl *P : Callee->parameters()) {
    const unsigned At = P->getFunctionScopeIndex();
    HostValue V = HostValue::unknown(P->getNameAsString());
    if (Callee->isMain())
      V = evaluator().mainParameter(P);
    else if (At < Arguments.size())
      V = P->getType()->isReferenceType() ? bind(Arguments[At])
                                          : peek(Arguments[At]);
    Values.push_back(std::move(V));
  }
  Activation Act;
  Act.Unsure = Unsure;
  Act.F.Function = Callee;
  Act.F.Inlined = true;
  Act.This = std::move(This);
  const bool Refers = Callee->getReturnType()->isReferenceType();
  Results Outer = std::exchange(Done, Results());
  const ProgramUnit &Before = *Here;
  if (In)
    enterUnit(*In);
  index().noteLocals(Callee);
  Stack.push_back(&Act);
  for (auto [P, V] : llvm::zip_equal(Callee->parameters(), Values)) {
    declare(P);
    store(pointerTo(P),
          P->getType()->isReferenceType() ? context().VoidPtrTy : P->getType(),
          V);
  }
  runBody(Callee);
  if (Alive)
    leaveTo(Act.Returns);
  comeBack(Act.Returns);
  Stack.pop_back();
  enterUnit(Before);
  for (const auto &[V, Outside] : Act.Declared) {
    Now.destroy(objectOf(V));
    if (Outside)
      Objects[V] = Outside;
    else
      Objects.erase(V);
  }
  Done = std::move(Outer);
  HostValue V = Act.Returned.value_or(HostValue::unknown());
  V.grantAll(Act.Grants);
  return {std::move(V), Refers};
}

void HostProgram::construct(const CXXConstructExpr *X,
                            const HostValue &Object) {
  runParts(llvm::SmallVector<const Expr *, 8>(X->arguments()));
  if (!runs())
    return;
  const FunctionDecl *Definition = nullptr;
  QualType T = X->getType();
  if (X->getConstructor()->hasBody(Definition) && isFollowable(Definition)) {
    if (X->requiresZeroInitialization())
      store(Object, T, evaluator().zeroOf(T));
    llvm::SmallVector<const Expr *, 4> Arguments(X->arguments());
    enter(Definition, Arguments, Object);
    return;
  }
  if (!context().getSourceManager().isInSystemHeader(
          X->getConstructor()->getLocation()) &&
      !X->getConstructor()->isImplicit() && !X->getConstructor()->isDefaulted())
    for (const Expr *Argument : X->arguments())
      handOver(Argument, Argument->getType());
  for (auto [Argument, P] :
       llvm::zip(X->arguments(), X->getConstructor()->parameters()))
    handOver(Argument, P->getType());
  store(Object, T, peek(X));
}

void HostProgram::handOver(const Expr *X, QualType T) {
  if (!T->isReferenceType() && !T->isAnyPointerType() && !T->isRecordType())
    return;
  HostValue V = T->isReferenceType() ? bind(X) : peek(X);
  auto Pass = [&](const HostValue &P, bool Const) {
    if (P.K == HostValue::Function) {
      if (Launching.contains(P.Callee->getCanonicalDecl()))
        return giveUp();
      return loseShared(); // It may be called.
    }
    if (evaluator().isText(P) && !Const)
      return giveUp();
    if (P.K == HostValue::Pointer && Now.contains(P.Base))
      Now.loseReachable(P.Base, !Const);
    else if (!Const && leadsAnywhere(P))
      loseExposed(T->isRecordType() ? context().VoidTy : T->getPointeeType());
  };
  if (T->isRecordType()) {
    for (const auto &[At, Leaf] : V.Leaves)
      if (Leaf.K == HostValue::Pointer || Leaf.K == HostValue::Function)
        Pass(Leaf, false);
  } else {
    Pass(V, isConstPointee(T));
  }
  // A closure.
  if (const CXXRecordDecl *R = T.getNonReferenceType()->getAsCXXRecordDecl();
      R && R->isLambda()) {
    if (const CXXMethodDecl *Body = R->getLambdaCallOperator();
        Body && Launching.contains(Body->getCanonicalDecl()))
      return giveUp();
    for (const LambdaCapture &C : R->captures())
      if (C.capturesVariable() && C.getCaptureKind() == LCK_ByRef)
        Now.lose(objectOf(cast<VarDecl>(C.getCapturedVar())));
    loseShared();
  }
}

bool HostProgram::runAllocation(const CallExpr *X, llvm::StringRef Name) {
  const bool OfHost = Name == "malloc" || Name == "calloc" ||
                      Name == "realloc" || Name == "aligned_alloc";
  if (OfHost) {
    Rest Fresh = Name == "calloc"    ? Rest::Zero
                 : Name == "realloc" ? Rest::Unknown
                                     : Rest::Uninitialised;
    Done[X] = {HostValue::pointer(allocate(Fresh), "", 0), false};
    return true;
  }
  // Those of CUDA: the first argument says where the pointer goes.
  std::optional<HostValue> Made =
      evaluator().allocated(Name, allocate(std::nullopt));
  if (!Made || X->getNumArgs() < 2)
    return false;
  HostValue To = peek(X->getArg(0));
  if (Made->BaseName.empty()) {
    const Expr *Target = X->getArg(0)->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(Target);
        U && U->getOpcode() == UO_AddrOf)
      Target = U->getSubExpr();
    Made->BaseName = evaluator().textOf(Target);
  }
  store(To, context().VoidPtrTy, *Made);
  HostValue Pitch = evaluator().pitchOf(Name);
  if (Name == "cudaMallocPitch")
    store(peek(X->getArg(1)), context().getSizeType(), Pitch);
  if (Name == "cudaMalloc3D")
    store(offsetPointer(To, HostValue::integer(sizeof(void *)), 1),
          context().getSizeType(), Pitch);
  Done[X] = {HostValue::unknown(evaluator().textOf(X)), false};
  return true;
}

bool HostProgram::runKnownCall(const CallExpr *X, const FunctionDecl *Callee) {
  const llvm::StringRef Name = nameOf(Callee);
  Frame &F = Stack.back()->F;
  if (Callee->isNoReturn() || Name == "exit" || Name == "abort" ||
      Name == "_exit" || Name == "quick_exit") {
    Alive = false;
    return true;
  }
  if (runAllocation(X, Name))
    return true;
  if (evaluator().scansOptions(X)) {
    std::optional<HostValue> Next = evaluator().takeOption(X, F);
    if (!Next)
      giveUp();
    else
      Done[X] = {std::move(*Next), false};
    return true;
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(X);
  if (Operator && Method && Operator->getOperator() == OO_Equal &&
      X->getNumArgs() == 2) {
    HostValue Given = peek(X->getArg(1));
    // Copied member by member, or a std::string that is given a text.
    if (Method->isTrivial() || evaluator().textIn(Given)) {
      HostValue To = bind(X->getArg(0));
      store(To, X->getArg(0)->getType(), Given);
      Done[X] = {std::move(To), true};
      return true;
    }
  }
  if (Name == "swap" && X->getNumArgs() == 2 && Callee->isInStdNamespace()) {
    QualType T = X->getArg(0)->getType();
    HostValue A = bind(X->getArg(0)), B = bind(X->getArg(1));
    HostValue OfA = peek(X->getArg(0)), OfB = peek(X->getArg(1));
    store(A, T, OfB);
    store(B, T, OfA);
    Done[X] = {};
    return true;
  }
  if (Name == "sscanf" && X->getNumArgs() == 3) {
    const auto *To = dyn_cast<UnaryOperator>(X->getArg(2)->IgnoreParenCasts());
    if (To && To->getOpcode() == UO_AddrOf)
      if (std::optional<HostValue> V =
              evaluator().scanned(X, To->getSubExpr(), F)) {
        assign(To->getSubExpr(), To->getSubExpr()->getType(), *V);
        Done[X] = {HostValue::integer(1), false};
        return true;
      }
  }
  if (Name == "memset" && X->getNumArgs() == 3) {
    HostValue To = peek(X->getArg(0)), With = peek(X->getArg(1));
    if (To.K == HostValue::Pointer && Now.contains(To.Base) && To.OffsetKnown &&
        To.Int == 0 && With.isInteger() && !With.Int &&
        peek(X->getArg(2)).isInteger() &&
        Now.fits(To.Base, uint64_t(peek(X->getArg(2)).Int))) {
      Now.create(To.Base, Rest::Zero);
      Done[X] = {std::move(To), false};
      return true;
    }
  }
  return false;
}

/// A function of the C library that changes nothing the program has a pointer
/// to, though its parameters do not say so.
static bool changesNothing(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"printf", "fprintf", "puts", "fputs", "putchar", "fflush"}, true)
      .Cases({"perror", "fclose", "free", "delete", "cudaFree"}, true)
      .Cases({"cudaFreeHost", "cudaFreeAsync", "cudaHostRegister"}, true)
      .Default(false);
}

void HostProgram::runUnknownCall(const CallExpr *X,
                                 const FunctionDecl *Callee) {
  const llvm::StringRef Name = nameOf(Callee);
  const SourceManager &SM = context().getSourceManager();
  Frame &F = Stack.back()->F;
  std::optional<HostValue> Value = evaluator().knownFunction(X, Callee, F);
  const bool Changes = !changesNothing(Name);
  const bool IsOfOthers =
      !SM.isInSystemHeader(Callee->getLocation()) && !Callee->getBuiltinID();
  CallsOthers |= IsOfOthers;
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  const bool OnFirst =
      isa<CXXOperatorCallExpr>(X) && Method && Method->isInstance();
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(X)) {
    const Expr *Object = M->getImplicitObjectArgument();
    HostValue P =
        Object->getType()->isAnyPointerType() ? peek(Object) : bind(Object);
    if (P.K == HostValue::Pointer && Now.contains(P.Base))
      Now.loseReachable(P.Base, !Method || !Method->isConst());
  }
  for (unsigned I = 0; Changes && I < X->getNumArgs(); ++I) {
    QualType T = X->getArg(I)->getType();
    if (OnFirst && I == 0) {
      HostValue P = bind(X->getArg(0));
      if (P.K == HostValue::Pointer && Now.contains(P.Base))
        Now.loseReachable(P.Base, !Method->isConst());
      continue;
    }
    const unsigned At = I - OnFirst;
    if (At < Callee->getNumParams())
      T = Callee->getParamDecl(At)->getType();
    handOver(X->getArg(I), T);
  }
  if (IsOfOthers) {
    index().forEachVariable([&](const VarDecl *V, const Uses &) {
      if (V->hasGlobalStorage() && V->isExternallyVisible() &&
          Now.contains(objectOf(V)))
        Now.grant(objectOf(V),
                  "no other file changes '" + V->getNameAsString() + "'");
    });
  }
  // Elements of containers are no variables of the program.
  if (Value && Value->K == HostValue::Pointer && isa<CXXMemberCallExpr>(X))
    Named.insert(Value->Base);
  QualType T = X->getType();
  if (!Value && X->isGLValue()) {
    Done[X] = {HostValue::pointer(allocate(std::nullopt), "", 0), true};
    return;
  }
  if (!Value && T->isAnyPointerType()) {
    // Of a type of the library's it is an object of the library's.
    const RecordDecl *R = T->getPointeeType()->getAsRecordDecl();
    const void *Id =
        R && SM.isInSystemHeader(R->getLocation())
            ? allocate(std::nullopt)
            : evaluator().identityOf("result " + std::to_string(++Serial));
    Value = HostValue::pointer(Id, "", 0);
  }
  if (!Value)
    Value = HostValue::unknown(evaluator().textOf(X));
  Done[X] = {std::move(*Value), false};
}

const FunctionDecl *HostProgram::overrider(const CXXMethodDecl *Method,
                                           const HostValue &Object) const {
  // Of a base that is not at the start there is no class known.
  if (Object.K != HostValue::Pointer || !Object.OffsetKnown || Object.Int)
    return nullptr;
  const CXXRecordDecl *Class = Classes.lookup(Object.Base);
  const CXXMethodDecl *Found =
      Class
          ? const_cast<CXXMethodDecl *>(Method)->getCorrespondingMethodInClass(
                Class)
          : nullptr;
  return Found && !Found->isPureVirtual() ? Found : nullptr;
}

void HostProgram::runCall(const CallExpr *X) {
  if (const auto *K = dyn_cast<CUDAKernelCallExpr>(X)) {
    llvm::SmallVector<const Expr *, 8> Parts(K->getConfig()->arguments());
    llvm::append_range(Parts, K->arguments());
    runParts(Parts);
    if (runs())
      launch(K);
    return;
  }
  runEffects(X->getCallee());
  runParts(llvm::SmallVector<const Expr *, 8>(X->arguments()));
  if (!runs())
    return;
  const FunctionDecl *Callee = X->getDirectCallee();
  if (!Callee) {
    HostValue V = peek(X->getCallee());
    Callee = V.K == HostValue::Function ? V.Callee : nullptr;
  }
  if (!Callee)
    return giveUp();
  const llvm::StringRef Name = nameOf(Callee);
  if (isLaunchCall(Name))
    launch(X);
  if (!runs() || runKnownCall(X, Callee))
    return;
  const SourceManager &SM = context().getSourceManager();
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  llvm::ArrayRef<const Expr *> Arguments(X->getArgs(), X->getNumArgs());
  std::optional<HostValue> This;
  if (Method && Method->isInstance() &&
      !SM.isInSystemHeader(Method->getLocation())) {
    const Expr *Object = nullptr;
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(X)) {
      Object = M->getImplicitObjectArgument();
    } else if (isa<CXXOperatorCallExpr>(X)) {
      Object = Arguments.front();
      Arguments = Arguments.drop_front();
    }
    if (const CXXRecordDecl *R = Method->getParent(); !R->isLambda()) {
      if (Object)
        This =
            Object->getType()->isAnyPointerType() ? peek(Object) : bind(Object);
    } else {
      // What it has a copy of must be what it is now.
      for (const LambdaCapture &C : R->captures())
        if (C.capturesVariable() && C.getCaptureKind() != LCK_ByRef &&
            !index().usesOf(cast<VarDecl>(C.getCapturedVar())).Writes.empty())
          return giveUp();
    }
    const auto *Member = dyn_cast<MemberExpr>(X->getCallee()->IgnoreParens());
    if (Method->isVirtual() && !(Member && Member->hasQualifier())) {
      Callee = overrider(Method, This.value_or(HostValue::unknown()));
      if (!Callee)
        return giveUp();
    }
  }
  const auto [In, Definition] = definitionOf(Callee);
  if (!Definition || !isFollowable(Definition))
    return runUnknownCall(X, Callee);
  Result R = enter(Definition, Arguments, std::move(This), In);
  if (runs())
    Done[X] = std::move(R);
}

} // namespace warplint::launch
