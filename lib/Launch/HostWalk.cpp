//===- HostWalk.cpp - One walk over the host code -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostNotes.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"

using namespace clang;

namespace warplint::launch {

static bool isDeviceOnly(const FunctionDecl *F) {
  return F->hasAttr<CUDAGlobalAttr>() ||
         (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>());
}

class HostWalk : public ConstDynamicRecursiveASTVisitor, HostNotes {
public:
  /// \p LocalsOf: note nothing but the locals of this function.
  HostWalk(const ASTContext &Ctx, HostIndex &Index,
           const FunctionDecl *LocalsOf = nullptr)
      : HostNotes(Ctx, Index, LocalsOf) {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }

  bool TraverseDecl(const Decl *D) override {
    const auto *F = dyn_cast_or_null<FunctionDecl>(D);
    if (F && F->isThisDeclarationADefinition() && !F->isDependentContext() &&
        !LocalsOnly && !SM.isInSystemHeader(F->getLocation()))
      Index.Definitions.push_back(F);
    if (!D || skips(D))
      return true;
    if (!F)
      return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    std::vector<Guard> OuterGuards;
    OuterGuards.swap(Guards);
    const FunctionDecl *Outer = In;
    const Stmt *OuterLoop = std::exchange(Loop, nullptr);
    In = F;
    bool Result = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    In = Outer;
    Loop = OuterLoop;
    Guards.swap(OuterGuards);
    return Result;
  }

  bool TraverseIfStmt(const IfStmt *S) override {
    TraverseStmt(S->getInit());
    if (S->getConditionVariable())
      TraverseDecl(S->getConditionVariable());
    TraverseStmt(S->getCond());
    Guard G;
    G.Condition = S->getCond();
    Guards.push_back(G);
    TraverseStmt(S->getThen());
    Guards.back().Negated = true;
    TraverseStmt(S->getElse());
    Guards.pop_back();
    return true;
  }

  bool TraverseSwitchStmt(const SwitchStmt *S) override {
    const auto *Body = dyn_cast_or_null<CompoundStmt>(S->getBody());
    if (!Body)
      return ConstDynamicRecursiveASTVisitor::TraverseSwitchStmt(S);
    TraverseStmt(S->getInit());
    if (S->getConditionVariable())
      TraverseDecl(S->getConditionVariable());
    TraverseStmt(S->getCond());
    Guard G;
    G.Switch = S;
    Guards.push_back(G);
    for (const Stmt *Child : Body->body()) {
      while (const auto *Label = dyn_cast<SwitchCase>(Child)) {
        Guards.back().Labels.push_back(Label);
        Child = Label->getSubStmt();
      }
      TraverseStmt(Child);
      // Whatever falls through is reached by the labels before, too.
      if (isa_and_nonnull<BreakStmt, ReturnStmt>(Child))
        Guards.back().Labels.clear();
      if (const auto *Block = dyn_cast_or_null<CompoundStmt>(Child);
          Block && !Block->body_empty() &&
          isa<BreakStmt, ReturnStmt>(Block->body_back()))
        Guards.back().Labels.clear();
    }
    Guards.pop_back();
    return true;
  }

