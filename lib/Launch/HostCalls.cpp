//===- HostCalls.cpp - Values that calls and constructors give ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostEvaluator.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace clang;

namespace warplint::launch {

// cudaMalloc and its kin align to 256 bytes (CUDA C++ Programming Guide,
// "Device Memory Accesses": "at least 256 bytes").
static constexpr uint64_t AllocationAlign = 256;
// Rows that cudaMallocPitch lays out, on current parts (the device property
// texturePitchAlignment is a lower bound of it; 512 was observed on each).
static constexpr uint64_t PitchAlign = 512;

static llvm::StringRef nameOf(const FunctionDecl *F) {
  return F && F->getIdentifier() ? F->getName() : llvm::StringRef();
}

static bool isAllocator(llvm::StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync",
              "cudaHostAlloc", "cudaMallocHost", "cudaMallocPitch",
              "cudaMallocFromPoolAsync"},
             true)
      .Default(false);
}

HostValue HostEvaluator::passedValue(const Write &W, llvm::StringRef Name,
                                     const void *Id, QualType T) const {
  llvm::StringRef Callee;
  if (const auto *C = dyn_cast<CallExpr>(W.Where)) {
    Callee = nameOf(C->getDirectCallee());
    if (isAllocator(Callee) && T->isAnyPointerType())
      return HostValue::pointer(Id, Name, AllocationAlign);
    if (Callee == "cudaMallocPitch" && T->isIntegralOrEnumerationType())
      return HostValue::unknown(Name.str(), PitchAlign);
  }
  if (T->isAnyPointerType())
    return HostValue::pointer(Id, Name, 0);
  return HostValue::unknown(Name.str());
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
        V->CommandLine || V->K == HostValue::Record)
      return *V;
  if (E->getType()->isAnyPointerType())
    return HostValue::pointer(E, "", 0); // Named by what it is assigned to.
  return HostValue::unknown(textOf(E));
}

static std::optional<double> applyMath(llvm::StringRef Name, double X) {
  double (*Op)(double) =
      llvm::StringSwitch<double (*)(double)>(Name)
          .Cases({"ceil", "ceilf"}, [](double V) { return std::ceil(V); })
          .Cases({"floor", "floorf"}, [](double V) { return std::floor(V); })
          .Cases({"round", "roundf"}, [](double V) { return std::round(V); })
          .Cases({"trunc", "truncf"}, [](double V) { return std::trunc(V); })
          .Cases({"sqrt", "sqrtf"}, [](double V) { return std::sqrt(V); })
          .Cases({"log2", "log2f"}, [](double V) { return std::log2(V); })
          .Default(nullptr);
  if (!Op)
    return std::nullopt;
  return Op(X);
}

