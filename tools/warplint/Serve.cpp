//===- Serve.cpp - The command line's analysis behind a language server -===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Serve.h"
#include "Plan.h"
#include "TidyRun.h"
#include "warplint/Lsp/Server.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace warplint {

static RunReport failed(StringRef File, Error Why) {
  RunReport Run;
  FileReport &Report = Run.Files.emplace_back();
  Report.File = File.str();
  Report.Status = FileReport::Failed;
  Report.Errors.push_back(toString(std::move(Why)));
  return Run;
}

static RunReport analyseDocument(const ToolOptions &Given, StringRef File,
                                 DocumentKind Kind,
                                 std::shared_ptr<const UnsavedFiles> Unsaved) {
  if (!sys::fs::exists(File))
    return failed(File, createStringError(
                            "it is not on disk: save it once, after that what "
                            "the editor holds is analysed"));
  ToolOptions Options = Given;
  Options.Files = {File.str()};
  Expected<std::unique_ptr<TidyRun>> Tidy =
      TidyRun::create(Options, readUnsaved(vfs::getRealFileSystem(), Unsaved));
  if (!Tidy)
    return failed(File, Tidy.takeError());
  Expected<RunPlan> Plan = Kind == DocumentKind::Header
                               ? planThroughIncluder(Options, **Tidy, File)
                               : planFiles(Options, **Tidy);
  if (!Plan)
    return failed(File, Plan.takeError());
  for (PlannedFile &Planned : Plan->Files)
    if (Planned.Job)
      Planned.Job->Unsaved = Unsaved;
  if (auto JobFor = std::move(Plan->Search.JobFor))
    Plan->Search.JobFor = [JobFor, Unsaved](StringRef Other) {
      Expected<CompileJob> Job = JobFor(Other);
      if (Job)
        Job->Unsaved = Unsaved;
      return Job;
    };
  // An editor is at work on the same machine.
  constexpr unsigned Threads = 1;
  RunReport Run = analyseFiles(*Plan, Threads);
  for (FileReport &Report : Run.Files)
    (*Tidy)->suppress(Report);
  return Run;
}

int serve(const ToolOptions &Options) {
  if (!Options.Files.empty()) {
    errs() << "warplint: error: --lsp takes no files: the editor opens them\n";
    return 2;
  }
  (void)sys::ChangeStdinToBinary();
  return serveEditor(
      [&Options](StringRef File, DocumentKind Kind,
                 std::shared_ptr<const UnsavedFiles> Unsaved) {
        return analyseDocument(Options, File, Kind, std::move(Unsaved));
      },
      stdin, outs());
}

} // namespace warplint
