//===- Report.h - The result of a run, and its printed forms --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a run over files gave, and its printed forms. Output depends on the
/// data alone: neither on the order in which files were finished nor on the
/// terminal, unless colour is asked for.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_REPORT_REPORT_H
#define WARPLINT_REPORT_REPORT_H

#include "warplint/Diagnose/Finding.h"
#include "warplint/Machine/MachineModel.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace warplint {

/// The accesses of one kernel configuration, counted.
struct AccessCounts {
  struct OfSpace {
    unsigned Exact = 0, Range = 0;
    std::map<UnknownReason, unsigned> Unknown;
  };
  std::map<MemorySpace, OfSpace> Spaces;
  /// Of what is said about each: the same for two files that saw the same.
  uint64_t Digest = 0;
};

/// One input file's outcome.
struct FileReport {
  enum StatusKind { Ok, Partial, Failed } Status = Ok;
  std::string File;
  std::string Arch;
  std::vector<std::string> Errors;  ///< one line each
  std::vector<std::string> Remarks; ///< dropped flags and the like
  std::vector<AnalysedKernel> Kernels;
  std::vector<NamedAccess> Accesses; ///< Kernel indexes Kernels above
  /// By kernel and configuration, of accesses that were not kept.
  std::map<std::pair<unsigned, unsigned>, AccessCounts> Counts;
  std::vector<Finding> Findings;
  double Seconds = 0;      ///< by the clock, all runs over it together
  unsigned Suppressed = 0; ///< findings that comments and filters took out
  /// What --print-requests and --print-ir ask for, in the order in which the
  /// engine wrote it.
  std::string Trace;
};

/// A whole run: files in the order in which they were given, whatever -j was.
struct RunReport {
  std::vector<FileReport> Files;
  unsigned HeldBack = 0;    ///< findings that a baseline took out
  bool Interrupted = false; ///< somebody stopped it before it was done
};

/// Replaces the accesses by their counts; the JSON report alone lists them.
void dropAccesses(FileReport &File);

/// "0.1.0".
llvm::StringRef toolVersion();

/// Joins findings at one place reached from several files (a header's kernel)
/// into one, keeping order by cost.
std::vector<Finding> mergeFindings(const RunReport &Run);
/// Of these, those that are shown: all but the JSON report's.
std::vector<Finding> shownFindings(const RunReport &Run);

/// "kernel 'f' could not be analysed: ...", or only in part; "" where it was.
std::string kernelProblem(const AnalysedKernel &K);

/// `warplint-report/1`, see docs/report.md. \p Machine: of the first file.
void printJSON(const RunReport &Run, const MachineModel &Machine,
               llvm::raw_ostream &OS);

/// What a terminal shows below the findings: what could not be analysed and the
/// counts. \p Color: ANSI colours. Places below \p Base (an absolute directory,
/// or "") are shown relative to it. \p Quiet: no counts.
void printSummary(const RunReport &Run, bool Color, llvm::raw_ostream &OS,
                  llvm::StringRef Base = "", bool Quiet = false);

/// SARIF 2.1.0, with all that GitHub's code scanning asks for. Places below
/// \p Base (an absolute directory, the repository's root) become relative URIs.
void printSARIF(const RunReport &Run, llvm::raw_ostream &OS,
                llvm::StringRef Base);

/// GitHub's workflow commands, one a finding; they show as annotations of a
/// pull request. \p Base as above.
void printGitHub(const RunReport &Run, llvm::raw_ostream &OS,
                 llvm::StringRef Base);

/// GitLab's code quality report (a JSON array). \p Base as above.
void printGitLab(const RunReport &Run, llvm::raw_ostream &OS,
                 llvm::StringRef Base);

/// reviewdog's rdjson. \p Base as above.
void printRdjson(const RunReport &Run, llvm::raw_ostream &OS,
                 llvm::StringRef Base);

/// The counts of a run, its worst findings and what could not be analysed, as
/// Markdown tables for a job's page. \p Base as above.
void printMarkdown(const RunReport &Run, llvm::raw_ostream &OS,
                   llvm::StringRef Base);

/// The errors and remarks of the files, one line each, for a terminal beside
/// the report. \p Quiet: errors alone.
void printProblems(const RunReport &Run, bool Color, llvm::raw_ostream &OS,
                   llvm::StringRef Base = "", bool Quiet = false);

} // namespace warplint

#endif // WARPLINT_REPORT_REPORT_H
