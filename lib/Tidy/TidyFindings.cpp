//===- TidyFindings.cpp - Findings as diagnostics of clang-tidy -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Tidy/TidyFindings.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang-tidy/ClangTidyOptions.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include <cmath>

using namespace llvm;
using clang::DiagnosticIDs;
using clang::SourceLocation;

namespace warplint {

/// Invalid where the file is none (a `#line` may name what it likes).
static SourceLocation locate(const SourcePlace &P, clang::SourceManager &SM) {
  if (!P.Line)
    return {};
  clang::OptionalFileEntryRef File =
      SM.getFileManager().getOptionalFileRef(P.File);
  if (!File)
    return {};
  clang::FileID ID = SM.translateFile(*File);
  if (ID.isInvalid()) {
    // What is included nowhere is taken for the main file.
    clang::FileID Main = SM.getMainFileID();
    ID = SM.createFileID(*File,
                         Main.isValid() ? SM.getLocForStartOfFile(Main)
                                        : SourceLocation(),
                         clang::SrcMgr::C_User);
  }
  return SM.translateLineCol(ID, P.Line, std::max(P.Column, 1u));
}

/// A finding is where its access is: a launch in the main file, to which a note
/// points, would else let every header through.
static bool passesHeaderFilter(SourceLocation Loc,
                               const clang::tidy::ClangTidyOptions &Options,
                               const clang::SourceManager &SM) {
  clang::OptionalFileEntryRef File = SM.getFileEntryRefForID(SM.getFileID(Loc));
  if (!File || SM.isInMainFile(Loc))
    return true;
  StringRef Name = File->getName();
  const std::string &Excluded = *Options.ExcludeHeaderFilterRegex;
  return Regex(*Options.HeaderFilterRegex).match(Name) &&
         (Excluded.empty() || !Regex(Excluded).match(Name));
}

std::string severityNote(const Finding &F) {
  std::string Text = "severity " + severityName(F.Level).str();
  if (F.Gain)
    Text += "; " + gainSentence(*F.Gain);
  if (F.ExcessShare <= 0)
    return Text;
  long Percent = std::lround(100 * F.ExcessShare);
  return Text + formatv("; {0} % of what this kernel spends above the ideal in "
                        "{1} memory",
                        Percent ? std::to_string(Percent) : "under 1",
                        spaceName(F.Space))
                    .str();
}

namespace {

/// A diagnostic that is asked about and not reported.
class Unsaid : public clang::DiagnosticBuilder {
public:
  explicit Unsaid(const clang::DiagnosticBuilder &D) : DiagnosticBuilder(D) {}
  ~Unsaid() { Clear(); }
};

class FindingReporter {
public:
  FindingReporter(const Finding &F, clang::tidy::ClangTidyContext &Context,
                  clang::SourceManager &SM)
      : F(F), Context(Context), SM(SM), Loc(locate(F.Place, SM)) {}
  std::optional<ReportedFinding> report();

private:
  // The text is an argument: as the format, its per cent signs would count.
  clang::DiagnosticBuilder diag(SourceLocation At, DiagnosticIDs::Level Level,
                                const std::string &Text) {
    clang::DiagnosticBuilder Diag = At.isValid()
                                        ? Context.diag(F.Check, At, "%0", Level)
                                        : Context.diag(F.Check, "%0", Level);
    Diag << Text;
    return Diag;
  }
  void note(SourceLocation At, const std::string &Text) {
    diag(At, DiagnosticIDs::Note, Text);
  }
  bool isSuppressedInMacro();
  std::string access();
  void noteFilteredLine();
  void addEdits(const Fix &X, clang::DiagnosticBuilder &Diag);

