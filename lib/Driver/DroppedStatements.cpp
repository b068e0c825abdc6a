//===- DroppedStatements.cpp - Statements the parser gave up on -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DroppedStatements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace warplint {
namespace {

/// Reads the tokens between two statements of one file.
class Gap {
public:
  Gap(const ASTContext &Ctx, FileID File, StringRef Text, unsigned Begin,
      unsigned End)
      : Idents(Ctx.Idents), End(End),
        Lex(Ctx.getSourceManager().getLocForStartOfFile(File),
            Ctx.getLangOpts(), Text.begin(), Text.begin() + Begin, Text.end()),
        Start(Ctx.getSourceManager().getLocForStartOfFile(File)) {}

  /// True when a statement stood here. What preprocessing takes away is passed
  /// over: directives, what lies between them, uses of macros, attributes.
  bool holdsStatement() {
    unsigned Conditionals = 0;
    for (Token T; next(T);) {
      if (T.is(tok::hash) && T.isAtStartOfLine()) {
        StringRef Name = directive();
        if (Name.starts_with("if"))
          ++Conditionals;
        else if (Name == "endif" && Conditionals)
          --Conditionals;
        else if (Name == "endif" || Name.starts_with("el"))
          return false; // a statement lies in each branch; not to be judged
      } else if (Conditionals || T.isOneOf(tok::semi, tok::comment)) {
        continue;
      } else if (T.is(tok::l_square)) {
        skipBalanced(tok::l_square, tok::r_square);
      } else if (T.is(tok::raw_identifier) && isTransparent(T)) {
        skipArguments();
      } else {
        return true;
      }
    }
    return false;
  }

private:
  bool next(Token &T) {
    if (Ahead) {
      T = *Ahead;
      Ahead.reset();
    } else {
      Lex.LexFromRawLexer(T);
    }
    return T.isNot(tok::eof) &&
           T.getLocation().getRawEncoding() - Start.getRawEncoding() < End;
  }

  /// A directive's name; the rest of its line is read.
  StringRef directive() {
    Token T;
    StringRef Name;
    if (!next(T) || T.isAtStartOfLine()) {
      Ahead = T;
      return Name;
    }
    if (T.is(tok::raw_identifier))
      Name = T.getRawIdentifier();
    while (next(T))
      if (T.isAtStartOfLine()) {
        Ahead = T;
        break;
      }
    return Name;
  }

  bool isTransparent(const Token &T) const {
    StringRef Name = T.getRawIdentifier();
    if (Name == "__attribute__" || Name == "__extension__")
      return true;
    auto Known = Idents.find(Name);
    return Known != Idents.end() && Known->second->hadMacroDefinition();
  }

  void skipArguments() {
    Token T;
    if (!next(T))
      return;
    if (T.is(tok::l_paren))
      skipBalanced(tok::l_paren, tok::r_paren);
    else
      Ahead = T;
  }

  void skipBalanced(tok::TokenKind Open, tok::TokenKind Close) {
    unsigned Depth = 1;
    for (Token T; Depth && next(T);)
      Depth += T.is(Open) ? 1 : T.is(Close) ? -1 : 0;
  }

  const IdentifierTable &Idents;
  unsigned End;
  Lexer Lex;
  SourceLocation Start;
  std::optional<Token> Ahead;
};

} // namespace

bool hasDroppedStatements(const ASTContext &Ctx, const CompoundStmt &Body) {
  const SourceManager &SM = Ctx.getSourceManager();
  if (Body.getLBracLoc().isMacroID() || Body.getRBracLoc().isMacroID())
    return false;
  auto [File, Begin] = SM.getDecomposedLoc(Body.getLBracLoc());
  bool Invalid = false;
  StringRef Text = SM.getBufferData(File, &Invalid);
  if (Invalid)
    return false;
  unsigned Done = Begin + 1; // behind the brace
  auto holds = [&](SourceLocation Next) {
    auto [NextFile, Offset] = SM.getDecomposedLoc(Next);
    return NextFile == File && Offset > Done &&
           Gap(Ctx, File, Text, Done, Offset).holdsStatement();
  };
  for (const Stmt *S : Body.body()) {
    if (holds(SM.getExpansionLoc(S->getBeginLoc())))
      return true;
    SourceLocation End = Lexer::getLocForEndOfToken(
        SM.getExpansionRange(S->getEndLoc()).getEnd(), 0, SM,
        Ctx.getLangOpts());
    auto [EndFile, Offset] = SM.getDecomposedLoc(End);
    if (End.isInvalid() || EndFile != File)
      return false;
    Done = std::max(Done, Offset);
  }
  return holds(Body.getRBracLoc());
}

} // namespace warplint