  bool TraverseWhileStmt(const WhileStmt *S) override {
    return around(S, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseWhileStmt(S);
    });
  }
  bool TraverseDoStmt(const DoStmt *S) override {
    return around(
        S, [&] { return ConstDynamicRecursiveASTVisitor::TraverseDoStmt(S); });
  }
  bool TraverseForStmt(const ForStmt *S) override {
    return around(
        S, [&] { return ConstDynamicRecursiveASTVisitor::TraverseForStmt(S); });
  }
  bool TraverseCXXForRangeStmt(const CXXForRangeStmt *S) override {
    return around(S, [&] {
      return ConstDynamicRecursiveASTVisitor::TraverseCXXForRangeStmt(S);
    });
  }

  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    for (auto [Capture, Init] : llvm::zip(L->captures(), L->capture_inits())) {
      // What the body does to a captured variable is noted there.
      if (Capture.capturesVariable() && Init)
        markRead(Init);
      if (Init)
        TraverseStmt(Init);
    }
    const FunctionDecl *Outer = In;
    const Stmt *OuterLoop = std::exchange(Loop, nullptr);
    std::vector<Guard> OuterGuards;
    OuterGuards.swap(Guards);
    auto Restore = llvm::scope_exit([&] {
      In = Outer;
      Loop = OuterLoop;
      Guards.swap(OuterGuards);
    });
    if (L->isGenericLambda()) {
      // The pattern says nothing; its instantiations do.
      for (const FunctionDecl *F :
           L->getDependentCallOperator()->specializations()) {
        In = F;
        if (F->hasBody() && !F->isDependentContext())
          TraverseStmt(F->getBody());
      }
      return true;
    }
    In = L->getCallOperator();
    return TraverseStmt(L->getBody());
  }

  bool TraverseInitListExpr(const InitListExpr *L) override {
    if (!L->isSemanticForm() && L->getSemanticForm())
      L = L->getSemanticForm();
    if (!LocalsOnly)
      noteFieldInits(L);
    for (const Expr *E : L->inits())
      if (E)
        TraverseStmt(E);
    return true;
  }

  bool TraverseConstructorInitializer(const CXXCtorInitializer *I) override {
    if (const FieldDecl *F = I->getAnyMember();
        F && I->getInit() && !LocalsOnly) {
      Write W;
      W.Where = W.Value = I->getInit();
      W.In = In;
      W.Loop = Loop;
      W.Guards = Guards;
      Index.Fields[F].Writes.push_back(W);
      if (F->getType()->isReferenceType())
        markRead(I->getInit());
    }
    return ConstDynamicRecursiveASTVisitor::TraverseConstructorInitializer(I);
  }

  // Neither types nor attributes evaluate anything.
  bool TraverseTypeLoc(TypeLoc, bool) override { return true; }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc) override {
    return true;
  }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &) override {
    return true;
  }
  bool TraverseAttr(const Attr *) override { return true; }
  bool
  TraverseUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseCXXNoexceptExpr(const CXXNoexceptExpr *) override {
    return true;
  }
  bool TraverseCXXTypeidExpr(const CXXTypeidExpr *) override { return true; }

  bool VisitDeclRefExpr(const DeclRefExpr *E) override {
    const auto *P = dyn_cast<ParmVarDecl>(E->getDecl());
    if (P && P->getType()->isAnyPointerType() && !Followed.erase(E))
      pointee(P).Escapes = true;
    if (Handled.erase(E))
      return true;
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl())) {
      if (notes(V))
        uses(V).Escapes = true;
      if (P && P->getType()->isReferenceType())
        pointee(P).Escapes = true;
    } else if (const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
               F && !LocalsOnly) {
      Index.AddressTaken.insert(F->getCanonicalDecl());
    }
    return true;
  }

  bool VisitCXXThisExpr(const CXXThisExpr *E) override {
    if (!Followed.erase(E))
      if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(In))
        pointee(Method).Escapes = true;
    return true;
  }

  bool VisitMemberExpr(const MemberExpr *E) override {
    if (E->isArrow())
      follow(E->getBase());
    // Of `p.Constant`, a member of the class, p is only named.
    else if (isa<VarDecl>(E->getMemberDecl()))
      markRead(E->getBase());
    if (Handled.erase(E))
      return true;
    escapePointee(E);
    if (LocalsOnly)
      return true;
    if (const auto *F = dyn_cast<FieldDecl>(E->getMemberDecl()))
      Index.Fields[F].Escapes = true;
    else if (const auto *V = dyn_cast<VarDecl>(E->getMemberDecl()))
      uses(V).Escapes = true;
    return true;
  }

  bool VisitCastExpr(const CastExpr *E) override {
    if (E->getCastKind() == CK_LValueToRValue ||
        E->getCastKind() == CK_ToVoid) {
      markRead(E->getSubExpr());
      OnlyRead.insert(E->getSubExpr()->IgnoreParens());
    }
    // Through a pointer into a constant array nobody changes the record it is
    // a member of.
    if (E->getCastKind() == CK_ArrayToPointerDecay &&
        E->getType()->getPointeeType().isConstQualified())
      markRead(E->getSubExpr());
    if (E->getCastKind() == CK_PointerToBoolean ||
        E->getCastKind() == CK_ToVoid)
      follow(E->getSubExpr());
    return true;
  }

  bool VisitBinaryOperator(const BinaryOperator *E) override {
    if (E->isAssignmentOp())
      note(E->isCompoundAssignmentOp() ? Write::Compound : Write::Assign, E,
           E->getLHS(), E->getRHS());
    // `args[0] = &a`, made for cudaLaunchKernel, reads a.
    if (E->getOpcode() == BO_Assign && E->getType()->isVoidPointerType() &&
        isa<ArraySubscriptExpr>(E->getLHS()->IgnoreParens()))
      markAddressRead(E->getRHS());
    if (E->isComparisonOp()) {
      follow(E->getLHS());
      follow(E->getRHS());
    }
    return true;
  }

  bool VisitUnaryOperator(const UnaryOperator *E) override {
    if (E->isIncrementDecrementOp())
      note(Write::Step, E, E->getSubExpr(), nullptr);
    if (E->getOpcode() == UO_Deref) {
      follow(E->getSubExpr());
      if (!Handled.erase(E))
        escapePointee(E);
    }
    return true;
  }

  bool VisitArraySubscriptExpr(const ArraySubscriptExpr *E) override {
    if (namedPointer(E->getBase())) {
      follow(E->getBase());
      if (!Handled.erase(E))
        escapePointee(E);
    }
    return true;
  }

  bool VisitVarDecl(const VarDecl *V) override {
    const Expr *Init = V->getInit();
    if (!Init)
      return true;
    if (V->hasGlobalStorage() && !LocalsOnly)
      uses(V); // Other units may ask for what it starts with.
    QualType T = V->getType();
    if (T->isReferenceType()) {
      if (T->isRValueReferenceType() || isConstPointee(T) || V->isImplicit())
        markRead(Init);
      return true;
    }
    if (isConstPointee(T))
      markAddressRead(Init);
    // `void *args[] = {&a, &b}`, made for cudaLaunchKernel, reads a and b.
    if (const ArrayType *A = Ctx.getAsArrayType(T);
        A && A->getElementType()->isVoidPointerType())
      if (const auto *L = dyn_cast<InitListExpr>(Init->IgnoreParens()))
        for (const Expr *E : L->inits())
          if (E)
            markAddressRead(E);
    return true;
  }

  bool VisitForStmt(const ForStmt *S) override {
    const Expr *Inc = S->getInc();
    while (Inc) {
      Inc = Inc->IgnoreParens();
      if (const auto *B = dyn_cast<BinaryOperator>(Inc);
          B && B->getOpcode() == BO_Comma) {
        Index.Loops[B->getRHS()->IgnoreParens()] = S;
        Inc = B->getLHS();
        continue;
      }
      Index.Loops[Inc] = S;
      break;
    }
    return true;
  }

  bool VisitCXXForRangeStmt(const CXXForRangeStmt *S) override {
    const VarDecl *V = S->getLoopVariable();
    if (!V || !S->getRangeInit())
      return true;
    Index.RangeLoops[V] = S;
    if (!V->getType()->isLValueReferenceType() || isConstPointee(V->getType()))
      markRead(S->getRangeInit());
    return true;
  }

  bool VisitCXXConstructExpr(const CXXConstructExpr *E) override {
    const CXXConstructorDecl *C = E->getConstructor();
    if (!LocalsOnly)
      Index.Calls[C->getCanonicalDecl()].push_back({E, In});
    for (unsigned I = 0; I < E->getNumArgs(); ++I)
      if (I < C->getNumParams())
        noteArgument(E, E->getArg(I), C->getParamDecl(I)->getType(), I);
    return true;
  }

  bool VisitCallExpr(const CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    if (F) {
      if (const auto *D =
              dyn_cast<DeclRefExpr>(E->getCallee()->IgnoreParenImpCasts()))
        Handled.insert(D);
      if (!LocalsOnly)
        Index.Calls[F->getCanonicalDecl()].push_back({E, In});
    } else if (!LocalsOnly && !E->isTypeDependent()) {
      QualType Callee = E->getCallee()->getType();
      if (Callee->isFunctionPointerType() && !isa<CUDAKernelCallExpr>(E))
        Index.PointerCalls[Index.keyOf(Callee->getPointeeType())].push_back(
            {E, In});
    }
    if (isa<CUDAKernelCallExpr>(E) ||
        nameOf(F).starts_with("cudaLaunchKernel") ||
        nameOf(F) == "cudaLaunchCooperativeKernel")
      if (!E->isTypeDependent() && !LocalsOnly)
        Index.Launches.push_back({E, In, Guards});
    if (noteSpecialCall(E, F))
      return true;
    unsigned FirstArg = 0;
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(F);
    if (isa<CXXOperatorCallExpr>(E) && Method && Method->isInstance()) {
      FirstArg = 1;
      noteObject(E, E->getArg(0), Method);
    } else if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
      if (const Expr *Object = M->getImplicitObjectArgument())
        if (M->getMethodDecl())
          noteObject(E, Object, M->getMethodDecl());
    }
    for (unsigned I = FirstArg; I < E->getNumArgs(); ++I) {
      unsigned P = I - FirstArg;
      noteArgument(E, E->getArg(I),
                   F && P < F->getNumParams() ? F->getParamDecl(P)->getType()
                                              : E->getArg(I)->getType(),
                   P);
    }
    return true;
  }

