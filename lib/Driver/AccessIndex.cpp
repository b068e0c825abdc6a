//===- AccessIndex.cpp - The expressions that access memory, by place -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessIndex.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warplint {
namespace {

/// Instantiations of one template after which no new widths, nor sizes of
/// arrays, are expected: some programs have one for each of 4 types and 5
/// sizes.
constexpr unsigned MaxInstantiations = 64;

/// True for expressions that can stand for memory other lanes see; plain local
/// variables do not.
bool canBeMemory(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *VD = dyn_cast<VarDecl>(Ref->getDecl());
    return VD && (VD->hasGlobalStorage() || VD->getType()->isReferenceType());
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->isArrow() || canBeMemory(Member->getBase());
  return isa<ArraySubscriptExpr, UnaryOperator, CallExpr>(E);
}

/// True for built-ins and toolkit functions that read-modify-write.
bool isAtomicName(StringRef Name) {
  return Name.starts_with("atomic") || Name.starts_with("__nv_atomic") ||
         Name.starts_with("__atomic") || Name.starts_with("red") ||
         Name == "fetch_add" || Name == "fetch_sub" || Name == "exchange";
}

class SiteVisitor : public DynamicRecursiveASTVisitor {
public:
  SiteVisitor(ASTContext &Ctx, AccessIndex &Index) : Ctx(Ctx), Index(Index) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true; // semantic forms of initialisers
  }

  bool TraverseFunctionDecl(FunctionDecl *FD) override {
    return skip(FD) || DynamicRecursiveASTVisitor::TraverseFunctionDecl(FD);
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *FD) override {
    return skip(FD) || DynamicRecursiveASTVisitor::TraverseCXXMethodDecl(FD);
  }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *FD) override {
    return skip(FD) ||
           DynamicRecursiveASTVisitor::TraverseCXXConstructorDecl(FD);
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *E) override {
    if (E->getCastKind() == CK_LValueToRValue)
      load(E->getSubExpr()->IgnoreParens()->getExprLoc(), E->getSubExpr());
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *E) override {
    if (E->isAssignmentOp())
      site(E->getOperatorLoc(), E->getLHS(), E->isCompoundAssignmentOp(), true);
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *E) override {
    if (E->isIncrementDecrementOp())
      site(E->getOperatorLoc(), E->getSubExpr(), true, true);
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    if (E->getNumArgs() && E->getConstructor()->isCopyOrMoveConstructor())
      load(E->getExprLoc(), E->getArg(0));
    return true;
  }

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *E) override {
    if (E->isAssignmentOp() && E->getNumArgs() == 2) {
      const Expr *From = E->getArg(1)->IgnoreParenImpCasts();
      bool FromMemory = From->isGLValue() && !isa<DeclRefExpr>(From);
      site(E->getOperatorLoc(), E->getArg(0), E->getOperator() != OO_Equal,
           true, FromMemory ? From : nullptr);
      if (E->getArg(1)->isGLValue()) {
        load(E->getOperatorLoc(), E->getArg(1));
        // Where the copy goes from memory to memory, we put its load here.
        load(E->getArg(1)->IgnoreParens()->getExprLoc(), E->getArg(1));
      }
    }
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    if (isa<CXXOperatorCallExpr>(E))
      return true;
    const FunctionDecl *Callee = E->getDirectCallee();
    bool Atomic = Callee && Callee->getDeclName().isIdentifier() &&
                  isAtomicName(Callee->getName());
    for (const Expr *Arg : E->arguments()) {
      const Expr *Bare = Arg->IgnoreParenCasts();
      QualType T = Bare->getType();
      if (T->isPointerType() || T->isArrayType()) {
        pointer(E, Bare, Atomic);
        if (Atomic)
          break; // what follows are the values
      } else if (Arg->isGLValue()) {
        site(E->getExprLoc(), Bare, true, true);
      }
    }
    return true;
  }

