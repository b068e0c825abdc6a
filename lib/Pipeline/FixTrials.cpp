//===- FixTrials.cpp - Runs over changed text, and what they show ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FixTrials.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "warplint/Driver/ChangedPass.h"
#include "warplint/Driver/ChangedText.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace warplint {

/// Texts of one unit that are parsed and run: each costs what the unit did.
static constexpr unsigned MaxRuns = 12;
/// Means are sums of many terms.
static constexpr double Equal = 0.005;
/// Lines of a fix that are shown.
static constexpr unsigned MaxLines = 8;

FixTrials::FixTrials(clang::ASTContext &Ctx, clang::Preprocessor &PP,
                     const MachineModel &Machine,
                     const AnalysisOptions &Options, const UnitLink &Link,
                     RealPlaces &Real, const FileReport &Report)
    : Ctx(Ctx), PP(PP), Machine(Machine), Options(Options), Link(Link),
      Real(Real), Report(Report), RunsLeft(MaxRuns) {
  for (const Finding &F : Report.Findings)
    Before.insert(keyOf(F));
}

FixTrials::Key FixTrials::keyOf(const Finding &F) {
  return {F.Check, F.Place.File, F.Place.Line, F.start().Column};
}

std::string FixTrials::realPath(StringRef File) {
  SourcePlace Place;
  Place.File = File.str();
  Real.rewrite(Place);
  return Place.File;
}

bool FixTrials::liesInMainFile(StringRef File) {
  clang::SourceManager &SM = Ctx.getSourceManager();
  clang::OptionalFileEntryRef Main =
      SM.getFileEntryRefForID(SM.getMainFileID());
  return Main && SM.getFileManager().getOptionalFileRef(File) == Main;
}

std::vector<std::string> FixTrials::diff(ArrayRef<SourceEdit> Edits) const {
  return ChangedText(Ctx.getSourceManager(), Edits).diff(MaxLines);
}

Expected<FixTrials::Run> FixTrials::run(ArrayRef<SourceEdit> Edits,
                                        const StringSet<> &Kernels) {
  if (!RunsLeft)
    return createStringError("this file had its share of trials; apply what is "
                             "offered and run again");
  --RunsLeft;
  AnalysisOptions Again = Options;
  Again.OfferFixes = false;
  Again.Times = nullptr; // all of it is the fix's
  Again.KeepReach = true;
  Again.OnlyKernels = &Kernels;
  UnitLink Told;
  Told.Imports = Link.Imports;
  // No edit touches the host's code. What it passes in records is found anew,
  // as those may be what is edited; other files are not read again for it.
  auto PassesRecords = [](const AnalysedKernel &K) {
    return any_of(K.Configs, [](const LaunchConfig &C) {
      return any_of(C.Arguments,
                    [](const ArgumentFact &A) { return !A.Fields.empty(); });
    });
  };
  if (Link.Read || none_of(Report.Kernels, PassesRecords))
    Told.Known = &Report.Kernels;
  std::optional<Expected<FileReport>> After;
  auto OnUnit = [&](clang::ASTContext &C, clang::Preprocessor &P) {
    After.emplace(analyseUnit(C, P, Machine.arch(), Again, Told));
  };
  bool Parsed = runChangedPass(Ctx, PP, Edits, OnUnit);
  if (!After)
    return createStringError("the changed text does not compile");
  if (!Parsed && *After)
    return createStringError("the changed text does not compile");
  if (!*After)
    return After->takeError();
  Run R;
  R.After = std::move(**After);
  for (const AnalysedKernel &K : R.After.Kernels)
    if (!K.Refused.empty() || !K.Incomplete.empty())
      return createStringError("the analysis of the changed '" +
                               shortKernelName(K.Name) + "' was cut short");
  ChangedText Text(Ctx.getSourceManager(), Edits);
  for (const Finding &F : R.After.Findings)
    R.Findings.insert(
        {F.Check, F.Place.File, F.Place.Line, Text.before(F.start()).Column});
  return R;
}

/// Where two runs say the same of an access: the compiler is free in which line
/// of an expression it names.
static std::pair<StringRef, unsigned> lineOf(const NamedAccess &N) {
  const SourcePlace &At =
      N.Names.Begin.Line && N.Names.Begin.File == N.A.Place.File ? N.Names.Begin
                                                                 : N.A.Place;
  return {At.File, At.Line};
}

