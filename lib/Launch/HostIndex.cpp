//===- HostIndex.cpp - One walk over the host code, and what it notes -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostIndex.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warplint::launch {

static bool isDeviceOnly(const FunctionDecl *F) {
  return F->hasAttr<CUDAGlobalAttr>() ||
         (F->hasAttr<CUDADeviceAttr>() && !F->hasAttr<CUDAHostAttr>());
}

static bool isConstPointee(QualType T) {
  QualType To = T->getPointeeType();
  return !To.isNull() && To.isConstQualified();
}

static llvm::StringRef nameOf(const FunctionDecl *F) {
  return F && F->getIdentifier() ? F->getName() : llvm::StringRef();
}

/// Every appearance of a variable is a read, a write noted with its place, or
/// else an escape: the parent of an expression says which, and marks it.
class HostWalk : public ConstDynamicRecursiveASTVisitor {
public:
  /// \p LocalsOf: note nothing but the locals of this function.
  HostWalk(const ASTContext &Ctx, HostIndex &Index,
           const FunctionDecl *LocalsOf = nullptr)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), Index(Index), In(LocalsOf),
        LocalsOnly(LocalsOf) {
    ShouldVisitTemplateInstantiations = true;
    ShouldWalkTypesOfTypeLocs = false;
  }

  bool TraverseDecl(const Decl *D) override {
    if (!D || skips(D))
      return true;
    const auto *F = dyn_cast<FunctionDecl>(D);
    if (!F)
      return ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    std::vector<Guard> OuterGuards;
    OuterGuards.swap(Guards);
    const FunctionDecl *Outer = In;
    In = F;
    bool Result = ConstDynamicRecursiveASTVisitor::TraverseDecl(D);
    In = Outer;
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

  bool TraverseLambdaExpr(const LambdaExpr *L) override {
    for (auto [Capture, Init] : llvm::zip(L->captures(), L->capture_inits())) {
      // What the body does to a captured variable is noted there.
      if (Capture.capturesVariable() && Init)
        markRead(Init);
      if (Init)
        TraverseStmt(Init);
    }
    const FunctionDecl *Outer = In;
    std::vector<Guard> OuterGuards;
    OuterGuards.swap(Guards);
    auto Restore = llvm::scope_exit([&] {
      In = Outer;
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
    if (Handled.erase(E))
      return true;
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl())) {
      if (notes(V))
        uses(V).Escapes = true;
    } else if (const auto *F = dyn_cast<FunctionDecl>(E->getDecl());
               F && !LocalsOnly) {
      Index.AddressTaken.insert(F->getCanonicalDecl());
    }
    return true;
  }

  bool VisitMemberExpr(const MemberExpr *E) override {
    if (Handled.erase(E) || LocalsOnly)
      return true;
    if (const auto *F = dyn_cast<FieldDecl>(E->getMemberDecl()))
      Index.Fields[F].Escapes = true;
    else if (const auto *V = dyn_cast<VarDecl>(E->getMemberDecl()))
      uses(V).Escapes = true;
    return true;
  }

  bool VisitCastExpr(const CastExpr *E) override {
    if (E->getCastKind() == CK_LValueToRValue || E->getCastKind() == CK_ToVoid)
      markRead(E->getSubExpr());
    return true;
  }

  bool VisitBinaryOperator(const BinaryOperator *E) override {
    if (E->isAssignmentOp())
      note(E->isCompoundAssignmentOp() ? Write::Compound : Write::Assign, E,
           E->getLHS(), E->getRHS());
    return true;
  }

  bool VisitUnaryOperator(const UnaryOperator *E) override {
    if (E->isIncrementDecrementOp())
      note(Write::Step, E, E->getSubExpr(), nullptr);
    return true;
  }

  bool VisitVarDecl(const VarDecl *V) override {
    const Expr *Init = V->getInit();
    if (!Init)
      return true;
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
        noteArgument(E, E->getArg(I), C->getParamDecl(I)->getType());
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
        if (M->getMethodDecl() && !Object->getType()->isPointerType())
          noteObject(E, Object, M->getMethodDecl());
    }
    for (unsigned I = FirstArg; I < E->getNumArgs(); ++I) {
      unsigned P = I - FirstArg;
      noteArgument(E, E->getArg(I),
                   F && P < F->getNumParams() ? F->getParamDecl(P)->getType()
                                              : E->getArg(I)->getType());
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

  bool notes(const VarDecl *V) const {
    return !LocalsOnly || V->getParentFunctionOrMethod() == In;
  }

  Uses &uses(const VarDecl *V) {
    std::unique_ptr<Uses> &U = Index.Variables[V];
    if (!U)
      U = std::make_unique<Uses>();
    return *U;
  }

  /// \p E is only read: its variables do not escape by it.
  void markRead(const Expr *E) {
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

  /// \p E is an address through which nothing is written.
  void markAddressRead(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      markRead(U->getSubExpr());
    else if (E->getType()->isArrayType())
      markRead(E);
  }

  void note(Write::Kind K, const Stmt *Where, const Expr *Target,
            const Expr *Value) {
    llvm::SmallVector<const Expr *, 4> Path;
    HostPlace P = placeOf(Target, Ctx, &Path);
    Handled.insert_range(Path);
    Write W;
    W.K = K;
    W.Where = Where;
    W.Target = Target;
    W.Value = Value;
    W.In = In;
    W.Offset = P.Offset;
    W.Size = P.Size;
    W.Exact = P.Exact;
    if (P.Var && !P.Var->getType()->isReferenceType() && notes(P.Var)) {
      Uses &U = uses(P.Var);
      U.Writes.push_back(W);
      if (P.Var->isLocalVarDeclOrParm() &&
          P.Var->getParentFunctionOrMethod() != In)
        U.WrittenElsewhere = true;
    }
    if (P.Field && !LocalsOnly)
      Index.Fields[P.Field].Writes.push_back(W);
  }

  void noteArgument(const Expr *Call, const Expr *Arg, QualType T) {
    if (T->isReferenceType()) {
      if (T->isRValueReferenceType() || isConstPointee(T))
        markRead(Arg);
      else
        note(Write::Passed, Call, Arg, nullptr);
      return;
    }
    if (!T->isAnyPointerType())
      return;
    if (isConstPointee(T))
      return markAddressRead(Arg);
    const Expr *E = Arg->IgnoreParenCasts();
    if (const auto *U = dyn_cast<UnaryOperator>(E);
        U && U->getOpcode() == UO_AddrOf)
      note(Write::Passed, Call, U->getSubExpr(), nullptr);
    else if (E->getType()->isArrayType())
      note(Write::Passed, Call, E, nullptr);
  }

  void noteObject(const Expr *Call, const Expr *Object,
                  const CXXMethodDecl *Method) {
    if (Method->isConst())
      markRead(Object);
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

  /// Calls whose effect on their arguments is known better than by type.
  bool noteSpecialCall(const CallExpr *E, const FunctionDecl *F) {
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

  /// `Config c{128, 4}` gives each member a value.
  void noteFieldInits(const InitListExpr *L) {
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
      Index.Fields[F].Writes.push_back(W);
    }
  }

  const ASTContext &Ctx;
  const SourceManager &SM;
  HostIndex &Index;
  const FunctionDecl *In;
  bool LocalsOnly;
  std::vector<Guard> Guards;
  llvm::DenseSet<const Expr *> Handled;
};

HostIndex::HostIndex(const ASTContext &Ctx) : Ctx(Ctx) {
  HostWalk(Ctx, *this).TraverseDecl(Ctx.getTranslationUnitDecl());
}

void HostIndex::noteLocals(const FunctionDecl *F) {
  if (!Ctx.getSourceManager().isInSystemHeader(F->getLocation()) ||
      !Noted.insert(F).second)
    return;
  if (const Stmt *Body = F->getBody())
    HostWalk(Ctx, *this, F).TraverseStmt(Body);
}

template <class Map, class Key>
static auto lookUp(const Map &M, const Key &K) -> const auto & {
  static const typename Map::mapped_type None{};
  auto It = M.find(K);
  return It == M.end() ? None : It->second;
}

const Uses &HostIndex::usesOf(const VarDecl *V) const {
  static const Uses None;
  const std::unique_ptr<Uses> &U = lookUp(Variables, V);
  return U ? *U : None;
}

const Uses &HostIndex::usesOf(const FieldDecl *F) const {
  return lookUp(Fields, F);
}

llvm::ArrayRef<CallSite> HostIndex::callsOf(const FunctionDecl *F) const {
  return lookUp(Calls, F->getCanonicalDecl());
}

bool HostIndex::isAddressTaken(const FunctionDecl *F) const {
  return AddressTaken.contains(F->getCanonicalDecl());
}

const ForStmt *HostIndex::loopOf(const VarDecl *V, const Stmt *Step) const {
  return lookUp(Loops, Step);
}

const CXXForRangeStmt *HostIndex::rangeLoopOf(const VarDecl *V) const {
  return lookUp(RangeLoops, V);
}

} // namespace warplint::launch