private:
  bool skips(const Decl *D) const {
    const DeclContext *Parent = D->getLexicalDeclContext();
    if (Parent && Parent->isFileContext() && !isa<TranslationUnitDecl>(D) &&
        (D->getLocation().isInvalid() || SM.isInSystemHeader(D->getLocation())))
      return true;
    if (const auto *F = dyn_cast<FunctionDecl>(D))
      return F->isDependentContext() || isDeviceOnly(F);
    if (const auto *R = dyn_cast<CXXRecordDecl>(D))
      return R->isDependentContext();
    if (const auto *V = dyn_cast<VarDecl>(D))
      return V->getDeclContext()->isDependentContext() ||
             V->getDescribedVarTemplate();
    return isa<ConceptDecl>(D) || isa<StaticAssertDecl>(D);
  }

  bool around(const Stmt *S, llvm::function_ref<bool()> Traverse) {
    Index.LoopsAround[S] = Loop;
    const Stmt *Outer = std::exchange(Loop, S);
    bool Result = Traverse();
    Loop = Outer;
    return Result;
  }
};

HostIndex::HostIndex(const ASTContext &Ctx) : Ctx(Ctx) {
  HostWalk(Ctx, *this).TraverseDecl(Ctx.getTranslationUnitDecl());
  resolvePointerCalls();
}

void HostIndex::noteLocals(const FunctionDecl *F) {
  if (!Ctx.getSourceManager().isInSystemHeader(F->getLocation()) ||
      !Noted.insert(F).second)
    return;
  if (const Stmt *Body = F->getBody())
    HostWalk(Ctx, *this, F).TraverseStmt(Body);
}

} // namespace warplint::launch
