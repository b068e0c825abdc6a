//===- TidyRun.h - clang-tidy's library around the analysis ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The analysis of a run is Warplint's own (its commands, many files at a time,
/// a program of several files). What comes before and after is clang-tidy's:
/// the configuration of a file, comments and filters that suppress a finding,
/// the printed report, fixes. docs/clang-tidy.md says why.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_TIDYRUN_H
#define WARPLINT_TOOLS_WARPLINT_TIDYRUN_H

#include "Options.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <set>

namespace warplint {

/// A `.clang-tidy` that cannot be read.
struct BrokenConfig {
  std::string Folder, Why;
};

/// What the configuration says about a file.
struct FileConfig {
  CommandOptions Command;
  AnalysisOptions Analysis;
  std::vector<std::string> Remarks; ///< what is wrong with it
  std::vector<std::string> Errors;  ///< what cannot be read of it
};

class TidyRun {
public:
  /// Error: --config-file cannot be read. \p Options must outlive the run.
  /// Sources are read through \p Files.
  static llvm::Expected<std::unique_ptr<TidyRun>>
  create(const ToolOptions &Options,
         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files =
             llvm::vfs::getRealFileSystem());

  /// From the `.clang-tidy` above \p File (absolute) and the command line.
  FileConfig configOf(llvm::StringRef File);

  /// Whether the configuration of \p File (absolute) has \p Check on.
  bool isOn(llvm::StringRef Check, llvm::StringRef File) {
    Context.setCurrentFile(File);
    return Context.isCheckEnabled(Check);
  }

  /// Whether findings in \p Header pass the header filters of all files of
  /// \p Run.
  bool showsHeader(llvm::StringRef Header, const RunReport &Run);

  /// Takes the findings out that NOLINT comments and filters suppress.
  void suppress(FileReport &Report);

  /// Prints the findings, worst first, in a text report; applies and writes
  /// out fixes as asked. Files below \p Base are shown relative to it. Error:
  /// the fixes cannot be written.
  llvm::Error report(const RunReport &Run, llvm::StringRef Base);

private:
  TidyRun(const ToolOptions &Options,
          std::unique_ptr<clang::tidy::ClangTidyOptionsProvider> Provider,
          std::unique_ptr<std::vector<BrokenConfig>> Broken,
          llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files)
      : Options(Options), Broken(std::move(Broken)),
        Context(std::move(Provider)), Files(std::move(Files)) {}
  std::vector<clang::tidy::ClangTidyError> ranked(const RunReport &Run);

  const ToolOptions &Options;
  std::unique_ptr<std::vector<BrokenConfig>> Broken; ///< Context adds to it
  clang::tidy::ClangTidyContext Context;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  llvm::IntrusiveRefCntPtr<clang::DiagnosticIDs> IDs =
      clang::DiagnosticIDs::create();
  /// What clang-tidy has to say about the NOLINT comments themselves.
  std::vector<clang::tidy::ClangTidyError> AboutComments;
  llvm::StringSet<> KnownComments;
  /// The header filters of a run's files, and what they exclude.
  std::set<std::pair<std::string, std::string>> HeaderFilters;
};

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_TIDYRUN_H
