//===- AnalyseFiles.cpp - The files of a program, as one program ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Pipeline/AnalyseFiles.h"
#include "MentionedNames.h"
#include "warplint/Driver/DevicePass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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
/// Files of a project whose runs are followed from file to file.
static constexpr size_t MaxFollowed = 6;

static FileReport analyseSafely(const PlannedFile &File, const UnitLink &Link,
                                RoomTimes *Times) {
  FileReport Report;
  AnalysisOptions Options = File.Options;
  Options.Times = Times;
  CrashRecoveryContext Recovery;
  if (!Recovery.RunSafelyOnThread(
          [&] { Report = analyseJob(*File.Job, Options, Link); }, StackBytes)) {
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
  Report.Errors.insert(Report.Errors.begin(), File.Report.Errors.begin(),
                       File.Report.Errors.end());
  if (!Report.Errors.empty() && Report.Status == FileReport::Ok)
    Report.Status = FileReport::Partial;
  return Report;
}

static UnitExports surveySafely(const CompileJob &Job,
                                const UnitImports *Imports,
                                const RunChoice &Runs, RoomTimes *Times) {
  UnitExports Exports;
  CrashRecoveryContext Recovery;
  if (!Recovery.RunSafelyOnThread(
          [&] { Exports = surveyJob(Job, Imports, Runs, Times); }, StackBytes))
    return {};
  return Exports;
}

/// Each file is parsed on a thread of its own, for which glibc keeps what the
/// last one freed.
static void giveMemoryBack() {
#ifdef __GLIBC__
  malloc_trim(/*pad=*/0);
#endif
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
  /// What Report says is the same whatever the callers of its functions pass.
  bool Followed = false;
  double Seconds = 0;    ///< of all runs over it
};

class ProgramRun {
public:
  ProgramRun(const RunPlan &Plan, unsigned Threads, const RunControl &Control)
      : Plan(Plan), Control(Control), Times(Control.Times),
        Pool(hardware_concurrency(Threads)) {}

  RunReport run();

private:
  bool isLinked() const {
    return Plan.Search.Link && (Jobs > 1 || !Plan.Search.Others.empty());
  }
  void analyseAll();
  std::vector<size_t> toldByOthers() const;
  void search();
  bool tellsOthers(size_t I) const;
  void link();
  void survey(ArrayRef<size_t> Which);
  /// What UnitLink::Read of the unit with \p Job is.
  decltype(UnitLink::Read) readerFor(const CompileJob &Job);
  const std::string &textOfFile(StringRef File);
  void analyse(ArrayRef<size_t> Which);
  /// Notes what a job that began at \p Begun found; without \p Report it only
  /// asked what the file tells others.
  void finish(Unit &U, RoomTimes::Clock::time_point Begun, UnitExports Exports,
              std::optional<FileReport> Report);
  void forEach(ArrayRef<size_t> Which, std::function<void(Unit &)> Do);
  void watch();
  RunReport report();

  const RunPlan &Plan;
  /// Used by this thread alone.
  const RunControl &Control;
  RoomTimes *Times;
  DefaultThreadPool Pool;
  std::deque<Unit> Units; ///< those of Plan first
  size_t Jobs = 0;
  size_t Unread = 0; ///< files left out of the search
  bool Linking = false;

  std::mutex ReadLock; ///< of FileTexts, and of the search for a job
  StringMap<std::string> FileTexts;
  std::mutex Lock; ///< of what follows, and of the units in a job
  std::condition_variable OneDone;
  size_t Running = 0; ///< jobs not done
  StringRef Current;
  bool Stopped = false;
};

} // namespace

/// Does \p Do for each unit; a job takes what it needs of its unit, and puts
/// down what it made, under the lock. Returns with jobs still at work when the
/// run is stopped.
void ProgramRun::forEach(ArrayRef<size_t> Which,
                         std::function<void(Unit &)> Do) {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Stopped)
      return;
    Running = Which.size();
  }
  for (size_t I : Which)
    Pool.async([this, Do, &U = Units[I]] {
      {
        std::lock_guard<std::mutex> Guard(Lock);
        if (Stopped)
          return;
        Current = U.Job.File;
      }
      Do(U);
      std::lock_guard<std::mutex> Guard(Lock);
      --Running;
      OneDone.notify_one();
    });
  watch();
}

