//===- TidyFindings.h - Findings as diagnostics of clang-tidy -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The one place where a finding gets its words, places and order of notes for
/// people: the clang-tidy module and the command line both report through it,
/// and clang-tidy's library does the rest (NOLINT, filters, fixes, printing).
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TIDY_TIDYFINDINGS_H
#define WARPLINT_TIDY_TIDYFINDINGS_H

#include "warplint/Diagnose/Finding.h"
#include "clang/Basic/SourceLocation.h"
#include <optional>

namespace clang {
class SourceManager;
namespace tidy {
class ClangTidyContext;
} // namespace tidy
} // namespace clang

namespace warplint {

/// How a finding was reported: its place, invalid where it has none in a file,
/// and its text.
struct ReportedFinding {
  clang::SourceLocation Loc;
  std::string Text;
};

/// Reports \p F to \p Context. Places are looked up in \p SM, where the main
/// file of the unit is. A finding in a header that the header filter leaves out
/// is not reported, wherever its notes point: nullopt.
std::optional<ReportedFinding>
reportFinding(const Finding &F, clang::tidy::ClangTidyContext &Context,
              clang::SourceManager &SM);

/// Leaves the edits of a fix that several findings carry with the first of
/// them: clang-tidy applies none of two that overlap.
void keepOneOfEachFix(std::vector<Finding> &Findings);

/// "severity high; 100 % of what this kernel spends above the ideal in global
/// memory"
std::string severityNote(const Finding &F);

} // namespace warplint

#endif // WARPLINT_TIDY_TIDYFINDINGS_H
