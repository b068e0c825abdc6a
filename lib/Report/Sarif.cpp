//===- Sarif.cpp - SARIF 2.1.0 --------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// What code scanning services read:
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html. Columns
/// count UTF-16 code units, the format's default.
///
//===----------------------------------------------------------------------===//

#include "CheckPages.h"
#include "Fingerprints.h"
#include "Merge.h"
#include "warplint/Diagnose/Diagnose.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Report/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;

namespace warplint {

namespace {

class SarifReport {
public:
  SarifReport(raw_ostream &OS, StringRef Base)
      : J(OS, /*IndentSize=*/1), Base(Base) {}
  void print(const RunReport &Run);

private:
  void text(StringRef Key, StringRef Value) {
    J.attributeObject(Key, [&] { J.attribute("text", json::fixUTF8(Value)); });
  }
  void artifact(StringRef File) {
    J.attributeObject("artifactLocation",
                      [&] { J.attribute("uri", uriOf(File, Base)); });
  }
  void region(StringRef Key, const SourcePlace &Begin, const SourcePlace &End);
  void location(const SourcePlace &Begin, const SourcePlace &End);
  void rule(const CheckInfo &Check);
  void driver();
  void notification(StringRef Text, StringRef File, StringRef Level);
  void invocation(const RunReport &Run);
  void fix(const Fix &X);
  void result(const Finding &F, StringRef Fingerprint);

