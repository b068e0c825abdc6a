//===- Options.cpp - What the command line asks for -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "warplint/Tidy/TidyOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;

namespace warplint {

namespace {

enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

constexpr OptTable::Info Infos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

class ToolOptTable : public GenericOptTable {
public:
  ToolOptTable()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, Infos) {}
};

Error wrongValue(const Arg &A, const Twine &Wanted) {
  return createStringError("'" + Twine(A.getValue()) + "' is no value of " +
                           A.getSpelling().rtrim('=') + ": give " + Wanted);
}

constexpr std::pair<StringRef, ToolOptions::FormatKind> Formats[] = {
    {"text", ToolOptions::Text},     {"json", ToolOptions::JSON},
    {"sarif", ToolOptions::SARIF},   {"github", ToolOptions::GitHub},
    {"gitlab", ToolOptions::GitLab}, {"rdjson", ToolOptions::Rdjson}};

/// An option that a configuration file may give too, by \p Name.
template <typename Parse>
Error readTidy(const Arg &A, StringRef Name, Parse Read, ToolOptions &Options) {
  if (!Read(A.getValue()))
    return wrongValue(A, tidyValueWanted(Name));
  overrideTidyOption(Options.Tidy, Name, A.getValue());
  return Error::success();
}

Error readThreads(const Arg &A, unsigned &Threads) {
  if (StringRef(A.getValue()).getAsInteger(10, Threads) || !Threads)
    return wrongValue(A, "a number of files from 1 on");
  return Error::success();
}

Error readArch(const Arg &A, ToolOptions &Options) {
  Options.Command.Arch = A.getValue();
  Expected<MachineModel> Machine = MachineModel::forArch(A.getValue());
  if (!Machine)
    return Machine.takeError();
  overrideTidyOption(Options.Tidy, "Arch", A.getValue());
  return Error::success();
}

Error readRegex(const Arg &A, std::optional<std::string> &Into) {
  std::string Why;
  // To clang-tidy nothing matches the empty one.
  if (*A.getValue() && !Regex(A.getValue()).isValid(Why))
    return wrongValue(A, "a regular expression (" + Why + ")");
  Into = A.getValue();
  return Error::success();
}

Error readLineFilter(const Arg &A, ToolOptions &Options) {
  if (clang::tidy::parseLineFilter(A.getValue(), Options.TidyGlobal))
    return wrongValue(
        A, "a list such as [{\"name\":\"f.cu\",\"lines\":[[1,3],[5,7]]}]");
  return Error::success();
}

Error readAlso(const Arg &A, ToolOptions &Options) {
  auto [Form, File] = StringRef(A.getValue()).split(':');
  auto At = find_if(Formats, [&](const auto &F) { return F.first == Form; });
  if (At == std::end(Formats) || At->second == ToolOptions::Text ||
      File.empty())
    return wrongValue(A, "json, sarif, github, gitlab or rdjson, a colon and "
                         "a file: sarif:warplint.sarif");
  Options.Also.push_back({At->second, File.str()});
  return Error::success();
}

Error readBaseline(const Arg &A, ToolOptions::BaselineKind Kind,
                   ToolOptions &Options) {
  if (Options.BaselineDo != ToolOptions::NoBaseline)
    return createStringError("give one of --baseline, --write-baseline and "
                             "--prune-baseline, once");
  Options.BaselineDo = Kind;
  Options.Baseline = A.getValue();
  return Error::success();
}

bool isSourceName(StringRef File) {
  return StringSwitch<bool>(sys::path::extension(File).lower())
      .Cases({".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx"}, true)
      .Cases({".h", ".hh", ".hpp", ".hxx", ".inl", ".inc"}, true)
      .Default(false);
}

/// What would be written over by the one written after it.
Error checkOutputs(const ToolOptions &Options) {
  std::vector<std::string> Files = {Options.Summary, Options.ExportFixes};
  if (Options.BaselineDo != ToolOptions::NoBaseline)
    Files.push_back(Options.Baseline);
  for (const auto &Also : Options.Also)
    Files.push_back(Also.second);
  StringSet<> Seen;
  for (const std::string &File : Files) {
    if (isSourceName(File))
      return createStringError("'" + File +
                               "' is a source file, which an output would "
                               "replace: give another name");
    SmallString<256> Path(File);
    sys::fs::make_absolute(Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    // Several reports may well go to one terminal, and nowhere.
    if (!File.empty() && !Path.starts_with("/dev/") &&
        !Seen.insert(Path).second)
      return createStringError("'" + File +
                               "' is named for two outputs: give each of "
                               "--also, --summary, --export-fixes and the "
                               "baseline a file of its own");
  }
  return Error::success();
}

/// One of a fixed list of words.
template <typename T>
Error readWord(const Arg &A, ArrayRef<std::pair<StringRef, T>> Words, T &Into) {
  std::string Wanted;
  for (auto [Word, Value] : Words) {
    if (Word == A.getValue()) {
      Into = Value;
      return Error::success();
    }
    Wanted += (Wanted.empty() ? "" : " or ") + Word.str();
  }
  return wrongValue(A, Wanted);
}

Error readValue(const Arg &A, ToolOptions &Options) {
  using Tool = ToolOptions;
  switch (A.getOption().getID()) {
  case OPT_p:
    Options.Database = A.getValue();
    return Error::success();
  case OPT_arch:
    return readArch(A, Options);
  case OPT_block:
    return readTidy(A, "Block", parseBlock, Options);
  case OPT_run:
    return readTidy(A, "Run", parseRun, Options);
  case OPT_assume_alignment:
    return readTidy(A, "AssumedAlignment", parseAlignment, Options);
  case OPT_checks:
    Options.Tidy.Checks = A.getValue();
    return validateChecks(A.getValue());
  case OPT_min_efficiency:
    return readTidy(A, "MinEfficiency", parseEfficiency, Options);
  case OPT_min_ways:
    return readTidy(A, "MinWays", parseWays, Options);
  case OPT_show_absorbed:
    overrideTidyOption(Options.Tidy, "ShowAbsorbed", "true");
    return Error::success();
  case OPT_no_remarks:
    overrideTidyOption(Options.Tidy, "ShowRemarks", "false");
    return Error::success();
  case OPT_no_fixes:
    overrideTidyOption(Options.Tidy, "Fixes", "false");
    return Error::success();
  case OPT_config_file:
    Options.ConfigFile = A.getValue();
    return Error::success();
  case OPT_header_filter:
    return readRegex(A, Options.Tidy.HeaderFilterRegex);
  case OPT_exclude_header_filter:
    return readRegex(A, Options.Tidy.ExcludeHeaderFilterRegex);
  case OPT_line_filter:
    return readLineFilter(A, Options);
  case OPT_warnings_as_errors:
    Options.Tidy.WarningsAsErrors = A.getValue();
    return validateChecks(A.getValue());
  case OPT_summary:
    Options.Summary = A.getValue();
    return Error::success();
  case OPT_diff:
    Options.Diff = "";
    return Error::success();
  case OPT_diff_eq:
    Options.Diff = A.getValue();
    return Error::success();
  case OPT_changed:
    Options.Changed = true;
    return Error::success();
  case OPT_baseline:
    return readBaseline(A, Tool::CheckBaseline, Options);
  case OPT_write_baseline:
    return readBaseline(A, Tool::WriteBaseline, Options);
  case OPT_prune_baseline:
    return readBaseline(A, Tool::PruneBaseline, Options);
  case OPT_fix:
    Options.Fix = true;
    return Error::success();
  case OPT_export_fixes:
    Options.ExportFixes = A.getValue();
    return Error::success();
  case OPT_write_compile_commands:
    Options.Action = Tool::WriteCommands;
    Options.CommandsTo = A.getValue();
    return Error::success();
  case OPT_across_files:
    return readWord<Tool::AcrossKind>(A,
                                      {{"auto", Tool::AcrossAuto},
                                       {"all", Tool::AcrossAll},
                                       {"none", Tool::AcrossNone}},
                                      Options.Across);
  case OPT_kernel:
    Options.Analysis.KernelFilter = A.getValue();
    return Error::success();
  case OPT_budget:
    return readTidy(A, "Budget", parseBudget, Options);
  case OPT_format:
    return readWord<Tool::FormatKind>(A, Formats, Options.Format);
  case OPT_also:
    return readAlso(A, Options);
  case OPT_color:
    return readWord<Tool::ColorKind>(A,
                                     {{"auto", Tool::Auto},
                                      {"always", Tool::Always},
                                      {"never", Tool::Never}},
                                     Options.Color);
  case OPT_cuda_path:
    Options.Command.CudaPath = A.getValue();
    return Error::success();
  case OPT_quiet:
    Options.Quiet = true;
    return Error::success();
  case OPT_profile:
    Options.Profile = true;
    return Error::success();
  case OPT_j:
    return readThreads(A, Options.Threads);
  case OPT_lsp:
    Options.Action = Tool::Serve;
    return Error::success();
  case OPT_list_checks:
    Options.Action = Tool::ListChecks;
    return Error::success();
  case OPT_print_requests:
    Options.Analysis.TraceRequests = true;
    return Error::success();
  case OPT_print_launches:
    Options.Analysis.PrintLaunches = true;
    return Error::success();
  case OPT_print_ir:
    Options.Analysis.PrintIR = true;
    return Error::success();
  case OPT_version:
    Options.Action = Tool::ShowVersion;
    return Error::success();
  case OPT_help:
    Options.Action = Tool::ShowHelp;
    return Error::success();
  case OPT_INPUT:
    Options.Files.push_back(A.getValue());
    return Error::success();
  default:
    return Error::success();
  }
}

const ToolOptTable &table() {
  static const ToolOptTable Table;
  return Table;
}

/// An option stands where the value should.
bool lacksValue(const Arg &A) {
  return A.getOption().getKind() != Option::InputClass &&
         A.getNumValues() == 1 && StringRef(A.getValue()).starts_with("--") &&
         !StringRef(A.getSpelling()).ends_with("=");
}

Error valueMissing(StringRef Option) {
  return createStringError("'" + Option + "' needs a value; --help says which");
}

Error unknownOption(const Arg &A) {
  std::string Spelling = A.getSpelling().str(), Nearest;
  std::string Text = "there is no option '" + Spelling + "'";
  // Farther away it is a guess, not a correction.
  constexpr unsigned Near = 3;
  if (table().findNearest(Spelling, Nearest) <= Near)
    Text += "; did you mean '" + Nearest + "'?";
  else
    Text += "; --help lists them, and flags of the compiler follow '--'";
  return createStringError(Text);
}

} // namespace

Expected<ToolOptions> parseOptions(ArrayRef<const char *> Arguments) {
  ToolOptions Options;
  auto Dashes =
      find_if(Arguments, [](const char *A) { return StringRef(A) == "--"; });
  if (Dashes != Arguments.end())
    Options.Flags.emplace(std::next(Dashes), Arguments.end());

  unsigned MissingIndex = 0, MissingCount = 0;
  ArrayRef<const char *> Own(Arguments.begin(), Dashes);
  InputArgList Args = table().ParseArgs(Own, MissingIndex, MissingCount);
  Error Wrong = Error::success();
  if (MissingCount)
    Wrong = valueMissing(Own[MissingIndex]);
  for (const Arg *A : Args)
    Wrong = joinErrors(std::move(Wrong),
                       A->getOption().getID() == OPT_UNKNOWN ? unknownOption(*A)
                       : lacksValue(*A) ? valueMissing(A->getSpelling())
                                        : readValue(*A, Options));
  if (Options.Fix && Options.Format != ToolOptions::Text)
    Wrong = joinErrors(std::move(Wrong),
                       createStringError("--fix reports what it did as text: "
                                         "leave out --format=json"));
  if (Options.Diff && !Options.TidyGlobal.LineFilter.empty())
    Wrong = joinErrors(std::move(Wrong),
                       createStringError("--diff makes a line filter: give it "
                                         "or --line-filter"));
  if (Options.Fix && Args.hasArg(OPT_no_fixes))
    Wrong = joinErrors(std::move(Wrong),
                       createStringError("--fix needs the fixes that "
                                         "--no-fixes does not look for"));
  Wrong = joinErrors(std::move(Wrong), checkOutputs(Options));
  if (Wrong)
    return std::move(Wrong);
  // https://no-color.org (there "0" is set too), https://bixense.com/clicolors.
  std::optional<std::string> NoColor = sys::Process::GetEnv("NO_COLOR");
  std::optional<std::string> Force = sys::Process::GetEnv("CLICOLOR_FORCE");
  if (Options.Color != ToolOptions::Auto)
    Options.Tidy.UseColor = Options.Color == ToolOptions::Always;
  else if (NoColor && !NoColor->empty())
    Options.Tidy.UseColor = false;
  else if (Force && !Force->empty() && *Force != "0")
    Options.Tidy.UseColor = true;
  return Options;
}

void printHelp(raw_ostream &OS) {
  table().printHelp(OS, "warplint [options] FILE.cu... [-- compiler flags]",
                    "finds slow memory accesses in CUDA kernels, without a "
                    "GPU");
  OS << "\nExit status: 0 nothing found, 1 findings, 2 something could not be "
        "analysed,\n130 interrupted.\n";
}

} // namespace warplint
