//===- SharedArrays.cpp - Shared arrays and their uses, to be edited ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/SharedArrays.h"
#include "EscapingReferences.h"
#include "IndexText.h"
#include "KeptAddresses.h"
#include "UnseenNames.h"
#include "warplint/Driver/DeviceModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
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
      : Ctx(Ctx), SM(Ctx.getSourceManager()), Names(Ctx), References(Ctx) {
    ShouldVisitTemplateInstantiations = true;
  }

  std::vector<SharedArray> take();

  bool VisitNamedDecl(NamedDecl *D) override {
    Names.saw(D->getLocation());
    return true;
  }

  bool VisitVarDecl(VarDecl *VD) override {
    // `unsigned a = __cvta_generic_to_shared(&t[r][c]);`
    if (VD->isLocalVarDecl() && VD->hasInit())
      if (const CallExpr *Call = asSharedAddress(VD->getInit()))
        if (const DeclRefExpr *Ref = keep(*Call))
          Held[VD] = Ref;
    // `float &f = t[r][c];`
    if (VD->getType()->isReferenceType() && VD->hasInit() &&
        References.contains(*VD))
      addressTaken(VD->getInit());
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
    Declarations.resize(std::max(Declarations.size(), I + 1), VD);
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
    allowAddress(E->getBase(), E->getIdx());
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
    if ((Outer && !isConstant(E->getIdx())) || isPastEnd(*E))
      obstacle(Ref, "may run over the end of a row of", E->getExprLoc());
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *E) override {
    if (E->getOpcode() == UO_Deref)
      allowAddress(E->getSubExpr(), nullptr);
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
      allowAddress(E->getBase(), nullptr);
    return true;
  }

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (!Callee || !Callee->getDeclName().isIdentifier())
      return true;
    if (takesOneElement(*E))
      for (const Expr *Arg : E->arguments())
        allowAddress(Arg, nullptr);
    if (const Expr *Of = operandOfAddressof(*E))
      addressTaken(Of);
    for (unsigned I = 0; I < E->getNumArgs(); ++I) {
      const Expr *Arg = E->getArg(I);
      if (isKept(Arg) && passesToPlainAddress(*Callee, I))
        allowKept(Arg);
      if (References.throughParameter(*Callee, I))
        addressTaken(Arg);
    }
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    const CXXConstructorDecl &Callee = *E->getConstructor();
    for (unsigned I = 0; Callee.isUserProvided() && I < E->getNumArgs(); ++I)
      if (References.throughParameter(Callee, I))
        addressTaken(E->getArg(I));
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *Asm) override {
    for (const Expr *Address : plainAddresses(*Asm))
      allowKept(Address);
    AsmTexts.emplace_back(Asm->getAsmString(), Asm->getAsmLoc());
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (!Subscripted.contains(E) && known(E))
      obstacle(E, "uses more than one element of", E->getExprLoc());
    if (auto At = Held.find(dyn_cast<VarDecl>(E->getDecl()));
        At != Held.end() && !AllowedUses.contains(E))
      obstacle(At->second, "computes with the address of an element of",
               E->getExprLoc());
    // In a template, what an instantiation discards was not seen.
    if (known(E) || !E->getDecl()->hasAttr<CUDASharedAttr>())
      Names.saw(E->getLocation());
    return true;
  }

