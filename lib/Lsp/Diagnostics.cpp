//===- Diagnostics.cpp - A report as the diagnostics of its files -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Report/Paths.h"
#include "warplint/Tidy/TidyFindings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {

namespace {
/// llvm::lsp::Diagnostic with what it has not. Its own related places become
/// JSON that does not own its strings.
struct Diagnosis : lsp::Diagnostic {
  json::Array Related;
  std::string Check; ///< or ""
};
} // namespace

/// Adds what stands at another place: a link where the editor follows them,
/// else a line of the message.
static void addRelated(Diagnosis &D, const SourcePlace &Place,
                       const std::string &Message, SourceTexts &Texts,
                       const Client &Editor) {
  std::optional<lsp::URIForFile> Uri = Texts.uri(Place.File);
  if (!Uri || !Editor.RelatedInformation) {
    D.message += formatv("\n{0}:{1}: {2}", Place.File, Place.Line, Message);
    return;
  }
  D.Related.push_back(json::Object{
      {"location", json::Object{{"uri", Uri->uri().str()},
                                {"range", toJSON(Texts.range(Place, {}, {}))}}},
      {"message", json::fixUTF8(Message)}});
}

static json::Value toValue(Diagnosis D) {
  D.source = "warplint";
  D.message = json::fixUTF8(D.message);
  json::Value Value = toJSON(D);
  json::Object &Members = *Value.getAsObject();
  if (!D.Check.empty())
    Members["code"] = D.Check;
  if (!D.Related.empty())
    Members["relatedInformation"] = std::move(D.Related);
  return Value;
}

json::Value diagnosticOf(const Finding &F, SourceTexts &Texts,
                         const Client &Editor) {
  Diagnosis D;
  D.Check = F.Check;
  D.range = Texts.range(F.Place, F.Begin, F.End);
  D.severity = F.Level == Severity::Remark
                   ? lsp::DiagnosticSeverity::Information
                   : lsp::DiagnosticSeverity::Warning;
  D.message = F.Message;
  for (const Note &N : F.Notes)
    if (!N.Place.Line)
      D.message += "\n" + N.Message;
  for (const Fix &X : F.Fixes)
    D.message += "\n" + fixSentence(X);
  if (F.Level != Severity::Remark)
    D.message += "\n" + severityNote(F);
  for (const Note &N : F.Notes)
    if (N.Place.Line)
      addRelated(D, N.Place, N.Message, Texts, Editor);
  return toValue(std::move(D));
}

/// "FILE:LINE:COL: message", with the file as reports spell it; line 0 where
/// there is no such file.
static std::pair<SourcePlace, std::string> placeOfError(StringRef Error) {
  auto [Place, Message] = splitPlace(Error);
  SmallString<256> Real;
  if (!Place.Line || !sys::path::is_absolute(Place.File) ||
      sys::fs::real_path(Place.File, Real))
    return {SourcePlace(), Error.str()};
  Place.File = std::string(Real);
  return {Place, Message.str()};
}

static Diagnosis notAnalysed(const FileReport &Report, StringRef File,
                             SourceTexts &Texts, const Client &Editor) {
  Diagnosis D;
  D.severity = lsp::DiagnosticSeverity::Error;
  bool Failed = Report.Status == FileReport::Failed;
  D.message = Failed ? "this file could not be analysed"
                     : "this file was analysed only in part";
  if (!Report.Errors.empty()) {
    auto [Place, Message] = placeOfError(Report.Errors.front());
    D.message += ": " + Message;
    if (size_t More = Report.Errors.size() - 1)
      D.message +=
          formatv(" (and {0} more error{1})", More, More == 1 ? "" : "s");
    if (Place.Line && Place.File == File)
      D.range = Texts.range(Place, {}, {});
    else if (Place.Line)
      addRelated(D, Place, "the first error is here", Texts, Editor);
  }
  // Such as that there is no compile command: most often the reason.
  if (Failed)
    for (const std::string &Remark : Report.Remarks)
      D.message += "\n" + Remark;
  return D;
}

