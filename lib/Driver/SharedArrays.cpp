//===- SharedArrays.cpp - Shared arrays and their uses, to be edited ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/SharedArrays.h"
#include "IndexText.h"
#include "warplint/Driver/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warplint {
namespace {

/// Finds the arrays and, in the same walk, every use of them that the length of
/// a row shows through. Uses come after declarations, parents before children.
class ArrayVisitor : public DynamicRecursiveASTVisitor {
public:
  explicit ArrayVisitor(ASTContext &Ctx)
      : Ctx(Ctx), SM(Ctx.getSourceManager()) {
    ShouldVisitTemplateInstantiations = true;
  }

  std::vector<SharedArray> take() { return std::move(Arrays); }

  bool VisitVarDecl(VarDecl *VD) override {
    if (!VD->hasAttr<CUDASharedAttr>() || !VD->hasGlobalStorage() ||
        VD->hasExternalStorage() || VD->isStaticDataMember() ||
        VD->getType()->isDependentType() ||
        VD->getDeclContext()->isDependentContext())
      return true;
    unsigned Rank = 0;
    for (QualType T = VD->getType();
         const ArrayType *AT = Ctx.getAsArrayType(T); T = AT->getElementType())
      ++Rank;
    if (!Rank)
      return true;
    SourcePlace Place = placeOf(SM, VD->getLocation());
    size_t I = 0;
    while (I < Arrays.size() && Arrays[I].Place != Place)
      ++I;
    Known[VD] = {I, Rank};
    if (I < Arrays.size()) {
      if (const ArrayTypeLoc Last = innermost(*VD); Last && Last.getSizeExpr())
        addFactors(Arrays[I].Factors, constantFactors(Ctx, Last.getSizeExpr()));
      return true;
    }
    SharedArray &A = Arrays.emplace_back();
    A.Place = Place;
    A.Name = VD->getNameAsString();
    A.Rank = Rank;
    describe(A, *VD);
    return true;
  }

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) override {
    // `(&t[i][j])[0]`
    allowAddress(E->getBase(), E->getIdx(), Lives::Here);
    const DeclRefExpr *Ref = arrayOf(E);
    if (!Ref || E->getType()->isArrayType())
      return true;
    Subscripted.insert(Ref);
    record(*E, *Ref);
    if (known(Ref)->Rank < 2)
      return true;
    bool Outer = true;
    for (const auto *S =
             dyn_cast<ArraySubscriptExpr>(E->getBase()->IgnoreParenImpCasts());
         S;
         S = dyn_cast<ArraySubscriptExpr>(S->getBase()->IgnoreParenImpCasts()))
      Outer &= isConstant(S->getIdx());
    // Rows that lie one behind the other are also gone through as one.
    if (Outer && !isConstant(E->getIdx()))
      obstacle(Ref, "may run over the end of a row of", E->getExprLoc());
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *E) override {
    if (E->getOpcode() == UO_Deref)
      allowAddress(E->getSubExpr(), nullptr, Lives::Here);
    if (E->getOpcode() != UO_AddrOf || AllowedHere.contains(E))
      return true;
    if (const DeclRefExpr *Ref = arrayOf(E->getSubExpr()->IgnoreParens())) {
      static constexpr const char *What = "takes the address of an element of";
      moveObstacle(Ref, What, E->getExprLoc());
      if (!AllowedOn.contains(E))
        obstacle(Ref, What, E->getExprLoc());
    }
    return true;
  }

  bool VisitMemberExpr(MemberExpr *E) override {
    if (E->isArrow())
      allowAddress(E->getBase(), nullptr, Lives::Here);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return true;
    // What such an address is stepped by, inline PTX may hide.
    bool Kept = Callee->getName() == "__cvta_generic_to_shared";
    if (Kept || takesOneElement(Callee->getName()))
      for (const Expr *Arg : E->arguments())
        allowAddress(Arg, nullptr, Kept ? Lives::On : Lives::Here);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (!Subscripted.contains(E) && known(E))
      obstacle(E, "uses more than one element of", E->getExprLoc());
    return true;
  }

private:
  /// Whether an address is used up in the expression that takes it.
  enum class Lives { Here, On };
  struct Entry {
    size_t Index;
    unsigned Rank;
  };

  /// Functions that use of a pointer what lies there and no more, up to the
  /// vector that alignment allows.
  static bool takesOneElement(llvm::StringRef Name) {
    return Name.starts_with("atomic") || Name == "__pipeline_memcpy_async";
  }

