//===- ReachableDecls.cpp - What a kernel needs to be lowered -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReachableDecls.h"
#include "DroppedStatements.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace warplint {
namespace {

using TypeVerdicts = llvm::DenseMap<const Type *, const NamedDecl *>;

/// Walks one definition and notes what the code generator would ask for.
class DefinitionWalker {
public:
  DefinitionWalker(ASTContext &Ctx, TypeVerdicts &Types, DeclNode &Node,
                   const NamedDecl *Self)
      : Ctx(Ctx), Types(Types), Node(Node), Self(Self),
        UnitHasErrors(Ctx.getDiagnostics().hasErrorOccurred()) {}

  void walkFunction(const FunctionDecl *FD) {
    if (FD->isInvalidDecl() || FD->isDependentContext())
      return fail(Self);
    checkType(FD->getReturnType());
    for (const ParmVarDecl *P : FD->parameters()) {
      if (P->isInvalidDecl())
        return fail(Self);
      checkType(P->getType());
      addDestructor(P->getType());
    }
    if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(FD))
      walkConstructor(Ctor);
    else if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(FD))
      walkDestructor(Dtor);
    walk(FD->getBody());
  }

  void walkVariable(const VarDecl *VD) {
    if (VD->isInvalidDecl() || VD->getDeclContext()->isDependentContext())
      return fail(Self);
    checkType(VD->getType());
    addDestructor(VD->getType());
    walk(VD->getInit());
  }