std::map<std::string, json::Array>
diagnosticsOf(const Analysis &A, StringRef File, const Client &Editor) {
  SourceTexts Texts(A.Texts, Editor.Unit);
  std::map<std::string, json::Array> ByFile;
  json::Array &Own = ByFile[File.str()];
  for (const FileReport &Report : A.Run.Files) {
    bool Said = false;
    for (const AnalysedKernel &K : Report.Kernels) {
      std::string Problem = kernelProblem(K);
      if (Problem.empty())
        continue;
      Diagnosis D;
      D.severity = lsp::DiagnosticSeverity::Warning;
      D.message = std::move(Problem);
      D.range = Texts.range(K.Place, {}, {});
      json::Value Value = toValue(std::move(D));
      json::Array &There = K.Place.File.empty() ? Own : ByFile[K.Place.File];
      if (!is_contained(There, Value))
        There.push_back(std::move(Value));
      Said = true;
    }
    // A refused kernel alone makes a report partial, and was just named.
    if (Report.Status == FileReport::Ok ||
        (Report.Status == FileReport::Partial && Report.Errors.empty() && Said))
      continue;
    json::Value Value = toValue(notAnalysed(Report, File, Texts, Editor));
    if (!is_contained(Own, Value))
      Own.push_back(std::move(Value));
  }
  for (const Finding &F : A.Findings)
    (F.Place.File.empty() ? Own : ByFile[F.Place.File])
        .push_back(diagnosticOf(F, Texts, Editor));
  return ByFile;
}

/// The edits as a WorkspaceEdit; nullopt where a file cannot be named.
static std::optional<json::Value> workspaceEdit(ArrayRef<SourceEdit> Edits,
                                                const OpenTexts &Open,
                                                SourceTexts &Texts,
                                                const Client &Editor) {
  std::map<std::string, std::vector<lsp::TextEdit>> ByFile;
  for (const SourceEdit &E : Edits)
    ByFile[E.File].push_back(
        {Texts.range(E.File, E.Offset, E.Length), json::fixUTF8(E.Text)});
  json::Object Changes;
  json::Array DocumentChanges;
  for (auto &[File, OfFile] : ByFile) {
    std::optional<lsp::URIForFile> Uri = Texts.uri(File);
    if (!Uri)
      return std::nullopt;
    auto Document = Open.find(File);
    json::Value Version = nullptr;
    if (Document != Open.end())
      Version = Document->second->Version;
    DocumentChanges.push_back(json::Object{
        {"textDocument", json::Object{{"uri", Uri->uri().str()},
                                      {"version", std::move(Version)}}},
        {"edits", json::Array(OfFile)}});
    Changes[Uri->uri().str()] = json::Array(OfFile);
  }
  if (Editor.VersionedEdits)
    return json::Object{{"documentChanges", std::move(DocumentChanges)}};
  return json::Object{{"changes", std::move(Changes)}};
}

static bool touches(const lsp::Range &A, const lsp::Range &B) {
  return A.start <= B.end && B.start <= A.end;
}

json::Array actionsAt(const Analysis &A, StringRef File,
                      const lsp::Range &Where, const Client &Editor) {
  SourceTexts Texts(A.Texts, Editor.Unit);
  // Several findings may carry one fix; it is one action then.
  std::vector<std::pair<const Fix *, json::Array>> Fixes;
  for (const Finding &F : A.Findings) {
    if (F.Place.File != File ||
        !touches(Texts.range(F.Place, F.Begin, F.End), Where))
      continue;
    for (const Fix &X : F.Fixes) {
      if (X.Edits.empty())
        continue;
      auto At = find_if(Fixes, [&](const auto &Known) {
        return Known.first->Edits == X.Edits;
      });
      if (At == Fixes.end())
        At = Fixes.insert(At, {&X, json::Array()});
      At->second.push_back(diagnosticOf(F, Texts, Editor));
    }
  }
  json::Array Actions;
  for (auto &[X, Diagnostics] : Fixes) {
    std::optional<json::Value> Edit =
        workspaceEdit(X->Edits, A.Texts, Texts, Editor);
    if (!Edit)
      continue;
    Actions.push_back(json::Object{
        {"title",
         json::fixUTF8(
             X->Description + " (verified: " + X->Verified +
             (X->Safety == FixSafety::Safe ? ")" : "; to be reviewed)"))},
        {"kind", "quickfix"},
        {"diagnostics", std::move(Diagnostics)},
        {"isPreferred", X->Safety == FixSafety::Safe},
        {"edit", std::move(*Edit)}});
  }
  return Actions;
}

} // namespace warplint
