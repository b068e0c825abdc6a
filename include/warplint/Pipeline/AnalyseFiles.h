//===- AnalyseFiles.h - The files of a program, as one program ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_PIPELINE_ANALYSEFILES_H
#define WARPLINT_PIPELINE_ANALYSEFILES_H

#include "warplint/Driver/CompileCommands.h"
#include "warplint/Pipeline/AnalyseUnit.h"
#include <functional>

namespace warplint {

/// A job, or the report of why there is none.
struct PlannedFile {
  std::optional<CompileJob> Job;
  FileReport Report; ///< File, and with a job the remarks it starts with
  AnalysisOptions Options;
};

/// Where launches and callers are looked for that the files to analyse lack.
struct ProgramSearch {
  /// The files to analyse tell each other; off: each is taken by itself.
  bool Link = true;
  /// Further files of the program, absolute. Their text is looked through for
  /// the names asked about; those that have one are parsed.
  std::vector<std::string> Others;
  std::function<llvm::Expected<CompileJob>(llvm::StringRef File)> JobFor;
  /// Ask Others only what may tell a block's shape, the number on which all
  /// others hang; else also values of arguments.
  bool OnlyShapes = false;
};

struct RunPlan {
  std::vector<PlannedFile> Files;
  ProgramSearch Search;
  /// Reports keep their accesses one by one; off: only counted, so that the
  /// memory of a run does not grow with them.
  bool KeepAccesses = true;
};

/// How far a run is.
struct RunState {
  size_t Done = 0, Total = 0; ///< files
  llvm::StringRef File;       ///< the one that was begun last; or ""
};

/// What the caller has to say while a run goes on; all of it is optional and
/// called from the thread of analyseFiles().
struct RunControl {
  /// Every tenth of a second, and when a file is done.
  std::function<void(const RunState &)> Show;
  /// Asked as often; true: the run ends with what is done.
  std::function<bool()> Stops;
  RoomTimes *Times = nullptr;
};

/// analyseJob() for every job, \p Threads at a time (0: one a core), in the
/// order of the files. A job that crashes leaves a report that says so and does
/// not take the others with it. The result does not depend on \p Threads.
///
/// Each file is analysed by itself first. Then what the files (and those found
/// by the search) say to each other is linked, and whoever is told something is
/// analysed again, until nobody is told anything new.
///
/// A run that is stopped leaves its threads behind: Interrupted is set, files
/// without a report are failed ones that say so, and the process must end
/// without waiting for threads, \p Plan and Control.Times alive until then.
RunReport analyseFiles(const RunPlan &Plan, unsigned Threads,
                       const RunControl &Control = {});

} // namespace warplint

#endif // WARPLINT_PIPELINE_ANALYSEFILES_H