/// Waits for the jobs, shows how it goes and asks whether to stop.
void ProgramRun::watch() {
  constexpr std::chrono::milliseconds Often(100);
  std::unique_lock<std::mutex> Guard(Lock);
  while (Running && !Stopped) {
    OneDone.wait_for(Guard, Often);
    RunState State;
    State.Total = Plan.Files.size();
    for (size_t I = 0; I < State.Total; ++I)
      State.Done += Units[I].Analysed;
    State.File = Current;
    // What is shown is shown without making the jobs wait.
    Guard.unlock();
    if (Control.Show)
      Control.Show(State);
    bool Stop = Control.Stops && Control.Stops();
    Guard.lock();
    Stopped |= Stop;
  }
  bool Whole = !Stopped;
  Guard.unlock();
  if (Whole)
    Pool.wait();
}

const std::string &ProgramRun::textOfFile(StringRef File) {
  std::lock_guard<std::mutex> Guard(ReadLock);
  auto [At, New] = FileTexts.try_emplace(File);
  if (New)
    At->second = textOf(File);
  return At->second;
}

decltype(UnitLink::Read) ProgramRun::readerFor(const CompileJob &Job) {
  // Of a large project one program cannot be told from another.
  if (Plan.Files.size() + Plan.Search.Others.size() > MaxFollowed)
    return nullptr;
  auto Seen = std::make_shared<StringSet<>>();
  Seen->insert(Job.File);
  return [this, Seen](const StringSet<> &Names,
                      function_ref<void(clang::ASTContext &)> Then) {
    auto Try = [&](StringRef File, function_ref<Expected<CompileJob>()> JobOf) {
      if (Seen->contains(File) || !mentionsAny(textOfFile(File), Names))
        return false;
      Seen->insert(File);
      Expected<CompileJob> Found = JobOf();
      bool Parsed = false;
      if (Found) {
        auto OnUnit = [&](clang::ASTContext &Ctx, clang::Preprocessor &) {
          Parsed = true;
          Then(Ctx);
        };
        Expected<ParseOutcome> Outcome = runDevicePass(*Found, OnUnit);
        if (!Outcome)
          consumeError(Outcome.takeError());
      } else {
        consumeError(Found.takeError());
      }
      return Parsed;
    };
    for (const PlannedFile &File : Plan.Files)
      if (File.Job && Try(File.Job->File,
                          [&]() -> Expected<CompileJob> { return *File.Job; }))
        return;
    for (const std::string &File : Plan.Search.Others)
      if (Try(File, [&] {
            std::lock_guard<std::mutex> Guard(ReadLock);
            return Plan.Search.JobFor(File);
          }))
        return;
  };
}

void ProgramRun::analyse(ArrayRef<size_t> Which) {
  const bool Linked = isLinked();
  forEach(Which, [this, Linked](Unit &U) {
    UnitLink Link;
    UnitExports Exports;
    if (Linked) {
      Link.Imports = &U.Imports;
      Link.Exports = &Exports;
      Link.ExportAll = true;
      Link.Read = readerFor(U.Job);
    }
    auto Begun = RoomTimes::Clock::now();
    FileReport Report = analyseSafely(*U.Planned, Link, Times);
    if (!Plan.KeepAccesses)
      dropAccesses(Report);
    else
      Report.Accesses.shrink_to_fit();
    finish(U, Begun, std::move(Exports), std::move(Report));
  });
}

void ProgramRun::finish(Unit &U, RoomTimes::Clock::time_point Begun,
                        UnitExports Exports, std::optional<FileReport> Report) {
  giveMemoryBack();
  std::lock_guard<std::mutex> Guard(Lock);
  if (Stopped)
    return;
  U.Seconds +=
      std::chrono::duration<double>(RoomTimes::Clock::now() - Begun).count();
  U.Exports = std::move(Exports);
  if (!Report)
    return;
  U.Analysed = true;
  U.Followed = U.Exports.Followed;
  U.Report = std::move(*Report);
}

void ProgramRun::survey(ArrayRef<size_t> Which) {
  forEach(Which, [this](Unit &U) {
    auto Begun = RoomTimes::Clock::now();
    const PlannedFile &Asking = U.Planned ? *U.Planned : Plan.Files.front();
    UnitExports Exports =
        surveySafely(U.Job, &U.Imports, Asking.Options.Runs, Times);
    finish(U, Begun, std::move(Exports), std::nullopt);
  });
}

