//===- AnalyseUnit.h - An ASTContext in, a report out ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Strings the rooms together in the order of the data. The command line and
/// the clang-tidy module both call this, which is why they print the same.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_PIPELINE_ANALYSEUNIT_H
#define WARPLINT_PIPELINE_ANALYSEUNIT_H

#include "warplint/Diagnose/Diagnose.h"
#include "warplint/Driver/CompileCommands.h"
#include "warplint/Launch/LaunchSites.h"
#include "warplint/Pipeline/RoomTimes.h"
#include "warplint/Report/Report.h"
#include "warplint/Warp/SymbolicWarp.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
class Preprocessor;
} // namespace clang

namespace warplint {

/// How the program is run; nullopt: as what lies beside its files says.
using RunChoice = std::optional<std::vector<RunCommand>>;

struct AnalysisOptions {
  LaunchDefaults Launch;
  RunChoice Runs;
  DiagnoseOptions Diagnose;
  /// Bytes to which pointers are aligned of which the program tells nothing;
  /// 0: as cudaMalloc aligns.
  unsigned AssumedAlignment = 0;
  /// Only kernels whose demangled name contains this; "": all.
  std::string KernelFilter;
  /// Only kernels with these mangled names; null: all.
  const llvm::StringSet<> *OnlyKernels = nullptr;
  /// Accesses to shared memory say how far they reach, kernels which no lane
  /// comes to.
  bool KeepReach = false;
  /// Findings that an edit removes get it, verified by another run.
  bool OfferFixes = true;
  /// Of one kernel configuration, see WarpOptions; WorkLedger shares it out.
  uint64_t WorkBudget = DefaultWorkBudget;
  /// FileReport::Trace receives the engine's requests (--print-requests), the
  /// prepared IR (--print-ir) or the launch configurations (--print-launches).
  bool TraceRequests = false;
  bool PrintIR = false;
  bool PrintLaunches = false;
  RoomTimes *Times = nullptr; ///< charged; null: nobody asks
  bool printsTrace() const { return TraceRequests || PrintIR || PrintLaunches; }
};

/// What a unit hears from the others of its program, and tells them.
struct UnitLink {
  const UnitImports *Imports = nullptr; ///< null: nothing
  UnitExports *Exports = nullptr;       ///< filled; null: not wanted
  /// All of Exports is wanted, not only what it asks and defines.
  bool ExportAll = false;
  /// Parses one more file of the program that mentions one of \p Names, if
  /// there is one that it was not asked for yet, and calls back; null: the unit
  /// is all there is.
  std::function<void(const llvm::StringSet<> &Names,
                     llvm::function_ref<void(clang::ASTContext &)>)>
      Read;
  /// Kernels whose configurations are known; null: none. Others are found.
  const std::vector<AnalysedKernel> *Known = nullptr;
};

/// Analyses the kernels of a parsed device pass. \p Arch: "sm_90".
/// Fills all of a FileReport but File and Errors of parsing.
llvm::Expected<FileReport> analyseUnit(clang::ASTContext &Ctx,
                                       clang::Preprocessor &PP,
                                       llvm::StringRef Arch,
                                       const AnalysisOptions &Options,
                                       const UnitLink &Link = {});

/// Parses and analyses one job; never fails: what went wrong is in the
/// report's status and errors.
FileReport analyseJob(const CompileJob &Job, const AnalysisOptions &Options,
                      const UnitLink &Link = {});

/// Parses \p Job, of CUDA or of the host, for what its host code says to other
/// units; no kernel is analysed. What does not parse says nothing.
UnitExports surveyJob(const CompileJob &Job, const UnitImports *Imports,
                      const RunChoice &Runs, RoomTimes *Times = nullptr);

} // namespace warplint

#endif // WARPLINT_PIPELINE_ANALYSEUNIT_H
