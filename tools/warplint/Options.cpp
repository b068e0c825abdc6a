//===- Options.cpp - What the command line asks for -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
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

/// Most threads a block of CUDA may have, and the most in z (CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability").
constexpr uint32_t MostThreads = 1024, MostInZ = 64;

Error wrongValue(const Arg &A, StringRef Wanted) {
  return createStringError("'" + Twine(A.getValue()) + "' is no value of " +
                           A.getSpelling().rtrim('=') + ": give " + Wanted);
}

Error readBlock(const Arg &A, std::optional<Dim3> &Block) {
  SmallVector<StringRef, 3> Parts;
  StringRef(A.getValue()).split(Parts, ',');
  Dim3 Extents = {1, 1, 1};
  bool Good = Parts.size() <= Extents.size();
  for (size_t I = 0; I < Parts.size() && Good; ++I)
    Good = !Parts[I].trim().getAsInteger(10, Extents[I]) && Extents[I] >= 1 &&
           Extents[I] <= MostThreads;
  if (!Good || Extents[2] > MostInZ ||
      Extents[0] * Extents[1] * Extents[2] > MostThreads)
    return wrongValue(A, "1 to 3 extents with at most 1024 threads together, "
                         "such as 32,8");
  Block = Extents;
  return Error::success();
}

Error readEfficiency(const Arg &A, double &Efficiency) {
  StringRef Text = StringRef(A.getValue()).trim();
  Text.consume_back("%");
  double Percent = 0;
  if (Text.getAsDouble(Percent) || !(Percent >= 0 && Percent <= 100))
    return wrongValue(A, "a percentage from 0 to 100");
  Efficiency = Percent / 100;
  return Error::success();
}

Error readThreads(const Arg &A, unsigned &Threads) {
  if (StringRef(A.getValue()).getAsInteger(10, Threads) || !Threads)
    return wrongValue(A, "a number of files from 1 on");
  return Error::success();
}

Error readBudget(const Arg &A, uint64_t &Budget) {
  // Beyond this a single kernel could take hours.
  constexpr uint64_t MostTimes = 1000;
  uint64_t Times = 0;
  if (StringRef(A.getValue()).getAsInteger(10, Times) || Times < 1 ||
      Times > MostTimes)
    return wrongValue(A, "a whole number from 1 to 1000");
  Budget = Times * DefaultWorkBudget;
  return Error::success();
}

Error readArch(const Arg &A, std::string &Arch) {
  Arch = A.getValue();
  Expected<MachineModel> Machine = MachineModel::forArch(Arch);
  return Machine ? Error::success() : Machine.takeError();
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
    return readArch(A, Options.Command.Arch);
  case OPT_block:
    return readBlock(A, Options.Analysis.Launch.BlockOption);
  case OPT_checks:
    Options.Analysis.Diagnose.Checks = A.getValue();
    return validateChecks(A.getValue());
  case OPT_min_efficiency:
    return readEfficiency(A, Options.Analysis.Diagnose.MinEfficiency);
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
    return readBudget(A, Options.Analysis.WorkBudget);
  case OPT_format:
    return readWord<Tool::FormatKind>(A,
                                      {{"text", Tool::Text},
                                       {"json", Tool::JSON},
                                       {"sarif", Tool::SARIF},
                                       {"github", Tool::GitHub},
                                       {"gitlab", Tool::GitLab},
                                       {"rdjson", Tool::Rdjson}},
                                      Options.Format);
  case OPT_color:
    return readWord<Tool::ColorKind>(A,
                                     {{"auto", Tool::Auto},
                                      {"always", Tool::Always},
                                      {"never", Tool::Never}},
                                     Options.Color);
  case OPT_cuda_path:
    Options.Command.CudaPath = A.getValue();
    return Error::success();
  case OPT_j:
    return readThreads(A, Options.Threads);
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
    Wrong = createStringError(Twine("'") + Own[MissingIndex] +
                              "' needs a value; --help says which");
  for (const Arg *A : Args)
    Wrong = joinErrors(std::move(Wrong), A->getOption().getID() == OPT_UNKNOWN
                                             ? unknownOption(*A)
                                             : readValue(*A, Options));
  if (Wrong)
    return std::move(Wrong);
  return Options;
}

void printHelp(raw_ostream &OS) {
  table().printHelp(OS, "warplint [options] FILE.cu... [-- compiler flags]",
                    "finds slow memory accesses in CUDA kernels, without a "
                    "GPU");
  OS << "\nExit status: 0 nothing found, 1 findings, 2 something could not be "
        "analysed.\n";
}

} // namespace warplint