  const Entry *known(const DeclRefExpr *Ref) const {
    const auto *VD = dyn_cast<VarDecl>(Ref->getDecl());
    auto At = Known.find(VD);
    return At == Known.end() ? nullptr : &At->second;
  }

  /// The array at the base of subscripts (one or more).
  const DeclRefExpr *arrayOf(const Expr *E) const {
    const auto *S = dyn_cast<ArraySubscriptExpr>(E);
    if (!S)
      return nullptr;
    while (const auto *Inner = dyn_cast<ArraySubscriptExpr>(
               S->getBase()->IgnoreParenImpCasts()))
      S = Inner;
    const auto *Ref =
        dyn_cast<DeclRefExpr>(S->getBase()->IgnoreParenImpCasts());
    return Ref && known(Ref) ? Ref : nullptr;
  }

  bool isConstant(const Expr *E) const {
    Expr::EvalResult Value;
    return !E->isValueDependent() && E->EvaluateAsInt(Value, Ctx);
  }

  void allowAddress(const Expr *E, const Expr *Index, Lives How) {
    if (Index && !isConstant(Index))
      return;
    const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
    if (Op && Op->getOpcode() == UO_AddrOf)
      (How == Lives::Here ? AllowedHere : AllowedOn).insert(Op);
  }

  void say(std::string &Into, const DeclRefExpr *Ref, const char *What,
           SourceLocation Loc) {
    if (Into.empty())
      Into = ("line " + llvm::Twine(placeOf(SM, Loc).Line) + " " + What + " '" +
              Ref->getDecl()->getName() + "'")
                 .str();
  }
  void obstacle(const DeclRefExpr *Ref, const char *What, SourceLocation Loc) {
    SharedArray &A = Arrays[known(Ref)->Index];
    say(A.Obstacle, Ref, What, Loc);
    say(A.MoveObstacle, Ref, What, Loc);
  }
  void moveObstacle(const DeclRefExpr *Ref, const char *What,
                    SourceLocation Loc) {
    say(Arrays[known(Ref)->Index].MoveObstacle, Ref, What, Loc);
  }

  static ArrayTypeLoc innermost(const VarDecl &VD);
  void record(const ArraySubscriptExpr &E, const DeclRefExpr &Ref);
  void describe(SharedArray &A, const VarDecl &VD);
  bool writeOut(SharedArray &A, const VarDecl &VD, TypeLoc TL, unsigned Extents,
                ArrayTypeLoc &Last);

  ASTContext &Ctx;
  const SourceManager &SM;
  std::vector<SharedArray> Arrays;
  llvm::DenseMap<const VarDecl *, Entry> Known;
  llvm::DenseSet<const DeclRefExpr *> Subscripted;
  llvm::DenseSet<const UnaryOperator *> AllowedHere, AllowedOn;
};

void ArrayVisitor::record(const ArraySubscriptExpr &E, const DeclRefExpr &Ref) {
  const Entry &Array = *known(&Ref);
  SharedArray &A = Arrays[Array.Index];
  const Expr *Last = E.getIdx(), *Row = nullptr;
  unsigned Depth = 1;
  for (const auto *S =
           dyn_cast<ArraySubscriptExpr>(E.getBase()->IgnoreParenImpCasts());
       S;
       S = dyn_cast<ArraySubscriptExpr>(S->getBase()->IgnoreParenImpCasts())) {
    if (!Row)
      Row = S->getIdx();
    ++Depth;
  }
  std::optional<TextRange> Index = textOf(Ctx, Last), RowText;
  if (Row)
    RowText = textOf(Ctx, Row);
  if (!Index || (Row && !RowText) || Depth != Array.Rank)
    return moveObstacle(&Ref, "hides an index of", E.getExprLoc());
  auto Same = llvm::find_if(A.Subscripts, [&](const ArraySubscript &Old) {
    return Old.Index.Offset == Index->Offset && Old.Index.File == Index->File;
  });
  if (Same == A.Subscripts.end()) {
    ArraySubscript &New = A.Subscripts.emplace_back();
    New.Index = std::move(*Index);
    if (RowText)
      New.Row = std::move(*RowText);
    New.Repeatable = isRepeatable(Last) && (!Row || isRepeatable(Row));
    Same = std::prev(A.Subscripts.end());
  }
  addFactors(Same->Factors, constantFactors(Ctx, Last));
}

/// The type loc below names that are no array's own.
TypeLoc withoutQualifiers(TypeLoc TL) {
  while (true) {
    TL = TL.getUnqualifiedLoc();
    if (auto Paren = TL.getAs<ParenTypeLoc>())
      TL = Paren.getInnerLoc();
    else if (auto Attributed = TL.getAs<AttributedTypeLoc>())
      TL = Attributed.getModifiedLoc();
    else
      return TL;
  }
}

