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
#include "llvm/ADT/STLExtras.h"
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

/// The files whose text, as it was included, stands between two offsets of
/// \p In, and those that they include.
static std::vector<FileID> includedBetween(FileID In, unsigned Begin,
                                           unsigned End,
                                           const SourceManager &SM) {
  std::vector<FileID> Files;
  for (unsigned I = 1; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || Entry.getFile().getIncludeLoc().isInvalid() ||
        SrcMgr::isSystem(Entry.getFile().getFileCharacteristic()))
      continue;
    auto [From, At] = SM.getDecomposedLoc(Entry.getFile().getIncludeLoc());
    // What includes comes before what it includes.
    if ((From == In && At > Begin && At < End) ||
        llvm::is_contained(Files, From))
      Files.push_back(
          SM.getFileID(SourceLocation::getFromRawEncoding(Entry.getOffset())));
  }
  return Files;
}

/// Where between two offsets of \p File, or before them in a macro, a name
/// stands that was not seen.
SourceLocation UnseenNames::findIn(FileID File, llvm::StringRef Name,
                                   unsigned Begin, unsigned End) const {
  const SourceManager &SM = Ctx.getSourceManager();
  RawTokens Tokens(File, Ctx);
  while (Tokens.next()) {
    if (Tokens.name() != Name || Tokens.isMember() || Tokens.isParameter())
      continue;
    unsigned At = SM.getFileOffset(Tokens.place());
    if (At >= End)
      break;
    if ((At >= Begin || Tokens.inMacro()) &&
        !Seen.contains({SM.getFileEntryForID(File), At}))
      return Tokens.place();
  }
  return SourceLocation();
}

SourceLocation UnseenNames::find(const VarDecl &VD) const {
  const SourceManager &SM = Ctx.getSourceManager();
  auto [File, At] = SM.getDecomposedExpansionLoc(VD.getLocation());
  unsigned Begin = At + 1, End = SM.getFileIDSize(File);
  if (const auto *F = dyn_cast<FunctionDecl>(VD.getDeclContext())) {
    auto [EndFile, EndAt] = SM.getDecomposedExpansionLoc(F->getEndLoc());
    if (EndFile == File)
      End = EndAt;
  }
  if (SourceLocation Found = findIn(File, VD.getName(), Begin, End);
      Found.isValid())
    return Found;
  for (FileID Part : includedBetween(File, Begin, End, SM))
    if (SourceLocation Found =
            findIn(Part, VD.getName(), 0, SM.getFileIDSize(Part));
        Found.isValid())
      return Found;
  return SourceLocation();
}

} // namespace warplint
