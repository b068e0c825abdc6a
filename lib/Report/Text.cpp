//===- Text.cpp - The report for a terminal -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merge.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Report/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

namespace {

class TextReport {
public:
  TextReport(bool Color, raw_ostream &OS, StringRef Base)
      : Color(Color), OS(OS), Base(Base) {
    OS.enable_colors(Color);
  }
  void kernelNotAnalysed(const AnalysedKernel &K);
  void fileNotAnalysed(const FileReport &File);
  void summary(size_t Findings, size_t Hidden, size_t Suppressed,
               size_t HeldBack, const Coverage &Counts,
               size_t KernelsNotAnalysed, size_t FilesNotAnalysed);
  void problems(const FileReport &File, bool Quiet);

private:
  void label(StringRef Text, raw_ostream::Colors C);
  void place(const SourcePlace &P);
  void problem(const FileReport &File, StringRef Text, StringRef Kind,
               raw_ostream::Colors C);
  std::string shown(StringRef File) const;

  bool Color;
  raw_ostream &OS;
  StringRef Base;
};

} // namespace

std::string TextReport::shown(StringRef File) const {
  return relativeTo(File, Base);
}

void TextReport::label(StringRef Text, raw_ostream::Colors C) {
  if (Color)
    OS.changeColor(C, /*Bold=*/true);
  OS << Text << ": ";
  if (Color)
    OS.resetColor();
}

void TextReport::place(const SourcePlace &P) {
  if (!P.Line)
    return;
  if (Color)
    OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  OS << shown(P.File) << ':' << P.Line << ':';
  if (P.Column)
    OS << P.Column << ':';
  OS << ' ';
  if (Color)
    OS.resetColor();
}

void TextReport::kernelNotAnalysed(const AnalysedKernel &K) {
  std::string Text = kernelProblem(K);
  if (Text.empty())
    return;
  place(K.Place);
  label("note", raw_ostream::CYAN);
  OS << Text << '\n';
}

static std::string counted(size_t Count, StringRef Noun) {
  return formatv("{0} {1}{2}", Count, Noun,
                 Count == 1            ? ""
                 : Noun.ends_with("s") ? "es"
                                       : "s")
      .str();
}

void TextReport::fileNotAnalysed(const FileReport &File) {
  if (File.Status == FileReport::Ok)
    return;
  OS << shown(File.File) << ": ";
  label("note", raw_ostream::CYAN);
  OS << (File.Status == FileReport::Failed ? "the file could not be analysed"
                                           : "the file was analysed only in "
                                             "part");
  if (!File.Errors.empty())
    OS << " (" << counted(File.Errors.size(), "error") << ')';
  OS << '\n';
}

void TextReport::summary(size_t Findings, size_t Hidden, size_t Suppressed,
                         size_t HeldBack, const Coverage &Counts,
                         size_t KernelsNotAnalysed, size_t FilesNotAnalysed) {
  OS << counted(Findings, "finding");
  if (Hidden)
    OS << ", " << Hidden << " more that caches absorb (--show-absorbed)";
  if (Suppressed)
    OS << ", " << Suppressed << " suppressed";
  if (HeldBack)
    OS << ", " << HeldBack << " held back by the baseline";
  OS << "; " << counted(Counts.Exact + Counts.Range + Counts.Unknown, "access")
     << ": " << Counts.Exact << " exact, " << Counts.Range << " range, "
     << Counts.Unknown << " unknown";
  if (!Counts.UnknownByReason.empty()) {
    StringRef Separator = " (";
    for (const auto &[Reason, Count] : Counts.UnknownByReason) {
      OS << Separator << Reason << ' ' << Count;
      Separator = ", ";
    }
    OS << ')';
  }
  if (KernelsNotAnalysed)
    OS << "; " << counted(KernelsNotAnalysed, "kernel")
       << " not or only partly analysed";
  if (FilesNotAnalysed)
    OS << "; " << counted(FilesNotAnalysed, "file")
       << " not or only partly analysed";
  OS << '\n';
}

void TextReport::problem(const FileReport &File, StringRef Text, StringRef Kind,
                         raw_ostream::Colors C) {
  // "FILE:LINE:COL: message" gets the word where clang has it.
  auto [At, Rest] = splitPlace(Text);
  if (At.Line)
    OS << shown(At.File) << ':' << At.Line << ':' << At.Column << ": ";
  else if (Text.contains(File.File))
    OS << "warplint: ";
  else
    OS << shown(File.File) << ": ";
  label(Kind, C);
  OS << Rest << '\n';
}

void TextReport::problems(const FileReport &File, bool Quiet) {
  for (const std::string &Error : File.Errors)
    problem(File, Error, "error", raw_ostream::RED);
  if (Quiet)
    return;
  for (const std::string &Remark : File.Remarks)
    problem(File, Remark, "remark", raw_ostream::BLUE);
}

void printSummary(const RunReport &Run, bool Color, raw_ostream &OS,
                  StringRef Base, bool Quiet) {
  TextReport Report(Color, OS, Base);
  MergedRun Merged = mergeRun(Run);
  size_t Kernels = 0, Files = 0, Suppressed = 0;
  for (const AnalysedKernel &K : Merged.Kernels) {
    Report.kernelNotAnalysed(K);
    Kernels += !K.Refused.empty() || !K.Incomplete.empty();
  }
  for (const FileReport &File : Run.Files) {
    Report.fileNotAnalysed(File);
    Files += File.Status != FileReport::Ok;
    Suppressed += File.Suppressed;
  }
  if (Quiet)
    return;
  size_t Findings = 0, Hidden = 0;
  for (const Finding &F : mergeFindings(Run)) {
    Findings += F.Shown && F.Level != Severity::Remark;
    Hidden += !F.Shown;
  }
  Report.summary(Findings, Hidden, Suppressed, Run.HeldBack, coverageOf(Merged),
                 Kernels, Files);
}

void printProblems(const RunReport &Run, bool Color, raw_ostream &OS,
                   StringRef Base, bool Quiet) {
  TextReport Report(Color, OS, Base);
  for (const FileReport &File : Run.Files)
    Report.problems(File, Quiet);
}

} // namespace warplint