  const Finding &F;
  clang::tidy::ClangTidyContext &Context;
  clang::SourceManager &SM;
  const SourceLocation Loc;
};

} // namespace

void FindingReporter::addEdits(const Fix &X, clang::DiagnosticBuilder &Diag) {
  for (const SourceEdit &Edit : X.Edits) {
    SourceLocation Start = locate({Edit.File, 1, 1}, SM);
    if (Start.isInvalid())
      continue;
    SourceLocation Begin = Start.getLocWithOffset(Edit.Offset);
    Diag << clang::FixItHint::CreateReplacement(
        clang::CharSourceRange::getCharRange(
            Begin, Begin.getLocWithOffset(Edit.Length)),
        Edit.Text);
  }
}

/// A comment in the macro that writes the access counts, as one does for checks
/// of clang's AST. Findings have the place of the macro's use alone.
bool FindingReporter::isSuppressedInMacro() {
  return any_of(F.InMacros, [&](const SourcePlace &P) {
    SourceLocation At = locate(P, SM);
    if (At.isInvalid())
      return false;
    Unsaid There(diag(At, DiagnosticIDs::Warning, F.Message));
    SmallVector<clang::tooling::Diagnostic, 1> Unmatched;
    return Context.shouldSuppressDiagnostic(
        clang::DiagnosticsEngine::Warning,
        clang::Diagnostic(&SM.getDiagnostics(), There), Unmatched);
  });
}

std::string FindingReporter::access() {
  std::string Text = F.Message;
  if (Loc.isInvalid() && F.Place.Line)
    Text = formatv("{0}:{1}:{2}: {3}", F.Place.File, F.Place.Line,
                   F.Place.Column, F.Message);
  clang::DiagnosticBuilder Diag =
      diag(Loc,
           F.Level == Severity::Remark ? DiagnosticIDs::Remark
                                       : DiagnosticIDs::Warning,
           Text);
  if (Loc.isInvalid())
    return Text;
  // An expression over several lines is marked on that of the access.
  auto OnLine = [&](const SourcePlace &P) {
    return P.File == F.Place.File && P.Line == F.Place.Line && P.Column;
  };
  if (OnLine(F.Begin) && OnLine(F.End) && F.Begin.Column <= F.Place.Column)
    Diag << clang::CharSourceRange::getCharRange(locate(F.Begin, SM),
                                                 locate(F.End, SM));
  for (const Fix &X : F.Fixes)
    if (X.Safety == FixSafety::Safe)
      addEdits(X, Diag);
  return Text;
}

/// The line filter asks for one line, and an access may stand on several: where
/// another of them is let through, a note there lets the finding through.
void FindingReporter::noteFilteredLine() {
  if (!F.Begin.Line || F.Begin.Line == F.End.Line ||
      F.Begin.File != F.Place.File)
    return;
  const auto &Filter = Context.getGlobalOptions().LineFilter;
  // As clang-tidy matches names.
  auto Of = find_if(Filter, [&](const clang::tidy::FileFilter &File) {
    return StringRef(F.Place.File).ends_with(File.Name);
  });
  if (Of == Filter.end() || Of->LineRanges.empty())
    return;
  auto Passes = [&](unsigned Line) {
    return any_of(Of->LineRanges, [&](const auto &Range) {
      return Range.first <= Line && Line <= Range.second;
    });
  };
  if (Passes(F.Place.Line))
    return;
  for (unsigned Line = F.Begin.Line; Line <= F.End.Line; ++Line)
    if (Passes(Line))
      return note(locate({F.Place.File, Line, 1}, SM),
                  "the access is written here too");
}

std::optional<ReportedFinding> FindingReporter::report() {
  if (Loc.isValid() && (!passesHeaderFilter(Loc, Context.getOptions(), SM) ||
                        isSuppressedInMacro()))
    return std::nullopt;
  std::string Text = access();
  // What has no place of its own stands where the finding does, so that editors
  // show it there; side by side, clang prints the source line once.
  for (const Note &N : F.Notes)
    if (!N.Place.Line)
      note(Loc, N.Message);
  // What a person should look at is text alone: clang-apply-replacements, and
  // with it run-clang-tidy -fix, would also apply the edits of notes.
  for (const Fix &X : F.Fixes) {
    std::string Text = fixSentence(X);
    for (const std::string &Line : X.Diff)
      Text += "\n      | " + Line;
    note(Loc, Text);
  }
  if (F.Level != Severity::Remark)
    note(Loc, severityNote(F));
  for (const Note &N : F.Notes) {
    if (!N.Place.Line)
      continue;
    SourceLocation At = locate(N.Place, SM);
    if (At.isValid())
      note(At, N.Message);
    else
      note(Loc, formatv("{0}:{1}: {2}", N.Place.File, N.Place.Line, N.Message));
  }
  if (Loc.isValid())
    noteFilteredLine();
  return ReportedFinding{Loc, std::move(Text)};
}

void keepOneOfEachFix(std::vector<Finding> &Findings) {
  std::vector<std::vector<SourceEdit>> Seen;
  for (Finding &F : Findings)
    for (Fix &X : F.Fixes) {
      if (is_contained(Seen, X.Edits))
        X.Edits.clear();
      else
        Seen.push_back(X.Edits);
    }
}

std::optional<ReportedFinding>
reportFinding(const Finding &F, clang::tidy::ClangTidyContext &Context,
              clang::SourceManager &SM) {
  return FindingReporter(F, Context, SM).report();
}

} // namespace warplint