std::optional<HostValue>
HostEvaluator::knownFunction(const CallExpr *E, const FunctionDecl *Callee,
                             Frame &F) {
  llvm::StringRef Name = nameOf(Callee);
  if (Name.empty())
    return std::nullopt;
  QualType T = E->getType();
  unsigned Args = E->getNumArgs();

  bool FromOutside =
      llvm::StringSwitch<bool>(Name)
          .Cases({"atoi", "atol", "atoll", "atof"}, true)
          .Cases({"strtol", "strtoul", "strtoll", "strtoull"}, true)
          .Cases({"strtod", "strtof", "stoi", "stol", "stoul"}, true)
          .Cases({"stoll", "stoull", "stof", "stod", "getenv"}, true)
          .Default(false);
  if (FromOutside) {
    HostValue V = HostValue::unknown(textOf(E));
    V.CommandLine = true;
    return V;
  }
  if ((Name == "min" || Name == "max") && Args == 2) {
    HostValue L = evaluate(E->getArg(0), F), R = evaluate(E->getArg(1), F);
    QualType A = E->getArg(0)->getType();
    if (L.isInteger() && R.isInteger()) {
      bool Signed = A->isSignedIntegerOrEnumerationType();
      bool Less = Signed ? L.Int < R.Int : uint64_t(L.Int) < uint64_t(R.Int);
      HostValue V = Less == (Name == "min") ? L : R;
      V.grantAll(L.Grants);
      V.grantAll(R.Grants);
      return V;
    }
    if (L.K == HostValue::Floating && R.K == HostValue::Floating)
      return (L.Float < R.Float) == (Name == "min") ? L : R;
    // `min(n, 512)` threads are 512 for any n worth a launch.
    if (Lenient && Name == "min" && L.isInteger() != R.isInteger()) {
      HostValue V = L.isInteger() ? L : R;
      V.grant("'" + textOf(E) + "' is " + std::to_string(V.Int) +
              ", its bound");
      return V;
    }
    HostValue V = join(L, R);
    V.K = HostValue::Unknown;
    return V;
  }
  if (Args == 1 && (Name == "move" || Name == "forward"))
    return evaluate(E->getArg(0), F);
  if (Args == 1 && T->isRealFloatingType()) {
    HostValue X = evaluate(E->getArg(0), F);
    std::optional<double> Value = X.isInteger() ? std::optional(double(X.Int))
                                  : X.K == HostValue::Floating
                                      ? std::optional(X.Float)
                                      : std::nullopt;
    if (Value)
      if (std::optional<double> Y = applyMath(Name, *Value)) {
        HostValue V = HostValue::floating(*Y);
        V.Grants = X.Grants;
        return V;
      }
  }
  if (Args == 2 && (Name == "pow" || Name == "powf") &&
      T->isRealFloatingType()) {
    HostValue X = evaluate(E->getArg(0), F), Y = evaluate(E->getArg(1), F);
    auto Real = [](const HostValue &V) {
      return V.isInteger() ? double(V.Int) : V.Float;
    };
    if (X.isConstant() && Y.isConstant())
      return HostValue::floating(std::pow(Real(X), Real(Y)));
    return std::nullopt;
  }
  if (Name == "raw_pointer_cast" && Args == 1) {
    HostValue V = evaluate(E->getArg(0), F);
    if (V.K != HostValue::Pointer || V.BaseName.empty()) {
      std::string Text = textOf(E->getArg(0));
      V = HostValue::pointer(identityOf(Text), Text, 0);
    }
    V.BaseAlign = AllocationAlign;
    return V;
  }
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E);
      M && Args == 0 && (Name == "data" || Name == "get" || Name == "begin")) {
    // The container's storage, by the container's name.
    const Expr *Object = M->getImplicitObjectArgument();
    if (!T->isAnyPointerType() && !T->isRecordType())
      return std::nullopt;
    std::string Text = textOf(Object);
    bool OnDevice = Object->getType().getAsString().find("device_vector") !=
                    std::string::npos;
    return HostValue::pointer(identityOf(Text), Text,
                              OnDevice ? AllocationAlign : 0);
  }
  if (Name == "malloc" || Name == "calloc" || Name == "realloc" ||
      Name == "aligned_alloc")
    return HostValue::pointer(E, "", 0);
  return std::nullopt;
}

/// True when \p S is `case Value:` or a chain of labels that has it.
static bool matchesCase(const Stmt *S, int64_t Value, const ASTContext &Ctx,
                        bool &IsDefault) {
  while (const auto *Label = dyn_cast<SwitchCase>(S)) {
    if (isa<DefaultStmt>(Label))
      IsDefault = true;
    else if (const auto *C = dyn_cast<CaseStmt>(Label)) {
      Expr::EvalResult R;
      if (!C->getLHS()->isValueDependent() &&
          C->getLHS()->EvaluateAsInt(R, Ctx) &&
          R.Val.getInt().getExtValue() == Value)
        return true;
    }
    S = Label->getSubStmt();
  }
  return false;
}

/// The statements of a switch that run for \p Value, up to its `break`.
static std::vector<const Stmt *> switchArm(const SwitchStmt *S, int64_t Value,
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

bool HostEvaluator::collectReturns(const Stmt *S, Frame &F,
                                   std::vector<HostValue> &Out) {
  if (!S)
    return false;
  if (const auto *R = dyn_cast<ReturnStmt>(S)) {
    Out.push_back(R->getRetValue() ? evaluate(R->getRetValue(), F)
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
      if (Condition.isInteger())
        return collectReturns(Condition.Int ? If->getThen() : If->getElse(), F,
                              Out);
    }
    bool Then = collectReturns(If->getThen(), F, Out);
    bool Else = collectReturns(If->getElse(), F, Out);
    return Then && Else;
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    HostValue Condition = evaluate(Switch->getCond(), F);
    if (Condition.isInteger()) {
      for (const Stmt *Child : switchArm(Switch, Condition.Int, Ctx))
        if (collectReturns(Child, F, Out))
          return true;
      return false;
    }
  }
  if (isa<Expr, DeclStmt>(S))
    return false;
  for (const Stmt *Child : S->children())
    collectReturns(Child, F, Out);
  return false;
}

std::optional<HostValue> HostEvaluator::inlineCall(const CallExpr *E,
                                                   const FunctionDecl *Callee,
                                                   Frame &F) {
  const FunctionDecl *Definition = nullptr;
  const Stmt *Body = Callee->getBody(Definition);
  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (!Body || Callee->getReturnType()->isVoidType() ||
      Definition->isDependentContext() || Definition->isInvalidDecl() ||
      (Method && Method->isVirtual()))
    return std::nullopt;
  auto Key = std::make_pair<const void *, const void *>(Definition, E);
  if (!Active.insert(Key).second)
    return std::nullopt; // Recursive.
  auto Leave = llvm::scope_exit([&] { Active.erase(Key); });

  Index.noteLocals(Definition);
  Frame In;
  In.Function = Definition;
  In.Inlined = true;
  unsigned First = 0;
  if (isa<CXXOperatorCallExpr>(E) && Method && Method->isInstance()) {
    First = 1;
    if (!Method->getParent()->isLambda())
      In.This = evaluate(E->getArg(0), F);
  } else if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    const Expr *Object = M->getImplicitObjectArgument();
    if (Object && !Object->getType()->isAnyPointerType())
      In.This = evaluate(Object, F);
    else if (Object && isa<CXXThisExpr>(Object->IgnoreParenImpCasts()))
      In.This = F.This;
  }
  for (const ParmVarDecl *P : Definition->parameters()) {
    unsigned At = First + P->getFunctionScopeIndex();
    if (At < E->getNumArgs())
      In.Parameters[P] = evaluate(E->getArg(At), F);
  }
  std::vector<HostValue> Returned;
  collectReturns(Body, In, Returned);
  if (Returned.empty())
    return std::nullopt;
  // A pointer that was not handed in is another allocation at each call.
  for (HostValue &V : Returned)
    if (V.K == HostValue::Pointer && V.Base &&
        llvm::none_of(In.Parameters, [&](const auto &P) {
          return P.second.K == HostValue::Pointer && P.second.Base == V.Base;
        })) {
      V.Base = E;
      V.BaseName.clear();
    }
  std::vector<const void *> Branches(Returned.size(), nullptr);
  return combine(E, textOf(E), Returned, Branches, E->getType());
}