/// Units with a kernel that is named by the text of another one, which has none
/// of that name itself: they will be told something, so that their analysis
/// waits for it.
std::vector<size_t> ProgramRun::toldByOthers() const {
  std::vector<std::string> Texts;
  for (const Unit &U : Units)
    Texts.push_back(U.Planned && !U.Planned->Job ? "" : textOf(U.Job.File));
  struct Kernel {
    SmallVector<size_t, 2> In;
    bool Named = false; ///< elsewhere
  };
  StringMap<Kernel> Kernels;
  for (size_t I = 0; I < Texts.size(); ++I)
    for (const std::string &Name : kernelNames(Texts[I]))
      Kernels[Name].In.push_back(I);
  for (size_t I = 0; I < Texts.size(); ++I)
    forEachWord(Texts[I], [&](StringRef Word) {
      auto At = Kernels.find(Word);
      if (At != Kernels.end() && !is_contained(At->second.In, I))
        At->second.Named = true;
    });
  std::set<size_t> Told;
  for (const auto &[Name, K] : Kernels)
    if (K.Named)
      Told.insert(K.In.begin(), K.In.end());
  return {Told.begin(), Told.end()};
}

void ProgramRun::search() {
  StringSet<> Asked;
  std::vector<std::string> Texts;
  std::vector<bool> Taken(Plan.Search.Others.size());
  for (unsigned Step = 0; Step < MaxSearches; ++Step) {
    StringSet<> Names;
    // Where no report hangs on callers, only launches elsewhere are looked for.
    const bool Followed = all_of(Units, [](const Unit &U) {
      return U.Followed || U.Exports.Asks.empty();
    });
    for (const Unit &U : Units)
      for (const auto &[Mangled, Q] : U.Exports.Asks)
        if ((Q.ForShape || !Plan.Search.OnlyShapes) &&
            (Q.OfKernel || !Followed) && Asked.insert(Mangled).second)
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
      // Values may travel on from here; the analysis waits until they are
      // there.
      if (!Units[I].Followed || Told[I].Launches != Before.Launches)
        Units[I].Analysed = false;
      Units[I].Imports = std::move(Told[I]);
      Again.push_back(I);
    }
    if (Again.empty())
      return;
    erase_if(Again, [&](size_t I) { return !tellsOthers(I); });
    survey(Again);
  }
}

void ProgramRun::analyseAll() {
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
  Linking = isLinked();
  if (Linking && Jobs > 1) {
    std::vector<size_t> Waiting = toldByOthers();
    erase_if(First, [&](size_t I) { return is_contained(Waiting, I); });
    survey(Waiting);
  }
  analyse(First);
  if (Linking && !Stopped) {
    search();
    if (Units.size() > 1 && !Stopped)
      link();
  }
  if (Stopped)
    return;
  Linking = false;
  std::vector<size_t> Left;
  for (size_t I = 0; I < Plan.Files.size(); ++I)
    if (!Units[I].Analysed)
      Left.push_back(I);
  analyse(Left);
}

RunReport ProgramRun::report() {
  // Of a run that was stopped, jobs may still be at work.
  std::lock_guard<std::mutex> Guard(Lock);
  RunReport Run;
  Run.Interrupted = Stopped;
  for (size_t I = 0; I < Plan.Files.size(); ++I) {
    Unit &U = Units[I];
    if (!U.Analysed) {
      U.Report = FileReport();
      U.Report.Status = FileReport::Failed;
      U.Report.File = Plan.Files[I].Report.File;
      U.Report.Arch = U.Job.Arch;
      U.Report.Errors.push_back("not analysed: the run was interrupted");
    } else if (Linking && Plan.Files[I].Job && !U.Exports.Asks.empty()) {
      U.Report.Remarks.push_back(
          "the run was interrupted before other files were asked for launches "
          "and values that this one lacks");
    }
    U.Report.Seconds = U.Seconds;
    Run.Files.push_back(std::move(U.Report));
  }
  if (Unread && !Run.Files.empty())
    Run.Files.front().Remarks.push_back(
        std::to_string(Unread) +
        " more files of the compile database name "
        "what is asked about and were not parsed; --across-files=all does");
  return Run;
}

RunReport ProgramRun::run() {
  analyseAll();
  return report();
}

RunReport analyseFiles(const RunPlan &Plan, unsigned Threads,
                       const RunControl &Control) {
  CrashRecoveryContext::Enable();
  auto Program = std::make_unique<ProgramRun>(Plan, Threads, Control);
  RunReport Run = Program->run();
  if (Run.Interrupted) {
    // Jobs that are still at work use it.
    (void)Program.release();
    return Run;
  }
  CrashRecoveryContext::Disable();
  return Run;
}

} // namespace warplint
