//===- HostNotes.cpp - What one expression does to a variable -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostNotes.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warplint::launch {

llvm::StringRef nameOf(const FunctionDecl *F) {
  return F && F->getIdentifier() ? F->getName() : llvm::StringRef();
}

bool isConstPointee(QualType T) {
  QualType To = T->getPointeeType();
  return !To.isNull() && To.isConstQualified();
}

bool HostNotes::notes(const VarDecl *V) const {
  return !LocalsOnly || V->getParentFunctionOrMethod() == In;
}

Uses &HostNotes::uses(const VarDecl *V) {
  std::unique_ptr<Uses> &U = Index.Variables[V->getCanonicalDecl()];
  if (!U)
    U = std::make_unique<Uses>();
  return *U;
}

Uses &HostNotes::pointee(const Decl *Key) {
  std::unique_ptr<Uses> &U = Index.Pointees[Key];
  if (!U)
    U = std::make_unique<Uses>();
  return *U;
}

void HostNotes::follow(const Expr *E) {
  if (const Expr *Named = namedPointer(E))
    Followed.insert(Named);
}

void HostNotes::escapePointee(const Expr *E) {
  if (const Decl *Key = pointeeKey(placeOf(E, Ctx), In))
    pointee(Key).Escapes = true;
}

void HostNotes::markRead(const Expr *E) {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    markRead(C->getTrueExpr());
    markRead(C->getFalseExpr());
    return;
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E);
      B && B->getOpcode() == BO_Comma)
    return markRead(B->getRHS());
  if (const auto *C = dyn_cast<CastExpr>(E);
      C && (C->getCastKind() == CK_DerivedToBase ||
            C->getCastKind() == CK_UncheckedDerivedToBase))
    return markRead(C->getSubExpr());
  llvm::SmallVector<const Expr *, 4> Path;
  placeOf(E, Ctx, &Path);
  Handled.insert_range(Path);
}

void HostNotes::markAddressRead(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    markRead(U->getSubExpr());
  else if (E->getType()->isArrayType())
    markRead(E);
  else
    follow(E);
}

void HostNotes::note(Write::Kind K, const Stmt *Where, const Expr *Target,
                     const Expr *Value, int Parameter) {
  llvm::SmallVector<const Expr *, 4> Path;
  HostPlace P = placeOf(Target, Ctx, &Path);
  Handled.insert_range(Path);
  Write W;
  W.K = K;
  W.Where = Where;
  W.Target = Target;
  W.Value = Value;
  W.In = In;
  W.Loop = Loop;
  W.Guards = Guards;
  W.Offset = P.Offset;
  W.Size = P.Size;
  W.Exact = P.Exact;
  W.Parameter = Parameter;
  if (const Decl *Key = pointeeKey(P, In))
    pointee(Key).Writes.push_back(W);
  if (P.Var && !P.Var->getType()->isReferenceType() && notes(P.Var)) {
    Uses &U = uses(P.Var);
    U.Writes.push_back(W);
    if (P.Var->isLocalVarDeclOrParm() &&
        P.Var->getParentFunctionOrMethod() != In)
      U.WrittenElsewhere = true;
  }
  if (P.Field && !LocalsOnly) {
    // Of whatever object: what counts is where in the member.
    W.Offset = 0;
    W.Exact = isa<MemberExpr>(Target->IgnoreParens());
    Index.Fields[P.Field].Writes.push_back(W);
  }
}

void HostNotes::notePointee(const Expr *Call, const Expr *Pointer,
                            int Parameter) {
  HostPlace P = pointeeOf(Pointer, Ctx);
  const Decl *Key = pointeeKey(P, In);
  if (!Key)
    return;
  follow(Pointer);
  Write W;
  W.K = Write::Passed;
  W.Where = Call;
  W.In = In;
  W.Loop = Loop;
  W.Guards = Guards;
  W.Offset = P.Offset;
  W.Size = P.Size;
  W.Parameter = Parameter;
  pointee(Key).Writes.push_back(W);
}

void HostNotes::noteArgument(const Expr *Call, const Expr *Arg, QualType T,
                             int Parameter) {
  if (T->isReferenceType()) {
    if (T->isRValueReferenceType() || isConstPointee(T))
      markRead(Arg);
    else
      note(Write::Passed, Call, Arg, nullptr, Parameter);
    return;
  }
  if (!T->isAnyPointerType())
    return;
  if (isConstPointee(T))
    return markAddressRead(Arg);
  const Expr *E = Arg->IgnoreParenCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_AddrOf)
    note(Write::Passed, Call, U->getSubExpr(), nullptr, Parameter);
  else if (E->getType()->isArrayType())
    note(Write::Passed, Call, E, nullptr, Parameter);
  else
    notePointee(Call, Arg, Parameter);
}

void HostNotes::noteObject(const Expr *Call, const Expr *Object,
                           const CXXMethodDecl *Method) {
  bool Pointer = Object->getType()->isPointerType();
  // `v[i]` and `v.at(i)` of the standard containers give a reference, which
  // may be read only.
  llvm::StringRef Name = nameOf(Method);
  bool Reads = OnlyRead.contains(Call) &&
               SM.isInSystemHeader(Method->getLocation()) &&
               (Method->getOverloadedOperator() == OO_Subscript ||
                Name == "at" || Name == "front" || Name == "back");
  if (Method->isConst() || Method->isStatic() || Reads)
    Pointer ? follow(Object) : markRead(Object);
  else if (Pointer)
    notePointee(Call, Object, Write::OnObject);
  else if (Method->isCopyAssignmentOperator() ||
           Method->isMoveAssignmentOperator()) {
    const auto *E = cast<CallExpr>(Call);
    bool Copies = Method->isDefaulted() || Method->isTrivial();
    bool Operator = isa<CXXOperatorCallExpr>(E) && E->getNumArgs() == 2;
    note(Copies && Operator ? Write::Assign : Write::Passed, Call, Object,
         Copies && Operator ? E->getArg(1) : nullptr);
  } else
    note(Write::Passed, Call, Object, nullptr);
}

bool HostNotes::noteSpecialCall(const CallExpr *E, const FunctionDecl *F) {
  llvm::StringRef Name = nameOf(F);
  if (Name == "swap" && E->getNumArgs() == 2 && !isa<CXXMemberCallExpr>(E)) {
    note(Write::Swap, E, E->getArg(0), E->getArg(1));
    note(Write::Swap, E, E->getArg(1), E->getArg(0));
    return true;
  }
  if ((Name == "move" || Name == "forward") && E->getNumArgs() == 1) {
    markRead(E->getArg(0));
    return true;
  }
  return false;
}

void HostNotes::noteFieldInits(const InitListExpr *L) {
  const RecordDecl *R = L->getType()->getAsRecordDecl();
  if (!R || R->isUnion() || !R->isCompleteDefinition())
    return;
  unsigned I = 0;
  if (const auto *C = dyn_cast<CXXRecordDecl>(R))
    I = C->getNumBases();
  for (const FieldDecl *F : R->fields()) {
    if (F->isUnnamedBitField())
      continue;
    if (I >= L->getNumInits())
      break;
    const Expr *Init = L->getInit(I++);
    if (!Init || isa<CXXDefaultInitExpr>(Init) ||
        isa<ImplicitValueInitExpr>(Init))
      continue;
    Write W;
    W.Where = W.Value = Init;
    W.In = In;
    W.Loop = Loop;
    W.Guards = Guards;
    Index.Fields[F].Writes.push_back(W);
  }
}

} // namespace warplint::launch