/// `this->x` and `this->x.y` in a constructor: the offset written.
static std::optional<uint64_t> offsetInThis(const Expr *E,
                                            const ASTContext &Ctx) {
  uint64_t Offset = 0;
  while (const auto *M = dyn_cast<MemberExpr>(E->IgnoreParens())) {
    const auto *Field = dyn_cast<FieldDecl>(M->getMemberDecl());
    std::optional<uint64_t> At =
        Field ? offsetOf(Field, Ctx) : std::optional<uint64_t>();
    if (!At)
      return std::nullopt;
    Offset += *At;
    if (M->isArrow())
      return isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts())
                 ? std::optional(Offset)
                 : std::nullopt;
    E = M->getBase();
  }
  return std::nullopt;
}

HostValue HostEvaluator::evaluateConstruct(const CXXConstructExpr *E,
                                           Frame &F) {
  const CXXConstructorDecl *C = E->getConstructor();
  if (C->isCopyOrMoveConstructor() && E->getNumArgs() >= 1)
    return evaluate(E->getArg(0), F);
  if (E->requiresZeroInitialization())
    return zeroOf(E->getType());
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

  Frame In;
  In.Function = Definition;
  In.Inlined = true;
  for (const ParmVarDecl *P : Definition->parameters())
    if (P->getFunctionScopeIndex() < E->getNumArgs())
      In.Parameters[P] = evaluate(E->getArg(P->getFunctionScopeIndex()), F);
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
        R.setLeaf(Ctx.getASTRecordLayout(Class)
                      .getBaseClassOffset(Base)
                      .getQuantity(),
                  V);
    }
  }
  // Plain assignments in the body are followed; what anything else in it writes
  // to a member is another value that it may have.
  llvm::DenseSet<const Stmt *> Followed;
  if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Definition->getBody()))
    for (const Stmt *S : Block->body()) {
      const auto *X = dyn_cast<Expr>(S);
      const auto *B =
          X ? dyn_cast<BinaryOperator>(X->IgnoreImplicit()) : nullptr;
      if (!B || B->getOpcode() != BO_Assign)
        continue;
      if (std::optional<uint64_t> At = offsetInThis(B->getLHS(), Ctx)) {
        In.This = R;
        R.setLeaf(*At, evaluate(B->getRHS(), In));
        Followed.insert(B);
      }
    }
  for (const FieldDecl *Field : Class->fields()) {
    std::optional<uint64_t> At = offsetOf(Field, Ctx);
    std::vector<HostValue> Values;
    for (const Write &W : Index.usesOf(Field).Writes)
      if (W.In == Definition && W.Target && !Followed.contains(W.Where) && At) {
        Write Part = W;
        Part.Offset = 0;
        Values.push_back(written(Part, nullptr, 0, Field->getType(), In));
      }
    if (Values.empty())
      continue;
    // An option read over its default: `case 'b': threads = atoi(optarg);`.
    if (const HostValue *Before = R.leaf(*At))
      Values.insert(Values.begin(), *Before);
    std::vector<const void *> Branches(Values.size(), nullptr);
    HostValue Value = Field->getType()->isRecordType()
                          ? HostValue::unknown(Field->getNameAsString())
                          : combine(Field, Field->getName(), Values, Branches,
                                    Field->getType());
    R.setLeaf(*At, Value);
  }
  return R;
}

} // namespace warplint::launch
