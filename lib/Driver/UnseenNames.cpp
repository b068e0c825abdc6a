//===- UnseenNames.cpp - Names in text that was not compiled --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnseenNames.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace warplint {

void UnseenNames::saw(SourceLocation Loc) {
  const SourceManager &SM = Ctx.getSourceManager();
  auto [File, Offset] = SM.getDecomposedSpellingLoc(Loc);
  Seen.insert({SM.getFileEntryForID(File), Offset});
}

namespace {
/// The tokens of a file, and which of them are in the body of a macro.
class RawTokens {
public:
  RawTokens(FileID File, const ASTContext &Ctx)
      : Raw(File, Ctx.getSourceManager().getBufferOrFake(File),
            Ctx.getSourceManager(), Ctx.getLangOpts()) {
    Tok.startToken();
  }

  /// False at the end.
  bool next() {
    Before = Tok;
    Raw.LexFromRawLexer(Tok);
    if (Tok.isAtStartOfLine()) {
      In = Tok.is(tok::hash) ? Hash : Code;
      Parameters.clear();
    } else if (In == Hash) {
      In = name() == "define" ? Define : Code;
    } else if (In == Define) {
      In = MacroName;
    } else if (In == MacroName) {
      In = Tok.is(tok::l_paren) && !Tok.hasLeadingSpace() ? List : Body;
    } else if (In == List) {
      if (Tok.is(tok::raw_identifier))
        Parameters.insert(name());
      else if (Tok.is(tok::r_paren))
        In = Body;
    }
    return Tok.isNot(tok::eof);
  }

  llvm::StringRef name() const {
    return Tok.is(tok::raw_identifier) ? Tok.getRawIdentifier()
                                       : llvm::StringRef();
  }
  SourceLocation place() const { return Tok.getLocation(); }
  bool inMacro() const { return In == Body; }
  bool isParameter() const { return Parameters.contains(name()); }
  bool isMember() const {
    return Before.isOneOf(tok::period, tok::arrow, tok::coloncolon);
  }

private:
  Lexer Raw;
  Token Tok, Before;
  enum { Code, Hash, Define, MacroName, List, Body } In = Code;
  llvm::StringSet<> Parameters;
};
} // namespace

SourceLocation UnseenNames::find(const VarDecl &VD) const {
  const SourceManager &SM = Ctx.getSourceManager();
  auto [File, Begin] = SM.getDecomposedExpansionLoc(VD.getLocation());
  unsigned End = SM.getFileIDSize(File);
  if (const auto *F = dyn_cast<FunctionDecl>(VD.getDeclContext())) {
    auto [EndFile, EndAt] = SM.getDecomposedExpansionLoc(F->getEndLoc());
    if (EndFile == File)
      End = EndAt;
  }
  RawTokens Tokens(File, Ctx);
  while (Tokens.next()) {
    if (Tokens.name() != VD.getName() || Tokens.isMember() ||
        Tokens.isParameter())
      continue;
    unsigned At = SM.getFileOffset(Tokens.place());
    if (At >= End)
      break;
    if ((At > Begin || Tokens.inMacro()) &&
        !Seen.contains({SM.getFileEntryForID(File), At}))
      return Tokens.place();
  }
  return SourceLocation();
}

} // namespace warplint
