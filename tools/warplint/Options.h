//===- Options.h - What the command line asks for -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_OPTIONS_H
#define WARPLINT_TOOLS_WARPLINT_OPTIONS_H

#include "clang-tidy/ClangTidyOptions.h"
#include "warplint/Pipeline/AnalyseFiles.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

struct ToolOptions {
  enum ActionKind {
    Analyse,
    Serve,
    WriteCommands,
    ListChecks,
    ShowVersion,
    ShowHelp
  };
  enum FormatKind { Text, JSON, SARIF, GitHub, GitLab, Rdjson };
  enum ColorKind { Auto, Always, Never };

  enum BaselineKind { NoBaseline, CheckBaseline, WriteBaseline, PruneBaseline };
  enum AcrossKind { AcrossAuto, AcrossAll, AcrossNone };

  ActionKind Action = Analyse;
  AcrossKind Across = AcrossAuto;
  FormatKind Format = Text;
  /// Further reports and their files.
  std::vector<std::pair<FormatKind, std::string>> Also;
  ColorKind Color = Auto;
  std::vector<std::string> Files; ///< as given
  std::string Database;           ///< -p, or ""
  /// Flags after `--`; nullopt: there is no `--`.
  std::optional<std::vector<std::string>> Flags;
  CommandOptions Command;
  /// What no configuration file can say: the kernel filter, the traces.
  AnalysisOptions Analysis;
  /// What a configuration file could say too; goes before it.
  clang::tidy::ClangTidyOptions Tidy;
  clang::tidy::ClangTidyGlobalOptions TidyGlobal;
  std::string ConfigFile;  ///< --config-file: instead of .clang-tidy; or ""
  std::string ExportFixes; ///< or ""
  bool Fix = false;
  /// Of --diff, "" for HEAD; nullopt: not asked for.
  std::optional<std::string> Diff;
  /// Files are what changed: headers stand for those that include them.
  bool Changed = false;
  std::string Summary; ///< its file, or ""
  BaselineKind BaselineDo = NoBaseline;
  std::string Baseline; ///< its file, or ""
  bool Quiet = false;
  bool Profile = false;
  std::string CommandsTo; ///< folder of --write-compile-commands
  unsigned Threads = 0;   ///< 0: one a core
};

/// Reads the command line, argv[0] left out. Error: one line a mistake.
llvm::Expected<ToolOptions>
parseOptions(llvm::ArrayRef<const char *> Arguments);

void printHelp(llvm::raw_ostream &OS);

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_OPTIONS_H