ArrayTypeLoc ArrayVisitor::innermost(const VarDecl &VD) {
  TypeLoc TL = withoutQualifiers(VD.getTypeSourceInfo()->getTypeLoc());
  ArrayTypeLoc Last;
  while (auto Array = TL.getAs<ArrayTypeLoc>()) {
    Last = Array;
    TL = withoutQualifiers(Array.getElementLoc());
  }
  return Last;
}

void ArrayVisitor::describe(SharedArray &A, const VarDecl &VD) {
  A.Obstacle = "the declaration of '" + A.Name +
               "' does not write out the length of a row";
  TypeLoc TL = withoutQualifiers(VD.getTypeSourceInfo()->getTypeLoc());
  ArrayTypeLoc Last;
  unsigned Extents = 0;
  for (; auto Array = TL.getAs<ArrayTypeLoc>(); ++Extents) {
    Last = Array;
    TL = withoutQualifiers(Array.getElementLoc());
  }
  if (Extents < A.Rank && !writeOut(A, VD, TL, Extents, Last))
    return;
  SourceLocation Open = Last.getLBracketLoc(), Close = Last.getRBracketLoc();
  std::optional<TextRange> Extent;
  if (Last.getSizeExpr() && Open.isFileID() && Close.isFileID())
    Extent = textOf(Ctx, Last.getSizeExpr());
  if (!Extent) {
    A.WriteOut.clear();
    A.Obstacle = "a macro declares '" + A.Name + "'";
    return;
  }
  A.Extent = std::move(*Extent);
  addFactors(A.Factors, constantFactors(Ctx, Last.getSizeExpr()));
  A.Obstacle.clear();
}

/// `Tile t[2];` becomes `float t[2][32][32];` where Tile names an array. False:
/// it cannot be told from the text how. \p Last becomes the innermost extent.
bool ArrayVisitor::writeOut(SharedArray &A, const VarDecl &VD, TypeLoc TL,
                            unsigned Extents, ArrayTypeLoc &Last) {
  std::optional<TextRange> Name = textOf(Ctx, TL.getSourceRange());
  std::string Brackets;
  while (true) {
    auto Named = TL.getAs<TypedefTypeLoc>();
    if (!Named)
      break;
    TL = withoutQualifiers(Named.getDecl()->getTypeSourceInfo()->getTypeLoc());
    for (; auto Array = TL.getAs<ArrayTypeLoc>(); ++Extents) {
      Last = Array;
      std::optional<TextRange> Size;
      if (Array.getSizeExpr())
        Size = textOf(Ctx, Array.getSizeExpr());
      if (!Size)
        return false;
      Brackets += "[" + Size->Text + "]";
      TL = withoutQualifiers(Array.getElementLoc());
    }
  }
  std::optional<TextRange> Element = textOf(Ctx, TL.getSourceRange());
  SourceLocation End =
      Lexer::getLocForEndOfToken(VD.getEndLoc(), 0, SM, Ctx.getLangOpts());
  if (!Name || !Element || Extents != A.Rank || VD.hasInit() ||
      End.isInvalid() || !End.isFileID())
    return false;
  // One variable in one declaration: `Tile a, b;` would change both.
  llvm::StringRef Text = SM.getBufferData(SM.getFileID(End));
  unsigned At = SM.getFileOffset(End),
           NameAt = SM.getFileOffset(VD.getLocation());
  unsigned Behind = Name->Offset + Name->Text.size();
  if (!Text.substr(At).ltrim(" ").starts_with(";") || NameAt < Behind ||
      !Text.slice(Behind, NameAt).trim(" ").empty())
    return false;
  A.WriteOut = {Name->replacedBy(Element->Text), {Name->File, At, 0, Brackets}};
  return true;
}

} // namespace

std::vector<SharedArray> findSharedArrays(ASTContext &Ctx) {
  UserFiles Users(Ctx.getSourceManager());
  ArrayVisitor Visitor(Ctx);
  llvm::SmallVector<const DeclContext *, 8> Work = {
      Ctx.getTranslationUnitDecl()};
  while (!Work.empty())
    for (Decl *D : Work.pop_back_val()->noload_decls())
      if (isa<NamespaceDecl, LinkageSpecDecl>(D))
        Work.push_back(cast<DeclContext>(D));
      else if (Users.contains(D->getLocation()))
        Visitor.TraverseDecl(D);
  return Visitor.take();
}

} // namespace warplint
