//===- SharedArrays.cpp - Declarations of shared arrays, to be edited
//------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/SharedArrays.h"
#include "warplint/Driver/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

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
    if (!VD->hasAttr<CUDASharedAttr>() || !VD->isStaticLocal() ||
        VD->getType()->isDependentType() ||
        VD->getDeclContext()->isDependentContext())
      return true;
    unsigned Rank = 0;
    for (QualType T = VD->getType();
         const ArrayType *AT = Ctx.getAsArrayType(T); T = AT->getElementType())
      ++Rank;
    if (Rank < 2)
      return true;
    SourcePlace Place = placeOf(SM, VD->getLocation());
    for (size_t I = 0; I < Arrays.size(); ++I)
      if (Arrays[I].Place == Place) {
        Known[VD] = {I, Rank};
        return true;
      }
    Known[VD] = {Arrays.size(), Rank};
    SharedArray &A = Arrays.emplace_back();
    A.Place = Place;
    A.Name = VD->getNameAsString();
    describe(A, *VD, Rank);
    return true;
  }

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) override {
    // `(&t[i][j])[0]`
    allowAddress(E->getBase(), E->getIdx());
    const DeclRefExpr *Ref = arrayOf(E);
    if (!Ref || E->getType()->isArrayType())
      return true;
    Subscripted.insert(Ref);
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
      allowAddress(E->getSubExpr(), nullptr);
    if (E->getOpcode() != UO_AddrOf || Allowed.contains(E))
      return true;
    if (const DeclRefExpr *Ref = arrayOf(E->getSubExpr()->IgnoreParens()))
      obstacle(Ref, "takes the address of an element of", E->getExprLoc());
    return true;
  }

  bool VisitMemberExpr(MemberExpr *E) override {
    if (E->isArrow())
      allowAddress(E->getBase(), nullptr);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && Callee->getDeclName().isIdentifier() &&
        takesOneElement(Callee->getName()))
      for (const Expr *Arg : E->arguments())
        allowAddress(Arg, nullptr);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (!Subscripted.contains(E) && known(E))
      obstacle(E, "uses more than one element of", E->getExprLoc());
    return true;
  }

private:
  struct Entry {
    size_t Index;
    unsigned Rank;
  };

  /// Functions that use of a pointer what lies there and no more, up to the
  /// vector that alignment allows.
  static bool takesOneElement(llvm::StringRef Name) {
    return Name.starts_with("atomic") || Name == "__cvta_generic_to_shared" ||
           Name == "__pipeline_memcpy_async";
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

  void allowAddress(const Expr *E, const Expr *Index) {
    if (Index && !isConstant(Index))
      return;
    const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
    if (Op && Op->getOpcode() == UO_AddrOf)
      Allowed.insert(Op);
  }

  void obstacle(const DeclRefExpr *Ref, const char *What, SourceLocation Loc) {
    SharedArray &A = Arrays[known(Ref)->Index];
    if (A.Obstacle.empty())
      A.Obstacle = ("line " + llvm::Twine(placeOf(SM, Loc).Line) + " " + What +
                    " '" + A.Name + "'")
                       .str();
  }

  void describe(SharedArray &A, const VarDecl &VD, unsigned Rank);

  ASTContext &Ctx;
  const SourceManager &SM;
  std::vector<SharedArray> Arrays;
  llvm::DenseMap<const VarDecl *, Entry> Known;
  llvm::DenseSet<const DeclRefExpr *> Subscripted;
  llvm::DenseSet<const UnaryOperator *> Allowed;
};

/// Whether `E + 1` must be written `(E) + 1`.
bool bindsLooser(const Expr *E) {
  E = E->IgnoreImpCasts();
  if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    E = Subst->getReplacement()->IgnoreImpCasts();
  if (const auto *Constant = dyn_cast<ConstantExpr>(E))
    E = Constant->getSubExpr()->IgnoreImpCasts();
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    return !Op->isAdditiveOp() && !Op->isMultiplicativeOp();
  return isa<AbstractConditionalOperator>(E);
}

void ArrayVisitor::describe(SharedArray &A, const VarDecl &VD, unsigned Rank) {
  A.Obstacle = "the declaration of '" + A.Name +
               "' does not write out the length of a row";
  TypeLoc TL = VD.getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc();
  ArrayTypeLoc Last;
  for (unsigned I = 0; I < Rank; ++I) {
    Last = TL.getAs<ArrayTypeLoc>();
    if (!Last)
      return;
    TL = Last.getElementLoc().getUnqualifiedLoc();
  }
  SourceLocation Open = Last.getLBracketLoc(), Close = Last.getRBracketLoc();
  if (!Last.getSizeExpr() || !Open.isFileID() || !Close.isFileID() ||
      SM.getFileID(Open) != SM.getFileID(Close)) {
    A.Obstacle = "a macro declares '" + A.Name + "'";
    return;
  }
  llvm::StringRef Text = SM.getBufferData(SM.getFileID(Open));
  unsigned Begin = SM.getFileOffset(Open) + 1, End = SM.getFileOffset(Close);
  llvm::StringRef Inside = Text.slice(Begin, End);
  if (Inside.contains('\n') || Inside.contains("/*"))
    return;
  A.Offset = Begin + (Inside.size() - Inside.ltrim().size());
  A.RowText = Inside.trim().str();
  A.File = placeOf(SM, Open).File;
  // `#line` may have renamed the file.
  if (OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(Open))) {
    llvm::SmallString<256> Path(File->getName());
    SM.getFileManager().makeAbsolutePath(Path);
    A.File = Path.str().str();
  }
  A.NeedsParentheses = bindsLooser(Last.getSizeExpr());
  size_t From = Text.rfind('\n', A.Offset), To = Text.find('\n', A.Offset);
  From = From == llvm::StringRef::npos ? 0 : From + 1;
  From += Text.substr(From).find_first_not_of(" \t");
  A.Line = Text.slice(From, To).rtrim().str();
  A.OffsetInLine = A.Offset - From;
  A.Obstacle.clear();
}

} // namespace

SourceEdit SharedArray::padded(unsigned Elements) const {
  unsigned Length = 0;
  std::string Text;
  if (llvm::all_of(RowText, llvm::isDigit) &&
      llvm::to_integer(RowText, Length, 10) && RowText.front() != '0')
    Text = std::to_string(Length + Elements);
  else
    Text = (NeedsParentheses ? "(" + RowText + ")" : RowText) + " + " +
           std::to_string(Elements);
  return {File, Offset, static_cast<unsigned>(RowText.size()), Text};
}

std::vector<std::string> SharedArray::paddedDiff(unsigned Elements) const {
  std::string New = Line;
  New.replace(OffsetInLine, RowText.size(), padded(Elements).Text);
  return {"-" + Line, "+" + New};
}

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
