//===- Annotations.cpp - Findings in the words of code hosts --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// GitHub's workflow commands, GitLab's code quality report and reviewdog's
/// rdjson. All three say too what could not be analysed: a page that shows
/// nothing must mean that there is nothing.
///
//===----------------------------------------------------------------------===//

#include "Fingerprints.h"
#include "Merge.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Report/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace warplint {

namespace {

/// What could not be analysed.
struct Problem {
  SourcePlace Place; ///< Line 0: the file as a whole
  std::string Text;
};

std::vector<Problem> problemsOf(const RunReport &Run) {
  std::vector<Problem> Found;
  for (const FileReport &File : Run.Files) {
    for (const std::string &Error : File.Errors) {
      auto [Place, Text] = splitPlace(Error);
      if (!Place.Line)
        Place.File = File.File;
      Found.push_back({Place, Text.str()});
    }
    if (File.Status != FileReport::Ok && File.Errors.empty())
      Found.push_back({{File.File, 0, 0}, "the file could not be analysed"});
  }
  for (const AnalysedKernel &K : mergeRun(Run).Kernels)
    if (std::string Text = kernelProblem(K); !Text.empty())
      Found.push_back({K.Place, std::move(Text)});
  return Found;
}

/// https://docs.github.com/actions/reference/workflow-commands-for-github-actions:
/// a line a command, so that line ends and what parts properties are escaped.
std::string escaped(StringRef Text, bool Property) {
  std::string Out;
  for (char C : Text) {
    bool Escape = C == '%' || C == '\r' || C == '\n' ||
                  (Property && (C == ':' || C == ','));
    if (Escape)
      Out += "%" + toHex(StringRef(&C, 1));
    else
      Out += C;
  }
  return Out;
}

} // namespace

void printGitHub(const RunReport &Run, raw_ostream &OS, StringRef Base) {
  auto File = [&](const SourcePlace &P) {
    return escaped(relativeTo(P.File, Base), /*Property=*/true);
  };
  for (const Finding &F : shownFindings(Run)) {
    bool Notice = F.Level == Severity::Remark || F.Level == Severity::Low;
    OS << (Notice ? "::notice" : "::warning") << " file=" << File(F.Place)
       << ",line=" << F.Place.Line;
    if (F.End.Line)
      OS << ",endLine=" << F.End.Line;
    // Columns are shown for one line alone.
    if (F.Place.Column && (!F.End.Line || F.End.Line == F.Place.Line)) {
      OS << ",col=" << F.start().Column;
      if (F.End.Line && F.End.Column > 1)
        OS << ",endColumn=" << F.End.Column - 1;
    }
    OS << ",title=" << escaped(F.Check, true)
       << "::" << escaped(wholeMessage(F), false) << '\n';
  }
  for (const Problem &P : problemsOf(Run)) {
    OS << "::error file=" << File(P.Place);
    if (P.Place.Line)
      OS << ",line=" << P.Place.Line;
    OS << ",title=warplint::" << escaped(P.Text, false) << '\n';
  }
}

static StringRef gitlabSeverity(Severity Level) {
  switch (Level) {
  case Severity::High:
    return "major";
  case Severity::Medium:
  case Severity::Low:
    return "minor";
  case Severity::Remark:
    return "info";
  }
  return "info";
}

