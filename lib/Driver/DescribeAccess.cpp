//===- DescribeAccess.cpp - An expression's parts in a person's words -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessIndex.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace warplint {
namespace {

/// Without comments, each stretch of white space one space.
std::string oneLine(StringRef Text, const LangOptions &Language) {
  std::string Copy = Text.str(); // the lexer wants a zero behind it
  Lexer Lex(SourceLocation(), Language, Copy.data(), Copy.data(),
            Copy.data() + Copy.size());
  std::string Result;
  const char *Before = Copy.data();
  bool Last = false;
  for (Token T; !Last;) {
    Last = Lex.LexFromRawLexer(T);
    if (T.is(tok::eof))
      break;
    const char *End = Lex.getBufferLocation(), *Begin = End - T.getLength();
    bool Space = T.hasLeadingSpace() || T.isAtStartOfLine();
    // What set a comment off from the bracket behind it goes with the comment.
    bool Commented = StringRef(Before, Begin - Before).contains('/');
    if (Space && !Result.empty() &&
        !(Commented && T.isOneOf(tok::r_square, tok::r_paren, tok::comma)))
      Result += ' ';
    Result += StringRef(Begin, T.getLength());
    Before = End;
  }
  return Result;
}

class Describer {
public:
  explicit Describer(ASTContext &Ctx)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), Policy(Ctx.getPrintingPolicy()) {
    Policy.SuppressTagKeyword = true;
    Policy.Bool = true;
  }

  AccessNames describe(const Expr *Object) {
    Names.Expression = textOf(Object->getSourceRange());
    setRange(Object->getSourceRange());
    setMacros(Object->getExprLoc());
    walk(Object);
    if (!Names.Record.empty())
      Names.Field = Fields;
    return std::move(Names);
  }

private:
  /// An expression handed to a macro stands where it was handed over.
  SourceRange atUse(SourceRange R) const {
    SourceLocation B = R.getBegin(), E = R.getEnd();
    while (B.isMacroID() && E.isMacroID() && SM.isMacroArgExpansion(B) &&
           SM.isMacroArgExpansion(E)) {
      B = SM.getImmediateSpellingLoc(B);
      E = SM.getImmediateSpellingLoc(E);
    }
    return {B, E};
  }

  /// \p Loc in the body of the macro that it comes from, parameters by name.
  SourceLocation inMacroBody(SourceLocation Loc) const {
    while (Loc.isMacroID() && SM.isMacroArgExpansion(Loc))
      Loc = SM.getImmediateExpansionRange(Loc).getBegin();
    return SM.getSpellingLoc(Loc);
  }

