//===- Main.cpp - The command line of Warplint ----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BaselineRun.h"
#include "Changes.h"
#include "Options.h"
#include "Plan.h"
#include "Progress.h"
#include "Serve.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace warplint;

namespace {

/// The last is what a shell says of a program that Ctrl-C ended: 128 + 2.
enum ExitStatus {
  Clean = 0,
  HasFindings = 1,
  CouldNotDoIt = 2,
  Interrupted = 130
};

int failWith(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Info) {
    errs() << "warplint: error: " << Info.message() << '\n';
  });
  return CouldNotDoIt;
}

void listChecks() {
  for (const CheckInfo &Check : allChecks())
    outs() << (Check.OnByDefault ? "* " : "  ") << Check.Name << "\n    "
           << Check.Summary << '\n';
}

bool useColor(const ToolOptions &Options, const raw_fd_ostream &OS) {
  return Options.Tidy.UseColor.value_or(OS.has_colors());
}

MachineModel machineOf(const RunReport &Run, const ToolOptions &Options) {
  // A run in which no file came to have an architecture still names one.
  std::string Arch =
      Options.Command.Arch.empty() ? "sm_90" : Options.Command.Arch;
  for (const FileReport &File : Run.Files)
    if (!File.Arch.empty()) {
      Arch = File.Arch;
      break;
    }
  return cantFail(MachineModel::forArch(Arch));
}

ExitStatus statusOf(const RunReport &Run) {
  if (Run.Interrupted)
    return Interrupted;
  if (any_of(Run.Files, [](const FileReport &File) {
        return File.Status != FileReport::Ok;
      }))
    return CouldNotDoIt;
  bool Found = any_of(Run.Files, [](const FileReport &File) {
    return any_of(File.Findings, [](const Finding &F) {
      return F.Shown && F.Level != Severity::Remark;
    });
  });
  return Found ? HasFindings : Clean;
}

/// Into the file that is there, if one is: a link, a pipe, somebody else's.
bool writeFile(StringRef File, function_ref<void(raw_ostream &)> Print) {
  std::error_code EC;
  raw_fd_ostream OS(File, EC, sys::fs::OF_Text);
  if (!EC) {
    Print(OS);
    OS.flush();
    EC = OS.error();
    OS.clear_error();
  }
  if (!EC)
    return true;
  failWith(createStringError("cannot write '" + File + "': " + EC.message()));
  return false;
}

/// analyseFiles(), which says meanwhile how it is doing and can be stopped.
RunReport analyseShown(const RunPlan &Plan, const ToolOptions &Options,
                       RoomTimes &Times) {
  catchInterrupts();
  ProgressLine Line(!Options.Quiet);
  RunControl Control;
  Control.Times = &Times;
  Control.Stops = wasInterrupted;
  Control.Show = [&](const RunState &State) { Line.show(State); };
  RunReport Run = analyseFiles(Plan, Options.Threads, Control);
  Line.clear();
  if (Run.Interrupted)
    errs() << "warplint: interrupted; this is what was done until then\n";
  return Run;
}

/// Whether --kernel names none: a mistake in the command, not a clean run.
bool missedKernel(const RunReport &Run, const ToolOptions &Options) {
  return !Options.Analysis.KernelFilter.empty() && !Run.Interrupted &&
         !Run.Files.empty() && all_of(Run.Files, [](const FileReport &File) {
           return File.Status == FileReport::Ok && File.Kernels.empty();
         });
}

