//===- Markdown.cpp - The summary of a job's page -------------------------===//
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
#include <array>
#include <set>

using namespace llvm;

namespace warplint {

namespace {

/// Tables as GitHub and GitLab read them (a row a line).
class MarkdownSummary {
public:
  MarkdownSummary(const RunReport &Run, raw_ostream &OS, StringRef Base)
      : Run(Run), Merged(mergeRun(Run)), Findings(shownFindings(Run)), OS(OS),
        Base(Base) {}
  void print();

private:
  void counts();
  void accesses();
  void byCheck();
  void worst();
  void notAnalysed();
  std::string place(const SourcePlace &P) const;

  const RunReport &Run;
  MergedRun Merged;
  std::vector<Finding> Findings; ///< worst first
  raw_ostream &OS;
  StringRef Base;
};

/// Text that is no markup, on one line.
std::string plain(StringRef Text) {
  std::string Out;
  for (char C : Text) {
    if (StringRef("\\`*_[]<>|~&#@$").contains(C))
      Out += '\\';
    Out += C == '\n' || C == '\r' ? ' ' : C;
  }
  return Out;
}

} // namespace

std::string MarkdownSummary::place(const SourcePlace &P) const {
  std::string Text = relativeTo(P.File, Base);
  if (P.Line)
    Text += ":" + std::to_string(P.Line);
  return plain(Text);
}

void MarkdownSummary::counts() {
  size_t Files = 0, Kernels = 0, Suppressed = 0, Shown = 0;
  for (const FileReport &File : Run.Files) {
    Files += File.Status == FileReport::Ok;
    Suppressed += File.Suppressed;
  }
  for (const AnalysedKernel &K : Merged.Kernels)
    Kernels += kernelProblem(K).empty();
  Shown = count_if(
      Findings, [](const Finding &F) { return F.Level != Severity::Remark; });
  auto Row = [&](StringRef What, size_t Whole, size_t All) {
    OS << "| " << What << " | " << Whole;
    if (All != Whole)
      OS << ", and " << All - Whole << " not or only partly";
    OS << " |\n";
  };
  OS << "## Warplint: " << Shown << (Shown == 1 ? " finding" : " findings")
     << "\n\n| analysed | |\n|---|---|\n";
  Row("files", Files, Run.Files.size());
  Row("kernels", Kernels, Merged.Kernels.size());
  if (Suppressed)
    OS << "| findings suppressed | " << Suppressed << " |\n";
  if (Run.HeldBack)
    OS << "| findings held back by the baseline | " << Run.HeldBack << " |\n";
}

void MarkdownSummary::accesses() {
  std::set<MemorySpace> Spaces{MemorySpace::Global, MemorySpace::Shared};
  for (const AccessCounts &Counts : Merged.Counts)
    for (const auto &[Space, Of] : Counts.Spaces)
      Spaces.insert(Space);
  OS << "\n| accesses | exact | range | unknown | why unknown |\n"
        "|---|--:|--:|--:|---|\n";
  for (MemorySpace Space : Spaces) {
    Coverage Counts = coverageOf(Merged, Space);
    OS << "| " << spaceName(Space) << " | " << Counts.Exact << " | "
       << Counts.Range << " | " << Counts.Unknown << " |";
    StringRef Separator = " ";
    for (const auto &[Reason, Count] : Counts.UnknownByReason) {
      OS << Separator << Reason << ' ' << Count;
      Separator = ", ";
    }
    OS << " |\n";
  }
}

void MarkdownSummary::byCheck() {
  std::map<std::string, std::array<unsigned, 4>> Counts;
  for (const Finding &F : Findings)
    ++Counts[F.Check][unsigned(F.Level)];
  if (Counts.empty())
    return;
  OS << "\n| check |";
  constexpr Severity Levels[] = {Severity::High, Severity::Medium,
                                 Severity::Low, Severity::Remark};
  for (Severity Level : Levels)
    OS << ' ' << severityName(Level) << " |";
  OS << "\n|---|--:|--:|--:|--:|\n";
  for (const auto &[Check, Its] : Counts) {
    OS << "| " << Check << " |";
    for (Severity Level : Levels)
      OS << ' ' << Its[unsigned(Level)] << " |";
    OS << '\n';
  }
}

void MarkdownSummary::worst() {
  constexpr size_t Most = 5;
  if (Findings.empty())
    return;
  OS << "\n| worst | severity | |\n|---|---|---|\n";
  for (const Finding &F : ArrayRef(Findings).take_front(Most))
    OS << "| " << place(F.Place) << " | " << severityName(F.Level) << " | "
       << plain(F.Message) << " |\n";
}

void MarkdownSummary::notAnalysed() {
  std::vector<std::pair<std::string, std::string>> Rows;
  for (const FileReport &File : Run.Files) {
    if (File.Status == FileReport::Ok)
      continue;
    std::string Why =
        File.Status == FileReport::Partial ? "only in part" : "not at all";
    if (!File.Errors.empty()) {
      auto [At, Text] = splitPlace(File.Errors.front());
      Why += ": " + plain(Text);
      if (At.Line)
        Why += " (" + place(At) + ")";
      if (size_t More = File.Errors.size() - 1)
        Why += ", and " + std::to_string(More) +
               (More == 1 ? " more error" : " more errors");
    }
    Rows.push_back({place({File.File, 0, 0}), std::move(Why)});
  }
  for (const AnalysedKernel &K : Merged.Kernels)
    if (std::string Text = kernelProblem(K); !Text.empty())
      Rows.push_back({place(K.Place), plain(Text)});
  if (Rows.empty())
    return;
  OS << "\n| not or only partly analysed | |\n|---|---|\n";
  for (const auto &[Where, Why] : Rows)
    OS << "| " << Where << " | " << Why << " |\n";
}

void MarkdownSummary::print() {
  counts();
  accesses();
  byCheck();
  worst();
  notAnalysed();
}

void printMarkdown(const RunReport &Run, raw_ostream &OS, StringRef Base) {
  MarkdownSummary(Run, OS, Base).print();
}

} // namespace warplint