  /// Where the whole of \p R is written in a file; invalid for a part of a
  /// macro's body.
  CharSourceRange writtenRange(SourceRange R) const {
    return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(atUse(R)),
                                    SM, Ctx.getLangOpts());
  }

  CharSourceRange fileRange(SourceRange R) const {
    CharSourceRange Range = writtenRange(R);
    return Range.isValid() ? Range
                           : Lexer::getAsCharRange(SM.getExpansionRange(R), SM,
                                                   Ctx.getLangOpts());
  }

  std::string textOf(SourceRange R) const {
    CharSourceRange Range = writtenRange(R);
    if (Range.isInvalid()) {
      SourceLocation B = inMacroBody(R.getBegin());
      SourceLocation E = inMacroBody(R.getEnd());
      Range =
          SM.isWrittenInSameFile(B, E) && !SM.isBeforeInTranslationUnit(E, B)
              ? CharSourceRange::getTokenRange(B, E)
              : fileRange(R);
    }
    std::string Line = oneLine(
        Lexer::getSourceText(Range, SM, Ctx.getLangOpts()), Ctx.getLangOpts());
    // In every form of the report as clang shows it: what cannot be seen, by
    // its number.
    llvm::SmallString<64> Shown;
    EscapeStringForDiagnostic(Line, Shown);
    return std::string(Shown);
  }

  void setRange(SourceRange R) {
    CharSourceRange Range = fileRange(R);
    Names.Begin = placeOf(SM, Range.getBegin());
    Names.End = placeOf(SM, Range.getEnd());
  }

  void setMacros(SourceLocation Loc) {
    for (; Loc.isMacroID(); Loc = SM.getImmediateExpansionRange(Loc).getBegin())
      Names.InMacros.push_back(placeOf(SM, SM.getSpellingLoc(Loc)));
  }

  unsigned bytesOf(QualType T) const {
    T = T.getNonReferenceType();
    if (T.isNull() || T->isIncompleteType() || T->isDependentType() ||
        T->isFunctionType() || T->isVoidType())
      return 0;
    return Ctx.getTypeSizeInChars(T).getQuantity();
  }

  std::string nameOf(QualType T) const {
    return T.getNonReferenceType().getUnqualifiedType().getAsString(Policy);
  }

  /// Puts \p Step in front of the path inside the record.
  void prependField(StringRef Step) {
    if (!Fields.empty() && Fields.front() != '[')
      Fields.insert(0, ".");
    Fields.insert(0, Step);
  }

  /// \p T is what the subscript or dereference at the base selects.
  void setElement(QualType T) {
    Names.ElementBytes = bytesOf(T);
    Names.ElementType = nameOf(T);
    T = T.getNonReferenceType();
    bool Inside = !Fields.empty();
    if (T->isArrayType()) {
      // Rows of an array are no records; what they are made of may be.
      T = Ctx.getBaseElementType(T);
      Inside = false;
    }
    if (Inside || T->isRecordType()) {
      Names.Record = nameOf(T);
      Names.RecordBytes = bytesOf(T);
      if (const RecordDecl *RD = T->getAsRecordDecl())
        if (const RecordDecl *Definition = RD->getDefinition())
          Names.RecordDefinition = placeOf(SM, Definition->getLocation());
    }
  }

  /// From the whole access down to the variable at its base.
  void walk(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return walkMember(*Member);
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      return walkSubscript(*Subscript);
    if (const auto *Op = dyn_cast<UnaryOperator>(E);
        Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf)) {
      if (Op->getOpcode() == UO_AddrOf)
        return walk(Op->getSubExpr());
      setElement(Op->getType());
      return walkBase(Op->getSubExpr());
    }
    if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E)) {
      setElement(Call->getType());
      return walkBase(Call->getArg(0));
    }
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E)) {
      setElement(Call->getType());
      return walkBase(Call->getImplicitObjectArgument());
    }
    if (isa<CallExpr>(E))
      return setElement(E->getType());
    if (E->getType()->isPointerType()) {
      setElement(E->getType()->getPointeeType());
      return walkBase(E);
    }
    setElement(E->getType());
    walkBase(E);
  }

  void walkMember(const MemberExpr &Member) {
    const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
    if (!Field) {
      setElement(Member.getType());
      return setVariable(Member.getMemberDecl());
    }
    const Expr *Base = Member.getBase()->IgnoreParenImpCasts();
    // `this->n`: the member is the variable.
    if (isa<CXXThisExpr>(Base)) {
      setElement(Member.getType());
      return setVariable(Field);
    }
    if (!Field->isAnonymousStructOrUnion())
      prependField(Field->getName());
    if (!Member.isArrow())
      return walk(Base);
    setElement(Base->getType()->getPointeeType());
    walkBase(Base);
  }

  /// Splits `row * pitch + k`, see AccessNames::ContiguousTerm.
  void splitIndex(const Expr *Index) {
    llvm::SmallVector<const Expr *, 4> Work = {Index}, Plain, Pitches;
    while (!Work.empty()) {
      const Expr *E = Work.pop_back_val()->IgnoreParenImpCasts();
      const auto *Op = dyn_cast<BinaryOperator>(E);
      if (Op && Op->getOpcode() == BO_Add) {
        Work.push_back(Op->getLHS());
        Work.push_back(Op->getRHS());
      } else if (Op && Op->getOpcode() == BO_Mul) {
        Pitches.push_back(Op->getRHS()->IgnoreParenImpCasts());
      } else {
        Plain.push_back(E);
      }
    }
    auto IsVariable = [](const Expr *E) {
      const auto *Ref = dyn_cast<DeclRefExpr>(E);
      return Ref && isa<VarDecl>(Ref->getDecl());
    };
    if (Plain.size() != 1 || Pitches.size() != 1)
      return;
    if (IsVariable(Plain.front()))
      Names.ContiguousTerm = textOf(Plain.front()->getSourceRange());
    if (IsVariable(Pitches.front()) &&
        !Pitches.front()->isIntegerConstantExpr(Ctx))
      Names.Pitch = textOf(Pitches.front()->getSourceRange());
  }

  void setIndices(const ArraySubscriptExpr &Last) {
    const ArraySubscriptExpr *S = &Last;
    do {
      Names.Indices.insert(Names.Indices.begin(),
                           textOf(S->getIdx()->getSourceRange()));
      S = dyn_cast<ArraySubscriptExpr>(S->getBase()->IgnoreParenImpCasts());
    } while (S);
    splitIndex(Last.getIdx());
  }

  void walkSubscript(const ArraySubscriptExpr &Subscript) {
    const Expr *Base = Subscript.getBase()->IgnoreParenImpCasts();
    if (!Base->getType()->isArrayType()) { // p[i]
      setIndices(Subscript);
      setElement(Subscript.getType());
      return walkBase(Base);
    }
    if (isArrayVariable(Base)) { // tile[i][j]
      setIndices(Subscript);
      setElement(Subscript.getType());
      return walkBase(rootArray(Base));
    }
    // An array in a record, or a pointer to arrays: p[i].v[k], p[i][k].
    prependField("[" + textOf(Subscript.getIdx()->getSourceRange()) + "]");
    walk(Base);
  }

  /// `tile`, `tile[i]` of a variable that is an array.
  static bool isArrayVariable(const Expr *E) {
    E = rootArray(E);
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
    return isa<DeclRefExpr>(E) && E->getType()->isArrayType();
  }

  static const Expr *rootArray(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    while (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      const Expr *Base = Subscript->getBase()->IgnoreParenImpCasts();
      if (!Base->getType()->isArrayType())
        return E;
      E = Base;
    }
    return E;
  }

  /// The pointer, array or object below the element: down to its variable.
  void walkBase(const Expr *E) {
    while (true) {
      E = E->IgnoreParenCasts();
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        return setVariable(Ref->getDecl());
      if (const auto *Member = dyn_cast<MemberExpr>(E))
        return setVariable(Member->getMemberDecl());
      if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
        E = Subscript->getBase();
      else if (const auto *Op = dyn_cast<UnaryOperator>(E))
        E = Op->getSubExpr();
      else if (const auto *Op = dyn_cast<BinaryOperator>(E))
        E = Op->getRHS()->getType()->isPointerType() ? Op->getRHS()
                                                     : Op->getLHS();
      else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E))
        E = Call->getArg(0);
      else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
        E = Call->getImplicitObjectArgument();
      else
        return;
    }
  }

  void setVariable(const ValueDecl *D) {
    if (!isa<VarDecl, FieldDecl>(D))
      return;
    Names.Variable = D->getNameAsString();
    Names.Declaration = placeOf(SM, D->getLocation());
    QualType T = D->getType();
    std::string Text = Names.Variable;
    T.getAsStringInternal(Text, Policy);
    // Clang adds __constant__ to constant tables of its own accord.
    const auto *Constant = D->getAttr<CUDAConstantAttr>();
    StringRef Space = D->hasAttr<CUDASharedAttr>()          ? "__shared__ "
                      : Constant && !Constant->isImplicit() ? "__constant__ "
                      : D->hasAttr<CUDADeviceAttr>()        ? "__device__ "
                                                            : "";
    const auto *VD = dyn_cast<VarDecl>(D);
    bool Extern = VD && VD->getStorageClass() == SC_Extern;
    Names.Dynamic = Extern && D->hasAttr<CUDASharedAttr>();
    Names.DeclarationText = ((Extern ? "extern " : "") + Space + Text).str();
    while (const ArrayType *AT = Ctx.getAsArrayType(T)) {
      const auto *Fixed = dyn_cast<ConstantArrayType>(AT);
      Names.Extents.push_back(Fixed ? Fixed->getZExtSize() : 0);
      T = AT->getElementType();
    }
    if (!Names.Extents.empty() && !T->isDependentType() &&
        !T->isIncompleteType())
      Names.ArrayElementBytes = Ctx.getTypeSizeInChars(T).getQuantity();
  }

  ASTContext &Ctx;
  const SourceManager &SM;
  PrintingPolicy Policy;
  AccessNames Names;
  std::string Fields; ///< the path inside the record
};

} // namespace

AccessNames describeAccess(ASTContext &Ctx, const Expr *Object) {
  return Describer(Ctx).describe(Object);
}

} // namespace warplint
