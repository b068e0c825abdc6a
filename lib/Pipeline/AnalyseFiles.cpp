//===- AnalyseFiles.cpp - The files of a program, as one program ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Pipeline/AnalyseFiles.h"
#include "MentionedNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

using namespace llvm;

namespace warplint {

/// Deeply nested code recurses deeply in clang and in LLVM's passes; address
/// space that is not touched costs nothing.
static constexpr unsigned StackBytes = 256u << 20;

/// Callers of callers of a wrapper: files that a search leads to lead to others
/// in so many steps.
static constexpr unsigned MaxSearches = 4;
/// Rounds in which values travel from file to file.
static constexpr unsigned MaxRounds = 4;
/// Files that are parsed only because of a question about a shape.
static constexpr size_t MaxForShapes = 32;

static FileReport analyseSafely(const PlannedFile &File, const UnitLink &Link) {
  FileReport Report;
  CrashRecoveryContext Recovery;
  if (!Recovery.RunSafelyOnThread(
          [&] { Report = analyseJob(*File.Job, File.Options, Link); },
          StackBytes)) {
    // What a crash left of the report is not to be trusted.
    Report = FileReport();
    Report.Status = FileReport::Failed;
    Report.Arch = File.Job->Arch;
    Report.Errors.push_back(
        "internal error while analysing '" + File.Job->File +
        "'; please report it with the file and its compile command");
    if (Link.Exports)
      *Link.Exports = UnitExports();
  }
  Report.File = File.Report.File;
  Report.Remarks.insert(Report.Remarks.begin(), File.Report.Remarks.begin(),
                        File.Report.Remarks.end());
  return Report;
}

static UnitExports surveySafely(const CompileJob &Job,
                                const UnitImports *Imports) {
  UnitExports Exports;
  CrashRecoveryContext Recovery;
  if (!Recovery.RunSafelyOnThread([&] { Exports = surveyJob(Job, Imports); },
                                  StackBytes))
    return {};
  return Exports;
}

static std::string textOf(StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(File);
  return Buffer ? (*Buffer)->getBuffer().str() : std::string();
}

namespace {

/// A file that takes part, to be analysed or found by the search.
struct Unit {
  const PlannedFile *Planned = nullptr; ///< null: only surveyed
  CompileJob Job;
  UnitExports Exports;
  UnitImports Imports;
  FileReport Report;
  bool Analysed = false; ///< Report is that of Imports
};

class ProgramRun {
public:
  ProgramRun(const RunPlan &Plan, unsigned Threads)
      : Plan(Plan), Threads(Threads) {}

  RunReport run();

private:
  bool isLinked() const {
    return Plan.Search.Link && (Jobs > 1 || !Plan.Search.Others.empty());
  }
  std::vector<size_t> toldByOthers() const;
  void search();
  bool tellsOthers(size_t I) const;
  void link();
  void survey(ArrayRef<size_t> Which);
  void analyse(ArrayRef<size_t> Which);
  void forEach(ArrayRef<size_t> Which, function_ref<void(Unit &)> Do);

