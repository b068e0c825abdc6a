//===- BaselineRun.cpp - A run with a baseline ----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BaselineRun.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {

/// Only some findings of the files analysed are seen.
static bool isFiltered(const ToolOptions &Options) {
  return Options.Changed || !Options.TidyGlobal.LineFilter.empty() ||
         !Options.Analysis.KernelFilter.empty();
}

std::optional<StringRef> repositoryRoot(StringRef Below) {
  for (StringRef Dir = Below; !Dir.empty(); Dir = sys::path::parent_path(Dir)) {
    SmallString<256> Git(Dir);
    sys::path::append(Git, ".git");
    if (sys::fs::exists(Git))
      return Dir;
  }
  return std::nullopt;
}

/// By the baseline's own place: seen from another directory, all its files
/// would be gone, and a copy of any of its lines be known.
static std::string baselineRoot(StringRef Baseline, StringRef Root) {
  SmallString<256> Path(Baseline), Folder;
  sys::fs::make_absolute(Path);
  if (sys::fs::real_path(sys::path::parent_path(Path), Folder))
    return Root.str();
  return repositoryRoot(Folder).value_or(Root).str();
}

Expected<BaselineRun> BaselineRun::create(const ToolOptions &Options) {
  BaselineRun Run(Options);
  if (Options.BaselineDo == ToolOptions::NoBaseline)
    return Run;
  bool Writes = Options.BaselineDo != ToolOptions::CheckBaseline;
  if (Writes && isFiltered(Options))
    return createStringError(
        "a baseline is written from all findings of the "
        "files: leave out --line-filter, --diff, --changed "
        "and --kernel");
  // A first one is written from nothing.
  if (Options.BaselineDo == ToolOptions::WriteBaseline &&
      !sys::fs::exists(Options.Baseline))
    return Run;
  Expected<Baseline> Known = Baseline::load(Options.Baseline);
  if (!Known)
    return Known.takeError();
  Run.Known = std::move(*Known);
  return Run;
}

static std::string counted(size_t Count, StringRef One, StringRef Many) {
  return (Twine(Count) + " " + (Count == 1 ? One : Many)).str();
}

Error BaselineRun::apply(RunReport &Run, TidyRun &Tidy, StringRef Root) const {
  if (Options.BaselineDo == ToolOptions::NoBaseline)
    return Error::success();
  // What an interrupted run did not come to is not fixed.
  StringSet<> Analysed;
  for (const FileReport &File : Run.Files)
    Analysed.insert(File.File);
  BaselineScope Scope{baselineRoot(Options.Baseline, Root),
                      Run.Interrupted || isFiltered(Options),
                      [&](StringRef Check, StringRef File) {
                        return Tidy.isOn(Check, File) &&
                               (Analysed.contains(File) ||
                                Tidy.showsHeader(File, Run));
                      }};
  BaselineMatch Match = Known.match(Run, Scope);
  unsigned Fixed = Match.fixed();
  std::string Name = "warplint: baseline '" + Options.Baseline + "': ";
  if (Options.BaselineDo == ToolOptions::CheckBaseline) {
    if (!Options.Quiet) {
      errs() << Name << counted(Match.heldBack(), "finding", "findings")
             << " held back";
      if (Fixed)
        errs() << ", " << counted(Fixed, "is", "are")
               << " no longer found (--prune-baseline drops what is fixed)";
      errs() << '\n';
    }
  } else if (Run.Interrupted) {
    errs() << Name << "left as it was\n";
  } else {
    bool Prune = Options.BaselineDo == ToolOptions::PruneBaseline;
    Baseline Next = Prune ? Match.pruned() : Match.withNew();
    // In one step, so that it is never half a file; through a link if it is
    // one.
    SmallString<256> Path;
    if (sys::fs::real_path(Options.Baseline, Path))
      Path = Options.Baseline;
    if (Error E = writeToOutput(Path, [&](raw_ostream &OS) {
          Next.print(OS);
          return Error::success();
        }))
      return createStringError("cannot write the baseline '" +
                               Options.Baseline +
                               "': " + toString(std::move(E)));
    Match = Next.match(Run, Scope);
    errs() << Name << "written with "
           << counted(Next.size(), "finding", "findings") << ", " << Fixed
           << " dropped as fixed\n";
  }
  Match.holdBack(Run);
  return Error::success();
}

} // namespace warplint
