//===- IndexText.cpp - Index expressions as text to be edited -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warplint {

std::optional<TextRange> textOf(const ASTContext &Ctx, SourceRange R) {
  const SourceManager &SM = Ctx.getSourceManager();
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(R), SM, Ctx.getLangOpts());
  if (Range.isInvalid())
    return std::nullopt;
  TextRange Text;
  Text.Text = Lexer::getSourceText(Range, SM, Ctx.getLangOpts()).str();
  llvm::StringRef Inside = Text.Text;
  if (Inside.empty() || Inside.contains('\n') || Inside.contains("/*") ||
      Inside.contains("//"))
    return std::nullopt;
  FileID ID = SM.getFileID(Range.getBegin());
  Text.Offset = SM.getFileOffset(Range.getBegin());
  // Not the presumed one: `#line` may have renamed the file.
  OptionalFileEntryRef File = SM.getFileEntryRefForID(ID);
  if (!File)
    return std::nullopt;
  llvm::SmallString<256> Path(File->getName());
  SM.getFileManager().makeAbsolutePath(Path);
  Text.File = Path.str().str();
  return Text;
}

/// Below what a parameter of a template or a cast of the compiler stands for.
static const Expr *bare(const Expr *E) {
  while (true) {
    E = E->IgnoreImpCasts();
    if (const auto *Subst = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      E = Subst->getReplacement();
    else if (const auto *Constant = dyn_cast<ConstantExpr>(E))
      E = Constant->getSubExpr();
    else
      return E;
  }
}

std::optional<TextRange> textOf(const ASTContext &Ctx, const Expr *E) {
  std::optional<TextRange> Text = textOf(Ctx, E->getSourceRange());
  if (!Text)
    return std::nullopt;
  // What a macro expands to has parentheses, or has not; its name shows none.
  E = bare(E);
  if (const auto *Op = dyn_cast<BinaryOperator>(E))
    Text->Loose = !Op->isAdditiveOp() && !Op->isMultiplicativeOp();
  else
    Text->Loose = isa<AbstractConditionalOperator>(E);
  return Text;
}

bool isRepeatable(const Expr *E) {
  // `threadIdx.x` is a call underneath.
  if (isa<PseudoObjectExpr>(E))
    return true;
  if (const auto *Op = dyn_cast<BinaryOperator>(E); Op && Op->isAssignmentOp())
    return false;
  if (const auto *Op = dyn_cast<UnaryOperator>(E);
      Op && (Op->isIncrementDecrementOp() || Op->getOpcode() == UO_Deref ||
             Op->getOpcode() == UO_AddrOf))
    return false;
  if (const auto *Member = dyn_cast<MemberExpr>(E); Member && Member->isArrow())
    return false;
  if (!isa<DeclRefExpr, IntegerLiteral, CharacterLiteral, ParenExpr, CastExpr,
           BinaryOperator, UnaryOperator, ConditionalOperator, MemberExpr,
           SubstNonTypeTemplateParmExpr, ConstantExpr, UnaryExprOrTypeTraitExpr,
           OpaqueValueExpr>(E))
    return false;
  return llvm::all_of(E->children(), [](const Stmt *Child) {
    const auto *Inner = dyn_cast_or_null<Expr>(Child);
    return Inner && isRepeatable(Inner);
  });
}

namespace {

class FactorFinder {
public:
  explicit FactorFinder(const ASTContext &Ctx) : Ctx(Ctx) {}

  void sum(const Expr *E) {
    E = bare(E);
    while (const auto *Paren = dyn_cast<ParenExpr>(E))
      E = bare(Paren->getSubExpr());
    const auto *Op = dyn_cast<BinaryOperator>(E);
    if (Op && Op->isAdditiveOp()) {
      sum(Op->getLHS());
      sum(Op->getRHS());
    } else if (Op && Op->getOpcode() == BO_Mul) {
      ++Product;
      factor(Op->getLHS());
      factor(Op->getRHS());
    }
  }

  std::vector<ConstantFactor> Found;

private:
  void factor(const Expr *E) {
    const Expr *Inner = bare(E);
    if (const auto *Op = dyn_cast<BinaryOperator>(Inner->IgnoreParens());
        Op && Op->getOpcode() == BO_Mul) {
      factor(Op->getLHS());
      factor(Op->getRHS());
      return;
    }
    Expr::EvalResult Value;
    if (E->isValueDependent() || !E->EvaluateAsInt(Value, Ctx))
      return;
    if (std::optional<TextRange> Text = textOf(Ctx, E))
      Found.push_back({*Text, Product, {Value.Val.getInt().getExtValue()}});
  }

  const ASTContext &Ctx;
  unsigned Product = 0;
};

} // namespace

std::vector<ConstantFactor> constantFactors(const ASTContext &Ctx,
                                            const Expr *E) {
  FactorFinder Finder(Ctx);
  Finder.sum(E);
  return std::move(Finder.Found);
}

void addFactors(std::vector<ConstantFactor> &All,
                std::vector<ConstantFactor> &&Others) {
  for (ConstantFactor &F : Others) {
    auto Same = llvm::find_if(All, [&](const ConstantFactor &Old) {
      return Old.Text.Offset == F.Text.Offset && Old.Text.File == F.Text.File;
    });
    if (Same == All.end())
      All.push_back(std::move(F));
    else
      llvm::append_range(Same->Values, F.Values);
  }
}

} // namespace warplint