  const RunPlan &Plan;
  const unsigned Threads;
  std::vector<Unit> Units; ///< those of Plan first
  size_t Jobs = 0;
  size_t Unread = 0; ///< files left out of the search
};

} // namespace

void ProgramRun::forEach(ArrayRef<size_t> Which,
                         function_ref<void(Unit &)> Do) {
  DefaultThreadPool Pool(hardware_concurrency(Threads));
  for (size_t I : Which)
    Pool.async([&, I] { Do(Units[I]); });
  Pool.wait();
}

void ProgramRun::analyse(ArrayRef<size_t> Which) {
  const bool Linked = isLinked();
  forEach(Which, [&](Unit &U) {
    UnitLink Link;
    if (Linked) {
      Link.Imports = &U.Imports;
      Link.Exports = &U.Exports;
      Link.ExportAll = true;
    }
    U.Report = analyseSafely(*U.Planned, Link);
    U.Analysed = true;
  });
}

void ProgramRun::survey(ArrayRef<size_t> Which) {
  forEach(Which, [&](Unit &U) {
    U.Exports = surveySafely(U.Job, &U.Imports);
    U.Analysed = false;
  });
}

/// Units with a kernel that the text of another one names: they will be told
/// something, so that their analysis waits for it.
std::vector<size_t> ProgramRun::toldByOthers() const {
  std::vector<std::string> Texts;
  for (const Unit &U : Units)
    Texts.push_back(U.Planned && !U.Planned->Job ? "" : textOf(U.Job.File));
  std::vector<size_t> Told;
  for (size_t I = 0; I < Units.size(); ++I) {
    StringSet<> Names;
    for (const std::string &Name : kernelNames(Texts[I]))
      Names.insert(Name);
    bool Named = false;
    for (size_t J = 0; J < Units.size() && !Named && !Names.empty(); ++J)
      Named = J != I && mentionsAny(Texts[J], Names);
    if (Named)
      Told.push_back(I);
  }
  return Told;
}

void ProgramRun::search() {
  StringSet<> Asked;
  std::vector<std::string> Texts;
  std::vector<bool> Taken(Plan.Search.Others.size());
  for (unsigned Step = 0; Step < MaxSearches; ++Step) {
    StringSet<> Names;
    for (const Unit &U : Units)
      for (const auto &[Mangled, Q] : U.Exports.Asks)
        if ((Q.ForShape || !Plan.Search.OnlyShapes) &&
            Asked.insert(Mangled).second)
          Names.insert(Q.Name);
    if (Names.empty())
      return;
    if (Texts.empty())
      for (const std::string &File : Plan.Search.Others)
        Texts.push_back(textOf(File));
    std::vector<size_t> New;
    for (size_t I = 0; I < Texts.size(); ++I) {
      if (Taken[I] || !mentionsAny(Texts[I], Names))
        continue;
      if (Plan.Search.OnlyShapes && Units.size() - Jobs >= MaxForShapes) {
        ++Unread;
        continue;
      }
      Taken[I] = true;
      Expected<CompileJob> Job = Plan.Search.JobFor(Plan.Search.Others[I]);
      if (!Job) {
        consumeError(Job.takeError());
        continue;
      }
      New.push_back(Units.size());
      Units.emplace_back().Job = std::move(*Job);
    }
    survey(New);
  }
}

/// Only what a unit asks about is worth another run.
static void keepAnswers(UnitImports &Imports, const UnitExports &Exports) {
  for (auto At = Imports.Calls.begin(); At != Imports.Calls.end();)
    At =
        Exports.Asks.count(At->first) ? std::next(At) : Imports.Calls.erase(At);
}

template <class Said, class Wanted>
static bool meet(const Said &A, const Wanted &B) {
  return any_of(A, [&](const auto &Entry) { return B.count(Entry.first); });
}

/// Whether what unit \p I says may concern another one.
bool ProgramRun::tellsOthers(size_t I) const {
  const UnitExports &Said = Units[I].Exports;
  for (size_t J = 0; J < Units.size(); ++J) {
    const UnitExports &Other = Units[J].Exports;
    if (J != I &&
        (meet(Said.Launches, Other.Defines) || meet(Said.Calls, Other.Asks) ||
         meet(Said.Writes, Other.Reads)))
      return true;
  }
  return false;
}

void ProgramRun::link() {
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    std::vector<LinkedUnit> Linked;
    for (const Unit &U : Units)
      Linked.push_back({U.Job.File, &U.Exports});
    std::vector<UnitImports> Told = linkUnits(Linked);
    std::vector<size_t> Again;
    for (size_t I = 0; I < Units.size(); ++I) {
      keepAnswers(Told[I], Units[I].Exports);
      Told[I].Searched = true;
      UnitImports Before = Units[I].Imports;
      Before.Searched = true;
      if (Told[I] == Before)
        continue;
      Units[I].Imports = std::move(Told[I]);
      Again.push_back(I);
    }
    if (Again.empty())
      return;
    // Values may travel on from here; the analysis waits until they are there.
    for (size_t I : Again)
      Units[I].Analysed = false;
    erase_if(Again, [&](size_t I) { return !tellsOthers(I); });
    survey(Again);
  }
}

RunReport ProgramRun::run() {
  std::vector<size_t> First;
  Units.resize(Plan.Files.size());
  for (size_t I = 0; I < Plan.Files.size(); ++I) {
    Units[I].Planned = &Plan.Files[I];
    if (Plan.Files[I].Job) {
      Units[I].Job = *Plan.Files[I].Job;
      First.push_back(I);
    } else {
      Units[I].Report = Plan.Files[I].Report;
      Units[I].Analysed = true;
    }
  }
  Jobs = First.size();
  if (isLinked() && Jobs > 1) {
    std::vector<size_t> Waiting = toldByOthers();
    erase_if(First, [&](size_t I) { return is_contained(Waiting, I); });
    survey(Waiting);
  }
  analyse(First);
  if (isLinked()) {
    search();
    if (Units.size() > 1)
      link();
  }
  std::vector<size_t> Left;
  for (size_t I = 0; I < Plan.Files.size(); ++I)
    if (!Units[I].Analysed)
      Left.push_back(I);
  analyse(Left);
  RunReport Run;
  for (size_t I = 0; I < Plan.Files.size(); ++I)
    Run.Files.push_back(std::move(Units[I].Report));
  if (Unread && !Run.Files.empty())
    Run.Files.front().Remarks.push_back(
        std::to_string(Unread) +
        " more files of the compile database name "
        "what is asked about and were not parsed; --across-files=all does");
  return Run;
}

RunReport analyseFiles(const RunPlan &Plan, unsigned Threads) {
  CrashRecoveryContext::Enable();
  RunReport Run = ProgramRun(Plan, Threads).run();
  CrashRecoveryContext::Disable();
  return Run;
}

} // namespace warplint