Expected<FixTrials::Pairs> FixTrials::pair(const Run &R,
                                           const StringSet<> &Kernels) {
  const FileReport &After = R.After;
  Pairs Both;
  auto At = After.Accesses.begin();
  for (const NamedAccess &N : Report.Accesses) {
    const std::string &Kernel = Report.Kernels[N.Kernel].Mangled;
    if (!Kernels.contains(Kernel))
      continue;
    if (At == After.Accesses.end() ||
        After.Kernels[At->Kernel].Mangled != Kernel || At->Config != N.Config ||
        At->A.Op != N.A.Op || At->A.Bytes != N.A.Bytes ||
        At->A.Space != N.A.Space || lineOf(*At) != lineOf(N) ||
        At->A.ObjectMangled != N.A.ObjectMangled)
      return createStringError(
          formatv("with that the compiler makes other instructions of the "
                  "accesses (line {0})",
                  N.A.Place.Line)
              .str());
    Both.push_back({&N, &*At++});
  }
  if (At != After.Accesses.end())
    return createStringError("with that the compiler makes other instructions "
                             "of the accesses");
  return Both;
}

Error FixTrials::checkCosts(const Pairs &Both) const {
  for (auto [Old, New] : Both)
    if (New->A.Predicted.Mean > Old->A.Predicted.Mean + Equal ||
        (Old->A.Exact && !New->A.Exact))
      return createStringError(
          formatv("the access at line {0} in '{1}' would take {2} {3} a "
                  "request instead of {4}",
                  Old->A.Place.Line,
                  shortKernelName(Report.Kernels[Old->Kernel].Name),
                  formatCount(New->A.Predicted.Mean),
                  unitName(New->A.Space, New->A.Predicted.Mean),
                  formatCount(Old->A.Predicted.Mean))
              .str());
  return Error::success();
}

Error FixTrials::checkTotals(const Run &R, const StringSet<> &Kernels) const {
  using Where = std::tuple<std::string, unsigned, MemorySpace>;
  auto Totals = [&](const FileReport &Of) {
    std::map<Where, std::vector<const NamedAccess *>> ByKernel;
    for (const NamedAccess &N : Of.Accesses)
      if (const std::string &Kernel = Of.Kernels[N.Kernel].Mangled;
          Kernels.contains(Kernel))
        ByKernel[{Kernel, N.Config, N.A.Space}].push_back(&N);
    return ByKernel;
  };
  auto Before = Totals(Report), After = Totals(R.After);
  for (auto &[At, Accesses] : After)
    if (double Now = totalUnits(Accesses); Now > totalUnits(Before[At]) + Equal)
      return createStringError(
          formatv(
              "'{0}' would take more {1}",
              shortKernelName(R.After.Kernels[Accesses.front()->Kernel].Name),
              unitName(std::get<MemorySpace>(At), 2))
              .str());
  return Error::success();
}

Error FixTrials::checkFindings(const Run &R) const {
  for (const Key &K : R.Findings)
    if (!Before.count(K))
      return createStringError(
          formatv("line {0} would get a finding", std::get<2>(K)).str());
  return Error::success();
}

/// What a block may have without asking the driver for more; a launch that
/// does ask, asks for what it has now.
Error FixTrials::checkRoom(const Run &R) const {
  std::map<std::pair<unsigned, unsigned>, std::map<std::string, uint64_t>>
      Arrays;
  for (const NamedAccess &N : R.After.Accesses)
    if (N.A.Space == MemorySpace::Shared)
      Arrays[{N.Kernel, N.Config}][N.A.ObjectMangled] = N.A.ObjectBytes;
  constexpr uint64_t Alignment = 16;
  for (const auto &[Where, OfBlock] : Arrays) {
    const LaunchConfig &Config =
        R.After.Kernels[Where.first].Configs[Where.second];
    uint64_t Bytes = Config.DynamicSharedBytes.value_or(0);
    for (const auto &[Name, Size] : OfBlock)
      Bytes += alignTo(Size, Alignment);
    if (Bytes > Machine.staticSharedLimit())
      return createStringError(
          formatv("a block would need {0} bytes of shared memory and gets {1} "
                  "without opting in for more",
                  Bytes, Machine.staticSharedLimit())
              .str());
  }
  return Error::success();
}

static double weightOf(const NamedAccess &N) {
  return N.A.Weight > 0 ? N.A.Weight : 1;
}

double totalUnits(ArrayRef<const NamedAccess *> Accesses) {
  double Units = 0;
  for (const NamedAccess *N : Accesses)
    Units += weightOf(*N) * N->A.Predicted.Mean;
  return Units;
}

double meanUnits(ArrayRef<const NamedAccess *> Accesses) {
  double Weight = 0;
  for (const NamedAccess *N : Accesses)
    Weight += weightOf(*N);
  return Weight > 0 ? totalUnits(Accesses) / Weight : 0;
}

} // namespace warplint