  json::OStream J;
  StringRef Base;
  SourceLines Source;
};

/// GitHub sorts by this; severities of ours are about time, never about errors.
StringRef levelOf(Severity Level) {
  switch (Level) {
  case Severity::High:
  case Severity::Medium:
    return "warning";
  case Severity::Low:
  case Severity::Remark:
    return "note";
  }
  return "none";
}

} // namespace

void SarifReport::region(StringRef Key, const SourcePlace &Begin,
                         const SourcePlace &End) {
  J.attributeObject(Key, [&] {
    J.attribute("startLine", std::max(1u, Begin.Line));
    if (Begin.Column)
      J.attribute("startColumn", Source.utf16Column(Begin));
    if (End.Line) {
      J.attribute("endLine", End.Line);
      if (End.Column)
        J.attribute("endColumn", Source.utf16Column(End));
    }
    if (StringRef Line = Source.line(Begin); !Line.empty())
      text("snippet", Line);
  });
}

void SarifReport::location(const SourcePlace &Begin, const SourcePlace &End) {
  J.attributeObject("physicalLocation", [&] {
    artifact(Begin.File);
    region("region", Begin, End);
  });
}

/// "warplint-strided-access" as "strided_access".
static std::string snakeCase(StringRef Check) {
  Check.consume_front("warplint-");
  std::string Name = Check.str();
  llvm::replace(Name, '-', '_');
  return Name;
}

void SarifReport::rule(const CheckInfo &Check) {
  J.object([&] {
    J.attribute("id", Check.Name);
    J.attribute("name", convertToCamelFromSnakeCase(snakeCase(Check.Name),
                                                    /*capitalizeFirst=*/true));
    text("shortDescription", Check.Summary);
    text("fullDescription", Check.Summary);
    StringRef Page = checkPage(Check.Name);
    J.attributeObject("help", [&] {
      J.attribute("text", Page.empty() ? Check.Summary : Page);
      if (!Page.empty())
        J.attribute("markdown", Page);
    });
    J.attributeObject("defaultConfiguration", [&] {
      J.attribute("enabled", Check.OnByDefault);
      J.attribute("level", Check.OnByDefault ? "warning" : "note");
    });
    J.attributeObject("properties", [&] {
      J.attributeArray("tags", [&] {
        J.value("performance");
        J.value("cuda");
      });
      J.attribute("precision", "high");
      J.attribute("problem.severity",
                  Check.OnByDefault ? "warning" : "recommendation");
    });
  });
}

void SarifReport::driver() {
  J.attributeObject("tool", [&] {
    J.attributeObject("driver", [&] {
      J.attribute("name", "Warplint");
      J.attribute("version", toolVersion());
      J.attribute("semanticVersion", toolVersion());
      J.attributeArray("rules", [&] {
        for (const CheckInfo &Check : allChecks())
          rule(Check);
      });
    });
  });
}

void SarifReport::notification(StringRef Text, StringRef File,
                               StringRef Level) {
  auto [Place, Message] = splitPlace(Text);
  if (!Place.Line)
    Place.File = File.str();
  J.object([&] {
    J.attribute("level", Level);
    text("message", Message);
    J.attributeArray("locations", [&] {
      J.object([&] {
        J.attributeObject("physicalLocation", [&] {
          artifact(Place.File);
          if (Place.Line)
            region("region", Place, {});
        });
      });
    });
  });
}

/// A run in which something could not be analysed did not succeed, whatever
/// else it found.
void SarifReport::invocation(const RunReport &Run) {
  J.attributeArray("invocations", [&] {
    J.object([&] {
      J.attribute("executionSuccessful",
                  all_of(Run.Files, [](const FileReport &File) {
                    return File.Status == FileReport::Ok;
                  }));
      J.attributeArray("toolExecutionNotifications", [&] {
        for (const FileReport &File : Run.Files) {
          for (const std::string &Error : File.Errors)
            notification(Error, File.File, "error");
          if (File.Status != FileReport::Ok && File.Errors.empty())
            notification("the file could not be analysed", File.File, "error");
          for (const std::string &Remark : File.Remarks)
            notification(Remark, File.File, "note");
        }
        for (const AnalysedKernel &K : mergeRun(Run).Kernels)
          if (std::string Text = kernelProblem(K); !Text.empty())
            notification(Text, K.Place.File,
                         K.Refused.empty() ? "warning" : "error");
      });
    });
  });
}

void SarifReport::fix(const Fix &X) {
  J.object([&] {
    text("description", X.Verified.empty()
                            ? X.Description
                            : X.Description + " (" + X.Verified + ")");
    std::map<StringRef, std::vector<const SourceEdit *>> ByFile;
    for (const SourceEdit &Edit : X.Edits)
      ByFile[Edit.File].push_back(&Edit);
    J.attributeArray("artifactChanges", [&] {
      for (const auto &[File, Edits] : ByFile)
        J.object([&] {
          artifact(File);
          J.attributeArray("replacements", [&] {
            for (const SourceEdit *Edit : Edits)
              J.object([&] {
                region("deletedRegion", Source.placeAt(File, Edit->Offset),
                       Source.placeAt(File, Edit->Offset + Edit->Length));
                text("insertedContent", Edit->Text);
              });
          });
        });
    });
  });
}

void SarifReport::result(const Finding &F, StringRef Fingerprint) {
  auto Checks = allChecks();
  auto Rule = find_if(
      Checks, [&](const CheckInfo &Check) { return Check.Name == F.Check; });
  J.object([&] {
    J.attribute("ruleId", F.Check);
    if (Rule != Checks.end())
      J.attribute("ruleIndex", Rule - Checks.begin());
    J.attribute("level", levelOf(F.Level));
    text("message", wholeMessage(F));
    J.attributeArray("locations", [&] {
      J.object([&] {
        bool Named = F.Begin.Line && F.End.Line;
        location(Named ? F.Begin : F.Place, Named ? F.End : SourcePlace());
      });
    });
    J.attributeObject("partialFingerprints",
                      [&] { J.attribute("warplint/v1", Fingerprint); });
    J.attributeArray("relatedLocations", [&] {
      unsigned Id = 0;
      for (const Note &N : F.Notes) {
        if (!N.Place.Line)
          continue;
        J.object([&] {
          J.attribute("id", Id++);
          location(N.Place, {});
          text("message", N.Message);
        });
      }
    });
    if (!F.Fixes.empty())
      J.attributeArray("fixes", [&] {
        for (const Fix &X : F.Fixes)
          fix(X);
      });
    J.attributeObject("properties", [&] {
      J.attribute("severity", severityName(F.Level));
      if (!F.Gain)
        return;
      J.attribute("estimatedGain", std::round(100 * F.Gain->Factor) / 100);
      J.attribute("estimateBasis", json::fixUTF8(F.Gain->Basis));
    });
  });
}

void SarifReport::print(const RunReport &Run) {
  std::vector<Finding> Findings = shownFindings(Run);
  std::vector<std::string> Prints = fingerprints(Findings, Source);
  J.object([&] {
    J.attribute("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    J.attribute("version", "2.1.0");
    J.attributeArray("runs", [&] {
      J.object([&] {
        driver();
        invocation(Run);
        J.attribute("columnKind", "utf16CodeUnits");
        J.attributeArray("results", [&] {
          for (size_t I = 0; I < Findings.size(); ++I)
            result(Findings[I], Prints[I]);
        });
      });
    });
  });
  J.flush();
}

void printSARIF(const RunReport &Run, raw_ostream &OS, StringRef Base) {
  SarifReport(OS, Base).print(Run);
  OS << '\n';
}

} // namespace warplint