private:
  /// Templates are indexed as instantiated, where types have sizes.
  bool skip(const FunctionDecl *FD) {
    if (FD->isDependentContext())
      return true;
    if (const FunctionDecl *Pattern = FD->getTemplateInstantiationPattern())
      return ++Instantiations[Pattern] > MaxInstantiations;
    return false;
  }

  unsigned bytesOf(QualType T) const {
    if (T.isNull() || T->isIncompleteType() || T->isDependentType() ||
        T->isFunctionType())
      return 0;
    return Ctx.getTypeSizeInChars(T.getNonReferenceType()).getQuantity();
  }

  void load(SourceLocation Where, const Expr *Object) {
    site(Where, Object, true, false);
  }

  void site(SourceLocation Where, const Expr *Object, bool Loads, bool Stores,
            const Expr *Counted = nullptr) {
    Object = Object->IgnoreParenImpCasts();
    if (const auto *Either = dyn_cast<ConditionalOperator>(Object)) {
      // The load is at the arm when the condition folds, else at the whole.
      for (const Expr *Arm : {Either->getTrueExpr(), Either->getFalseExpr()}) {
        site(Arm->IgnoreParens()->getExprLoc(), Arm, Loads, Stores);
        site(Where, Arm, Loads, Stores);
      }
      return;
    }
    if (!canBeMemory(Object))
      return;
    AccessSite Site;
    Site.Object = Object;
    Site.Counted = Counted ? Counted : Object;
    Site.Bytes = bytesOf(Object->getType());
    Site.Loads = Loads;
    Site.Stores = Stores;
    Index.add(Where, Site);
  }

  /// A call that is handed an address: the access is somewhere in its body.
  void pointer(const CallExpr *Call, const Expr *Address, bool Atomic) {
    AccessSite Site;
    Site.Object = Address;
    if (const auto *Op = dyn_cast<UnaryOperator>(Address);
        Op && Op->getOpcode() == UO_AddrOf)
      Site.Object = Op->getSubExpr()->IgnoreParens();
    else if (isa<DeclRefExpr>(Address) &&
             !Address->getType()->isPointerType() &&
             !Address->getType()->isArrayType())
      return;
    QualType T =
        Site.Object == Address
            ? (Address->getType()->isPointerType()
                   ? Address->getType()->getPointeeType()
                   : QualType(Ctx.getBaseElementType(Address->getType())))
            : Site.Object->getType();
    Site.Bytes = bytesOf(T);
    Site.Loads = Site.Stores = !Atomic;
    Site.Atomic = Atomic;
    Index.add(Call->getExprLoc(), Site);
  }

  ASTContext &Ctx;
  AccessIndex &Index;
  llvm::DenseMap<const FunctionDecl *, unsigned> Instantiations;
};

} // namespace

/// Seen in the .loc lines of nvcc 13's PTX: `g[t +\n 3]` stands where the 3
/// does, `*(f +\n n)` where the n does, a call where its name does, and
/// `.member` does not matter.
static SourceLocation lastOperand(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return lastOperand(Binary->getRHS());
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return lastOperand(Unary->getSubExpr());
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return lastOperand(Subscript->getIdx());
  return E->getExprLoc();
}

SourceLocation countedPlace(const Expr *Object) {
  Object = Object->IgnoreParenCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Object))
    return Member->isArrow() ? lastOperand(Member->getBase())
                             : countedPlace(Member->getBase());
  if (isa<ArraySubscriptExpr>(Object))
    return lastOperand(Object);
  if (const auto *Unary = dyn_cast<UnaryOperator>(Object);
      Unary && Unary->getOpcode() == UO_Deref)
    return lastOperand(Unary);
  return Object->getExprLoc();
}

AccessIndex::AccessIndex(ASTContext &Ctx) : Ctx(Ctx) {
  SiteVisitor Visitor(Ctx, *this);
  forEachUserDecl(Ctx, [&](Decl *D) { Visitor.TraverseDecl(D); });
}

/// The variable or member that \p E begins at: `a` of `*(a + i)`, `a[i].x`.
static const ValueDecl *variableOf(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return Ref->getDecl();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Subscript->getBase();
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr();
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
      E = Binary->getRHS()->getType()->isPointerType() ? Binary->getRHS()
                                                       : Binary->getLHS();
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
        return Member->getMemberDecl();
      E = Member->getBase();
    } else {
      return nullptr;
    }
  }
}

void AccessIndex::setVariable(AccessSite &Site) const {
  const ValueDecl *D = variableOf(Site.Object);
  if (!D || !D->getDeclName().isIdentifier())
    return;
  Site.Variable = D;
  QualType T = D->getType();
  if (T->isConstantArrayType() && !T->isDependentType())
    Site.ArrayBytes = Ctx.getTypeSizeInChars(T).getQuantity();
}

void AccessIndex::add(SourceLocation Where, AccessSite Site) {
  unsigned Line = 0;
  unsigned File = fileNumber(Where, Line, Site.Column);
  if (!Line)
    return;
  setVariable(Site);
  SmallVector<AccessSite, 4> &Sites = Lines[{File, Line}];
  for (const AccessSite &Old : Sites)
    if (Old.Column == Site.Column && Old.Bytes == Site.Bytes &&
        Old.ArrayBytes == Site.ArrayBytes && Old.Loads == Site.Loads &&
        Old.Stores == Site.Stores &&
        Old.Object->getBeginLoc() == Site.Object->getBeginLoc() &&
        Old.Object->getEndLoc() == Site.Object->getEndLoc())
      return;
  Sites.push_back(Site);
}

unsigned AccessIndex::fileNumber(SourceLocation Loc, unsigned &Line,
                                 unsigned &Column) {
  const SourceManager &SM = Ctx.getSourceManager();
  Loc = SM.getExpansionLoc(Loc);
  PresumedLoc At = SM.getPresumedLoc(Loc);
  if (At.isInvalid())
    return 0;
  Line = At.getLine();
  Column = At.getColumn();
  auto [Known, New] = Presumed.try_emplace(At.getFilename(), 0);
  if (New)
    Known->second =
        Files.try_emplace(placeOf(SM, Loc).File, Files.size()).first->second;
  return Known->second;
}

ArrayRef<AccessSite> AccessIndex::onLine(StringRef File, unsigned Line) const {
  auto Number = Files.find(File);
  if (Number == Files.end())
    return {};
  auto Sites = Lines.find({Number->second, Line});
  if (Sites == Lines.end())
    return {};
  return Sites->second;
}

} // namespace warplint