private:
  struct Entry {
    size_t Index;
    unsigned Rank;
  };

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

  /// A column of the next row, by its number.
  bool isPastEnd(const ArraySubscriptExpr &E) const {
    Expr::EvalResult Value;
    const auto *Row = Ctx.getAsConstantArrayType(
        E.getBase()->IgnoreParenImpCasts()->getType());
    return Row && !E.getIdx()->isValueDependent() &&
           E.getIdx()->EvaluateAsInt(Value, Ctx) &&
           (Value.Val.getInt().isNegative() ||
            Value.Val.getInt().getLimitedValue() >= Row->getLimitedSize());
  }

  void allowAddress(const Expr *E, const Expr *Index) {
    const auto *Op = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
    if (!Op || Op->getOpcode() != UO_AddrOf || (Index && !isConstant(Index)))
      return;
    // A vector at most: a larger record goes over the end of the row.
    constexpr int64_t MostBytes = 16;
    int64_t Bytes = pointeeBytes(E);
    if (Bytes > MostBytes)
      return;
    const DeclRefExpr *Ref = arrayOf(Op->getSubExpr()->IgnoreParens());
    int64_t ElementBytes = pointeeBytes(Op);
    if (Ref && ElementBytes > 0 && Bytes > ElementBytes) {
      SharedArray &A = Arrays[known(Ref)->Index];
      unsigned Elements = llvm::divideCeil(Bytes, ElementBytes);
      if (Elements > A.VectorElements) {
        A.VectorElements = Elements;
        A.VectorUse.clear();
        say(A.VectorUse, Ref, "accesses several elements at once of",
            Op->getExprLoc());
      }
    }
    // `(&t[i][j])[1]` is the element behind that of the text.
    bool Behind = Index && Index->EvaluateKnownConstInt(Ctx) != 0;
    (Behind ? AllowedOn : AllowedHere).insert(Op);
  }

  /// The size of what \p E points to, in bytes; 0: not known.
  int64_t pointeeBytes(const Expr *E) const {
    const auto *Pointer = E->getType()->getAs<PointerType>();
    if (!Pointer || Pointer->getPointeeType()->isIncompleteType() ||
        Pointer->getPointeeType()->isDependentType())
      return 0;
    return Ctx.getTypeSizeInChars(Pointer->getPointeeType()).getQuantity();
  }

  /// The array of whose element \p Call of `__cvta_generic_to_shared` takes the
  /// address, which may be taken here, or null. Inline PTX may hide what such
  /// an address is stepped by, so that the element must stay in its place.
  const DeclRefExpr *keep(const CallExpr &Call) {
    if (Call.getNumArgs() != 1)
      return nullptr;
    const auto *Op =
        dyn_cast<UnaryOperator>(Call.getArg(0)->IgnoreParenCasts());
    if (!Op || Op->getOpcode() != UO_AddrOf)
      return nullptr;
    AllowedOn.insert(Op);
    return arrayOf(Op->getSubExpr()->IgnoreParens());
  }

  bool isKept(const Expr *E) const {
    const auto *Use = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    return Use ? Held.contains(dyn_cast<VarDecl>(Use->getDecl()))
               : asSharedAddress(E) != nullptr;
  }

  /// \p E, the address of an element, goes into inline PTX that accesses it.
  void allowKept(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const CallExpr *Call = asSharedAddress(E))
      keep(*Call);
    else if (const auto *Use = dyn_cast<DeclRefExpr>(E))
      AllowedUses.insert(Use);
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

  /// Where code may go from the address of \p E nobody knows.
  void addressTaken(const Expr *E) {
    if (const DeclRefExpr *Ref = arrayOf(E->IgnoreParenImpCasts()))
      obstacle(Ref, "takes the address of an element of", E->getExprLoc());
  }

  static ArrayTypeLoc innermost(const VarDecl &VD);
  void record(const ArraySubscriptExpr &E, const DeclRefExpr &Ref);
  void describe(SharedArray &A, const VarDecl &VD);
  bool writeOut(SharedArray &A, const VarDecl &VD, TypeLoc TL, unsigned Extents,
                ArrayTypeLoc &Last);

  ASTContext &Ctx;
  const SourceManager &SM;
  UnseenNames Names;
  EscapingReferences References;
  std::vector<SharedArray> Arrays;
  std::vector<const VarDecl *> Declarations; ///< the first of each array
  llvm::DenseMap<const VarDecl *, Entry> Known;
  llvm::DenseSet<const DeclRefExpr *> Subscripted;
  /// Addresses that are used up where they are taken, and those that live on.
  llvm::DenseSet<const UnaryOperator *> AllowedHere, AllowedOn;
  /// Variables that hold the address of an array's element, as an integer.
  llvm::DenseMap<const VarDecl *, const DeclRefExpr *> Held;
  llvm::DenseSet<const DeclRefExpr *> AllowedUses;
  std::vector<std::pair<std::string, SourceLocation>> AsmTexts;
};

std::vector<SharedArray> ArrayVisitor::take() {
  ASTNameGenerator Symbols(Ctx);
  for (auto [A, VD] : llvm::zip_equal(Arrays, Declarations)) {
    const std::string Symbol = Symbols.getName(VD);
    auto InPtx = llvm::find_if(AsmTexts, [&](const auto &Asm) {
      return llvm::StringRef(Asm.first).contains(Symbol);
    });
    SourceLocation Unseen = Names.find(*VD);
    std::string Why;
    if (InPtx != AsmTexts.end())
      Why = ("line " + llvm::Twine(placeOf(SM, InPtx->second).Line) +
             " uses '" + A.Name + "' in inline PTX")
                .str();
    else if (Unseen.isValid())
      Why = ("line " + llvm::Twine(placeOf(SM, Unseen).Line) + " may use '" +
             A.Name + "' too; it is not compiled here")
                .str();
    else
      continue;
    for (std::string *Into : {&A.Obstacle, &A.MoveObstacle})
      if (Into->empty())
        *Into = Why;
  }
  return std::move(Arrays);
}

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
  ArrayVisitor Visitor(Ctx);
  forEachUserDecl(Ctx, [&](Decl *D) { Visitor.TraverseDecl(D); });
  return Visitor.take();
}

} // namespace warplint