private:
  void fail(const NamedDecl *D) {
    if (!Node.Erroneous)
      Node.Erroneous = D;
  }

  void walkConstructor(const CXXConstructorDecl *Ctor) {
    for (const CXXCtorInitializer *I : Ctor->inits())
      walk(I->getInit());
    const CXXRecordDecl *RD = Ctor->getParent();
    walkParts(RD);
    // The virtual table goes with the first constructor.
    if (RD->isDynamicClass())
      for (const CXXMethodDecl *M : RD->methods())
        if (M->isVirtual())
          addFunction(M);
  }

  void walkDestructor(const CXXDestructorDecl *Dtor) {
    walkParts(Dtor->getParent());
    if (const FunctionDecl *Delete = Dtor->getOperatorDelete())
      addFunction(Delete);
  }

  /// Members and bases are destroyed with the whole, and when it fails to come
  /// to be.
  void walkParts(const CXXRecordDecl *RD) {
    for (const FieldDecl *F : RD->fields())
      addDestructor(F->getType());
    for (const CXXBaseSpecifier &B : RD->bases())
      addDestructor(B.getType());
    for (const CXXBaseSpecifier &B : RD->vbases())
      addDestructor(B.getType());
  }

  void addDestructor(QualType T) {
    if (T.isNull())
      return;
    const CXXRecordDecl *RD = Ctx.getBaseElementType(T)->getAsCXXRecordDecl();
    if (RD && RD->hasDefinition() && !RD->hasTrivialDestructor())
      addFunction(RD->getDestructor());
  }

  void addFunction(const FunctionDecl *FD) {
    const FunctionDecl *Def = nullptr;
    if (!FD || !FD->isDefined(Def) || !Def->doesThisDeclarationHaveABody())
      return;
    // A host function is an opaque call on the device. Members defined in
    // their class are the exception: the code generator emits them on sight.
    if (!Def->hasAttr<CUDADeviceAttr>() && !Def->hasAttr<CUDAGlobalAttr>() &&
        !isa<CXXRecordDecl>(Def->getLexicalDeclContext()))
      return;
    Node.Uses.push_back(Def);
  }

  void addVariable(const VarDecl *VD) {
    if (!VD->hasGlobalStorage() || VD->isStaticLocal())
      return;
    const VarDecl *Def = VD->getDefinition();
    if (!Def)
      Def = VD;
    if (Def->isInvalidDecl())
      return fail(Def);
    Node.Uses.push_back(Def);
  }

  void addDecl(const ValueDecl *D) {
    if (const auto *FD = dyn_cast<FunctionDecl>(D))
      addFunction(FD);
    else if (const auto *VD = dyn_cast<VarDecl>(D))
      addVariable(VD);
    else if (const auto *BD = dyn_cast<BindingDecl>(D)) {
      if (const VarDecl *Holder = BD->getHoldingVar())
        walk(Holder->getInit());
    }
  }

  /// Records with errors have no layout to lower.
  void checkType(QualType T) {
    if (!T.isNull())
      if (const NamedDecl *Bad = erroneousPart(T.getCanonicalType()))
        fail(Bad);
  }

  const NamedDecl *erroneousPart(QualType T) {
    const Type *Ty = Ctx.getBaseElementType(T).getTypePtr();
    if (Ty->isDependentType() || Ty->isUndeducedType())
      return Self;
    if (Ty->isPointerOrReferenceType())
      Ty = Ctx.getBaseElementType(Ty->getPointeeType())
               .getCanonicalType()
               .getTypePtr();
    const RecordDecl *RD = Ty->getAsRecordDecl();
    if (!RD)
      return nullptr;
    auto [It, New] = Types.try_emplace(Ty, nullptr);
    if (!New)
      return It->second;
    RD = RD->getDefinition();
    if (!RD)
      return nullptr;
    const NamedDecl *Bad = nullptr;
    if (RD->isInvalidDecl())
      Bad = RD;
    for (const FieldDecl *F : RD->fields())
      if (!Bad && F->isInvalidDecl())
        Bad = RD;
      else if (!Bad)
        Bad = erroneousPart(F->getType().getCanonicalType());
    if (const auto *CRD = dyn_cast<CXXRecordDecl>(RD))
      for (const CXXBaseSpecifier &B : CRD->bases())
        if (!Bad)
          Bad = erroneousPart(B.getType().getCanonicalType());
    if (Bad)
      Types[Ty] = Bad;
    return Bad;
  }

  void walk(const Stmt *Root) {
    llvm::SmallVector<const Stmt *, 32> Work = {Root};
    while (!Work.empty() && !Node.Erroneous) {
      const Stmt *S = Work.pop_back_val();
      if (S && step(S, Work))
        for (const Stmt *Child : S->children())
          Work.push_back(Child);
    }
  }

  /// Looks at one statement; true: its children are next.
  bool step(const Stmt *S, llvm::SmallVectorImpl<const Stmt *> &Work) {
    if (const auto *E = dyn_cast<Expr>(S)) {
      if (E->containsErrors() || E->isTypeDependent() ||
          E->isValueDependent()) {
        fail(Self);
        return false;
      }
      checkType(E->getType());
    }
    switch (S->getStmtClass()) {
    case Stmt::CompoundStmtClass:
      if (UnitHasErrors && hasDroppedStatements(Ctx, *cast<CompoundStmt>(S)))
        fail(Self);
      return true;
    case Stmt::DeclStmtClass:
      for (const Decl *D : cast<DeclStmt>(S)->decls())
        walkLocal(D);
      return true; // children(): the initialisers
    case Stmt::DeclRefExprClass:
      addDecl(cast<DeclRefExpr>(S)->getDecl());
      return false;
    case Stmt::MemberExprClass:
      addDecl(cast<MemberExpr>(S)->getMemberDecl());
      return true;
    case Stmt::CXXConstructExprClass:
    case Stmt::CXXTemporaryObjectExprClass:
      addFunction(cast<CXXConstructExpr>(S)->getConstructor());
      return true;
    case Stmt::CXXInheritedCtorInitExprClass:
      addFunction(cast<CXXInheritedCtorInitExpr>(S)->getConstructor());
      return true;
    case Stmt::CXXBindTemporaryExprClass:
      addDestructor(cast<Expr>(S)->getType());
      return true;
    case Stmt::CXXNewExprClass: {
      const auto *New = cast<CXXNewExpr>(S);
      addFunction(New->getOperatorNew());
      addFunction(New->getOperatorDelete());
      addDestructor(New->getAllocatedType());
      return true;
    }
    case Stmt::CXXDeleteExprClass: {
      const auto *Delete = cast<CXXDeleteExpr>(S);
      addFunction(Delete->getOperatorDelete());
      addDestructor(Delete->getDestroyedType());
      return true;
    }
    case Stmt::CXXDefaultArgExprClass:
      Work.push_back(cast<CXXDefaultArgExpr>(S)->getExpr());
      return false;
    case Stmt::CXXDefaultInitExprClass:
      Work.push_back(cast<CXXDefaultInitExpr>(S)->getExpr());
      return false;
    case Stmt::LambdaExprClass:
      // The body is reached through the call operator, when it is called.
      for (const Expr *Init : cast<LambdaExpr>(S)->capture_inits())
        Work.push_back(Init);
      return false;
    case Stmt::InitListExprClass: {
      const auto *List = cast<InitListExpr>(S);
      if (const InitListExpr *Semantic = List->getSemanticForm())
        List = Semantic;
      for (const Expr *Init : List->inits()) {
        Work.push_back(Init);
        if (Init)
          addDestructor(Init->getType());
      }
      if (List->hasArrayFiller())
        Work.push_back(List->getArrayFiller());
      return false;
    }
    case Stmt::OpaqueValueExprClass:
      Work.push_back(cast<OpaqueValueExpr>(S)->getSourceExpr());
      return false;
    case Stmt::IfStmtClass: {
      const auto *If = cast<IfStmt>(S);
      if (!If->isConstexpr())
        return true;
      Work.push_back(If->getInit());
      Work.push_back(If->getCond());
      if (auto Taken = If->getNondiscardedCase(Ctx))
        Work.push_back(*Taken);
      return false;
    }
    case Stmt::UnaryExprOrTypeTraitExprClass:
    case Stmt::CXXNoexceptExprClass:
    case Stmt::RequiresExprClass:
    case Stmt::ConceptSpecializationExprClass:
      return false; // unevaluated
    case Stmt::CoroutineBodyStmtClass:
    case Stmt::RecoveryExprClass:
      fail(Self);
      return false;
    default:
      return true;
    }
  }

  void walkLocal(const Decl *D) {
    const auto *VD = dyn_cast<VarDecl>(D);
    if (!VD)
      return;
    if (VD->isInvalidDecl())
      return fail(Self);
    checkType(VD->getType());
    addDestructor(VD->getType());
    if (const auto *Cleanup = VD->getAttr<CleanupAttr>())
      addFunction(Cleanup->getFunctionDecl());
    if (const auto *Parts = dyn_cast<DecompositionDecl>(VD))
      for (const BindingDecl *B : Parts->bindings())
        addDecl(B);
  }

  ASTContext &Ctx;
  TypeVerdicts &Types;
  DeclNode &Node;
  const NamedDecl *Self;
  bool UnitHasErrors;
};

} // namespace

const DeclNode &ReachableDecls::nodeFor(const Decl *D) {
  std::unique_ptr<DeclNode> &Slot = Nodes[D];
  if (Slot)
    return *Slot;
  Slot = std::make_unique<DeclNode>();
  DeclNode &Node = *Slot;
  DefinitionWalker Walker(Ctx, CheckedTypes, Node, cast<NamedDecl>(D));
  if (const auto *FD = dyn_cast<FunctionDecl>(D))
    Walker.walkFunction(FD);
  else
    Walker.walkVariable(cast<VarDecl>(D));
  return Node;
}

const NamedDecl *ReachableDecls::collect(const FunctionDecl *Kernel,
                                         DeclSet &Reached) {
  DeclSet Seen;
  Seen.insert(Kernel);
  for (unsigned I = 0; I != Seen.size(); ++I) {
    const DeclNode &Node = nodeFor(Seen[I]);
    if (Node.Erroneous)
      return Node.Erroneous;
    for (const Decl *Use : Node.Uses)
      Seen.insert(Use);
  }
  Reached.insert_range(Seen);
  return nullptr;
}

} // namespace warplint