int report(RunReport &Run, const ToolOptions &Options, TidyRun &Tidy,
           const BaselineRun &Known, StringRef Base) {
  for (FileReport &File : Run.Files)
    Tidy.suppress(File);
  // What code hosts take paths relative to.
  StringRef Root = repositoryRoot(Base).value_or(Base);
  bool Written = true;
  if (Error E = Known.apply(Run, Tidy, Root)) {
    failWith(std::move(E));
    Written = false;
  }
  printProblems(Run, useColor(Options, errs()), errs(), Base, Options.Quiet);
  ExitStatus Status = statusOf(Run);
  if (missedKernel(Run, Options)) {
    failWith(createStringError(
        "no kernel's name contains '" + Options.Analysis.KernelFilter +
        "': give --kernel= a part of a name in the files analysed"));
    Status = CouldNotDoIt;
  }
  if (Options.Analysis.printsTrace()) {
    for (const FileReport &File : Run.Files)
      outs() << File.Trace;
    // What was asked for was printed; findings were not the question.
    return Status == HasFindings ? Clean : Status;
  }
  auto Print = [&](ToolOptions::FormatKind Form, raw_ostream &OS) {
    switch (Form) {
    case ToolOptions::Text:
      break; // by report() below
    case ToolOptions::JSON:
      return printJSON(Run, machineOf(Run, Options), OS);
    case ToolOptions::SARIF:
      return printSARIF(Run, OS, Root);
    case ToolOptions::GitHub:
      return printGitHub(Run, OS, Root);
    case ToolOptions::GitLab:
      return printGitLab(Run, OS, Root);
    case ToolOptions::Rdjson:
      return printRdjson(Run, OS, Root);
    }
  };
  Print(Options.Format, outs());
  for (const auto &[Form, File] : Options.Also)
    Written &=
        writeFile(File, [&, Form = Form](raw_ostream &OS) { Print(Form, OS); });
  if (!Options.Summary.empty())
    Written &= writeFile(Options.Summary, [&](raw_ostream &OS) {
      printMarkdown(Run, OS, Root);
    });
  if (!Written && !Run.Interrupted)
    Status = CouldNotDoIt;
  if (Error E = Tidy.report(Run, Base)) {
    failWith(std::move(E));
    Status = Run.Interrupted ? Interrupted : CouldNotDoIt;
  }
  if (Options.Format == ToolOptions::Text)
    printSummary(Run, useColor(Options, outs()), outs(), Base, Options.Quiet);
  return Status;
}

bool isPrintedAs(ToolOptions::FormatKind Form, const ToolOptions &Options) {
  return Options.Format == Form || any_of(Options.Also, [&](const auto &Also) {
           return Also.first == Form;
         });
}

int analyse(ToolOptions Options) {
  auto Start = RoomTimes::Clock::now();
  if (Error E = narrowToChanges(Options))
    return failWith(std::move(E));
  Expected<std::unique_ptr<TidyRun>> Tidy = TidyRun::create(Options);
  if (!Tidy)
    return failWith(Tidy.takeError());
  Expected<RunPlan> Plan = planFiles(Options, **Tidy);
  if (!Plan)
    return failWith(Plan.takeError());
  Plan->KeepAccesses = isPrintedAs(ToolOptions::JSON, Options);
  Expected<BaselineRun> Known = BaselineRun::create(Options);
  if (!Known)
    return failWith(Known.takeError());
  // A run that was interrupted leaves threads that use it.
  static RoomTimes Times;
  static RunPlan Running;
  Running = std::move(*Plan);
  RunReport Run = analyseShown(Running, Options, Times);
  SmallString<256> Base;
  if (sys::fs::real_path(".", Base))
    Base.clear();
  int Status;
  {
    StageTimer Timer(&Times, Stage::Report);
    Status = report(Run, Options, **Tidy, *Known, Base);
  }
  if (Options.Profile)
    printProfile(
        Run, Times,
        std::chrono::duration<double>(RoomTimes::Clock::now() - Start).count(),
        errs(), Base);
  return Status;
}

int writeCommands(const ToolOptions &Options) {
  if (Error E = writeCompileCommands(Options))
    return failWith(std::move(E));
  return Clean;
}

int run(int argc, char **argv) {
  Expected<ToolOptions> Options =
      parseOptions(ArrayRef<const char *>(argv, argc).drop_front());
  if (!Options)
    return failWith(Options.takeError());
  switch (Options->Action) {
  case ToolOptions::ListChecks:
    listChecks();
    return Clean;
  case ToolOptions::ShowVersion:
    outs() << "warplint " << toolVersion() << '\n';
    return Clean;
  case ToolOptions::ShowHelp:
    printHelp(outs());
    return Clean;
  case ToolOptions::Analyse:
    return analyse(*Options);
  case ToolOptions::Serve:
    return serve(*Options);
  case ToolOptions::WriteCommands:
    return writeCommands(*Options);
  }
  return CouldNotDoIt;
}

} // namespace

int main(int argc, char **argv) {
  // A file that is opened must not become the standard output that is closed.
  (void)sys::Process::FixupStandardFileDescriptors();
  IgnoredSignals Ignored;
  InitLLVM Init(argc, argv);
  Ignored.restore();
  int Status = run(argc, argv);
  outs().flush();
  if (std::error_code EC = outs().error()) {
    errs() << "warplint: error: cannot write the report: " << EC.message()
           << '\n';
    outs().clear_error();
    Status = CouldNotDoIt;
  }
  // A job that crashed has left LLVM's global lists pointing into its dead
  // stack; tearing them down would crash again, after all is said.
  sys::Process::Exit(Status, /*NoCleanup=*/true);
}
