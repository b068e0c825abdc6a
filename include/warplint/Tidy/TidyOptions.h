//===- TidyOptions.h - The options of the checks, as clang-tidy has them --===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CheckOptions of `.clang-tidy` and of the command line. The clang-tidy module
/// and the command line both read them here, which is why one file of options
/// does for both.
///
/// An option is looked for as `CHECK.Name`, then as `warplint.Name`. What a
/// check reports from (MinEfficiency, MinWays, ShowRemarks) is its own. The
/// others belong to the analysis, which is one for all checks: what any enabled
/// check is given counts for all.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TIDY_TIDYOPTIONS_H
#define WARPLINT_TIDY_TIDYOPTIONS_H

#include "clang-tidy/ClangTidyOptions.h"
#include "warplint/Pipeline/AnalyseUnit.h"

namespace clang::tidy {
class ClangTidyContext;
} // namespace clang::tidy

namespace warplint {

/// What stands before the name of an option that is meant for all checks.
inline constexpr llvm::StringLiteral TidyFamily = "warplint";

/// Values as text. nullopt: the text is none; tidyValueWanted() says what is.
std::optional<Dim3> parseBlock(llvm::StringRef Text);
std::optional<double> parseEfficiency(llvm::StringRef Text);
std::optional<unsigned> parseAlignment(llvm::StringRef Text);
std::optional<unsigned> parseWays(llvm::StringRef Text);
std::optional<uint64_t> parseBudget(llvm::StringRef Text);
/// "auto", "none", or arguments for the program.
std::optional<RunChoice> parseRun(llvm::StringRef Text);
std::optional<bool> parseTruth(llvm::StringRef Text);

/// "a percentage from 0 to 100" for MinEfficiency.
llvm::StringRef tidyValueWanted(llvm::StringRef Option);

struct TidyOptions {
  std::string Arch; ///< "": that of the compile command
  AnalysisOptions Analysis;
};

/// Reads the options of \p Context's current file, on top of \p Base. Which
/// checks run is what the context says. A value that is none, and checks that
/// disagree about the analysis, become diagnostics of the configuration.
TidyOptions readTidyOptions(clang::tidy::ClangTidyContext &Context,
                            const AnalysisOptions &Base = {});

/// Asks for every option of \p Check, by which clang-tidy learns their names.
void touchTidyOptions(llvm::StringRef Check,
                      clang::tidy::ClangTidyContext &Context);

/// Writes the values in force of \p Check's options into \p Map.
void storeTidyOptions(llvm::StringRef Check,
                      clang::tidy::ClangTidyContext &Context,
                      clang::tidy::ClangTidyOptions::OptionMap &Map);

/// Sets the option \p Name for all checks, over what they are given themselves.
void overrideTidyOption(clang::tidy::ClangTidyOptions &Options,
                        llvm::StringRef Name, llvm::StringRef Value);

} // namespace warplint

#endif // WARPLINT_TIDY_TIDYOPTIONS_H