void printGitLab(const RunReport &Run, raw_ostream &OS, StringRef Base) {
  SourceLines Source;
  std::vector<Finding> Findings = shownFindings(Run);
  std::vector<std::string> Prints = fingerprints(Findings, Source);
  json::OStream J(OS, /*IndentSize=*/1);
  auto Entry = [&](const SourcePlace &Place, unsigned End, StringRef Check,
                   StringRef Severity, StringRef Text, StringRef Print) {
    J.object([&] {
      J.attribute("description", json::fixUTF8(Text));
      J.attribute("check_name", Check);
      J.attribute("fingerprint", Print);
      J.attribute("severity", Severity);
      J.attributeObject("location", [&] {
        J.attribute("path", json::fixUTF8(relativeTo(Place.File, Base)));
        J.attributeObject("lines", [&] {
          J.attribute("begin", std::max(1u, Place.Line));
          J.attribute("end", std::max({1u, Place.Line, End}));
        });
      });
    });
  };
  J.array([&] {
    for (size_t I = 0; I < Findings.size(); ++I) {
      const Finding &F = Findings[I];
      Entry(F.Place, F.End.Line, F.Check, gitlabSeverity(F.Level),
            wholeMessage(F), Prints[I]);
    }
    for (const Problem &P : problemsOf(Run)) {
      std::string Known = relativeTo(P.Place.File, Base) + "\n" + P.Text;
      Entry(P.Place, 0, "warplint-not-analysed", "blocker", P.Text,
            utohexstr(xxh3_64bits(Known), /*LowerCase=*/true, 16));
    }
  });
  J.flush();
  OS << '\n';
}

static void rdjsonPosition(json::OStream &J, StringRef Key,
                           const SourcePlace &P) {
  J.attributeObject(Key, [&] {
    J.attribute("line", P.Line);
    if (P.Column)
      J.attribute("column", P.Column); // in bytes, as reviewdog counts
  });
}

static void rdjsonRange(json::OStream &J, const SourcePlace &Begin,
                        const SourcePlace &End) {
  J.attributeObject("range", [&] {
    rdjsonPosition(J, "start", Begin);
    if (End.Line)
      rdjsonPosition(J, "end", End);
  });
}

void printRdjson(const RunReport &Run, raw_ostream &OS, StringRef Base) {
  SourceLines Source;
  json::OStream J(OS, /*IndentSize=*/1);
  auto Location = [&](const SourcePlace &Begin, const SourcePlace &End) {
    J.attributeObject("location", [&] {
      J.attribute("path", json::fixUTF8(relativeTo(Begin.File, Base)));
      if (Begin.Line)
        rdjsonRange(J, Begin, End);
    });
  };
  J.object([&] {
    J.attributeObject("source", [&] { J.attribute("name", "warplint"); });
    J.attributeArray("diagnostics", [&] {
      for (const Finding &F : shownFindings(Run))
        J.object([&] {
          J.attribute("message", json::fixUTF8(wholeMessage(F)));
          bool Named = F.Begin.Line && F.End.Line;
          Location(Named ? F.Begin : F.Place, Named ? F.End : SourcePlace());
          bool Info = F.Level == Severity::Remark || F.Level == Severity::Low;
          J.attribute("severity", Info ? "INFO" : "WARNING");
          J.attributeObject("code", [&] { J.attribute("value", F.Check); });
          // A suggestion is one edit in the file of the diagnostic.
          auto Suggestible = [&](const Fix &X) {
            return X.Edits.size() == 1 && X.Edits[0].File == F.Place.File;
          };
          if (none_of(F.Fixes, Suggestible))
            return;
          J.attributeArray("suggestions", [&] {
            for (const Fix &X : make_filter_range(F.Fixes, Suggestible))
              for (const SourceEdit &Edit : X.Edits)
                J.object([&] {
                  rdjsonRange(
                      J, Source.placeAt(Edit.File, Edit.Offset),
                      Source.placeAt(Edit.File, Edit.Offset + Edit.Length));
                  J.attribute("text", json::fixUTF8(Edit.Text));
                });
          });
        });
      for (const Problem &P : problemsOf(Run))
        J.object([&] {
          J.attribute("message", json::fixUTF8(P.Text));
          Location(P.Place, {});
          J.attribute("severity", "ERROR");
          J.attributeObject("code",
                            [&] { J.attribute("value", "not-analysed"); });
        });
    });
  });
  J.flush();
  OS << '\n';
}

} // namespace warplint
