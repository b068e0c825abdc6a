//===- AnalyseFiles.cpp - Many jobs, none of which harms another ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Pipeline/AnalyseUnit.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace warplint {

/// Deeply nested code recurses deeply in clang and in LLVM's passes; address
/// space that is not touched costs nothing.
static constexpr unsigned StackBytes = 256u << 20;

static FileReport analyseSafely(const PlannedFile &File,
                                const AnalysisOptions &Options) {
  if (!File.Job)
    return File.Report;
  FileReport Report;
  CrashRecoveryContext Recovery;
  if (!Recovery.RunSafelyOnThread(
          [&] { Report = analyseJob(*File.Job, Options); }, StackBytes)) {
    // What a crash left of the report is not to be trusted.
    Report = FileReport();
    Report.Status = FileReport::Failed;
    Report.Arch = File.Job->Arch;
    Report.Errors.push_back(
        "internal error while analysing '" + File.Job->File +
        "'; please report it with the file and its compile command");
  }
  Report.File = File.Report.File;
  Report.Remarks.insert(Report.Remarks.begin(), File.Report.Remarks.begin(),
                        File.Report.Remarks.end());
  return Report;
}

RunReport analyseFiles(ArrayRef<PlannedFile> Files,
                       const AnalysisOptions &Options, unsigned Threads) {
  CrashRecoveryContext::Enable();
  RunReport Run;
  Run.Files.resize(Files.size());
  {
    DefaultThreadPool Pool(hardware_concurrency(Threads));
    for (size_t I = 0; I < Files.size(); ++I)
      Pool.async([&, I] { Run.Files[I] = analyseSafely(Files[I], Options); });
    Pool.wait();
  }
  CrashRecoveryContext::Disable();
  return Run;
}

} // namespace warplint
