//===- Report.h - The result of a run, and its printed forms --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_REPORT_REPORT_H
#define WARPLINT_REPORT_REPORT_H

#include "warplint/Diagnose/Finding.h"
#include "warplint/Machine/MachineModel.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// One input file's outcome.
struct FileReport {
  enum StatusKind { Ok, Partial, Failed } Status = Ok;
  std::string File;
  std::string Arch;
  std::vector<std::string> Errors;  ///< one line each
  std::vector<std::string> Remarks; ///< dropped flags and the like
  std::vector<AnalysedKernel> Kernels;
  std::vector<NamedAccess> Accesses; ///< Kernel indexes Kernels above
  std::vector<Finding> Findings;
};

/// A whole run: files in the order in which they were given, whatever -j was.
struct RunReport {
  std::vector<FileReport> Files;
};

/// Joins findings at one place reached from several files (a header's kernel)
/// into one, keeping order by cost.
std::vector<Finding> mergeFindings(const RunReport &Run);

/// `warplint-report/1`, see docs/report.md. \p Machine: of the first file.
void printJSON(const RunReport &Run, const MachineModel &Machine,
               llvm::raw_ostream &OS);

/// Like clang's diagnostics: file:line:col, caret, notes; then the counts.
/// \p Color: ANSI colours.
void printText(const RunReport &Run, bool Color, llvm::raw_ostream &OS);

} // namespace warplint

#endif // WARPLINT_REPORT_REPORT_H
