//===- Plan.cpp - Which files are analysed, by which commands -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "warplint/Driver/Includers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace warplint {

namespace {

class Planner {
public:
  Planner(const ToolOptions &Options, TidyRun &Tidy)
      : Options(Options), Tidy(Tidy) {}
  Error fromDatabase();
  void file(StringRef Given);
  void changed(ArrayRef<std::string> Files);
  void throughIncluder(StringRef Header);
  std::vector<std::string> cudaFiles() const { return Given->cudaFiles(); }
  RunPlan take(bool WholeDatabase);
  bool leftOut() const { return LeftOut; }

private:
  void byFlags(const std::string &File);
  void byDefault(const std::string &File, StringRef Why);
  void byDatabase(const std::string &File, const CompileCommands &Database);
  void add(const std::string &File, Expected<CompileJob> Job,
           FileConfig Config);
  void fail(const std::string &File, std::string Why);
  const CompileCommands *databaseAbove(StringRef File);
  const CompileCommands *databaseFor(StringRef File);
  bool hasCuda(const CompileCommands &Database, StringRef File);
  bool isCompiled(const CompileCommands &Database, StringRef File);
  bool includers(ArrayRef<std::string> Headers,
                 const CompileCommands &Database);
  void withoutDatabase(ArrayRef<std::string> Headers);

  const ToolOptions &Options;
  TidyRun &Tidy;
  std::vector<PlannedFile> Plan;
  /// The database that commands were taken from, the last one when several.
  const CompileCommands *Used = nullptr;
  std::optional<CompileCommands> Given;
  /// By folder; nullopt: none there nor above.
  StringMap<std::optional<CompileCommands>> Found;
  /// Names in the database by real paths.
  std::map<const CompileCommands *, StringMap<std::string>> CudaFiles;
  std::map<const CompileCommands *, StringSet<>> AllFiles; ///< likewise
  StringSet<> Unreadable;     ///< what was said of databases
  StringSet<> WithoutCommand; ///< files that a remark was made about
  bool LeftOut = false;       ///< something that a remark was made about
};

} // namespace

/// As the compiler will see it: through a symbolic link, headers are looked for
/// beside the link.
static std::string absolute(StringRef File) {
  SmallString<256> Path(File);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return std::string(Path);
}

/// As the report spells it.
static std::string realPath(const std::string &File) {
  SmallString<256> Real;
  return sys::fs::real_path(File, Real) ? File : std::string(Real);
}

void Planner::fail(const std::string &File, std::string Why) {
  PlannedFile &P = Plan.emplace_back();
  P.Report.File = realPath(File);
  P.Report.Status = FileReport::Failed;
  P.Report.Errors.push_back(std::move(Why));
}

void Planner::add(const std::string &File, Expected<CompileJob> Job,
                  FileConfig Config) {
  if (!Job)
    return fail(File, toString(Job.takeError()));
  PlannedFile &P = Plan.emplace_back();
  P.Report.File = realPath(File);
  P.Job = std::move(*Job);
  P.Options = std::move(Config.Analysis);
  P.Report.Remarks = std::move(Config.Remarks);
  P.Report.Errors = std::move(Config.Errors);
}

void Planner::byFlags(const std::string &File) {
  FileConfig Config = Tidy.configOf(File);
  Expected<CompileJob> Job =
      translateCommand(*Options.Flags, File, absolute("."), Config.Command);
  add(File, std::move(Job), std::move(Config));
}

/// Where neither `--` nor a database gives a command; \p Why says so.
void Planner::byDefault(const std::string &File, StringRef Why) {
  FileConfig Config = Tidy.configOf(File);
  StringRef By = Config.Command.Extra.empty()
                     ? "the default flags (-std=c++17)"
                     : "-std=c++17 and the ExtraArgs of .clang-tidy";
  Expected<CompileJob> Job =
      translateCommand({"-std=c++17"}, File, absolute("."), Config.Command);
  add(File, std::move(Job), std::move(Config));
  Plan.back().Report.Remarks.push_back(
      (Why + ": analysed with " + By +
       "; give flags after '--' or a database with -p")
          .str());
}

void Planner::byDatabase(const std::string &File,
                         const CompileCommands &Database) {
  FileConfig Config = Tidy.configOf(File);
  Expected<std::vector<CompileJob>> Jobs =
      Database.jobsFor(File, Config.Command);
  // A link, or what one leads to.
  if (!Jobs && hasCuda(Database, File)) {
    std::string Known = CudaFiles.at(&Database).lookup(realPath(File));
    if (Known != File) {
      consumeError(Jobs.takeError());
      return byDatabase(Known, Database);
    }
  }
  if (!Jobs)
    return fail(File, toString(Jobs.takeError()));
  for (CompileJob &Job : *Jobs)
    add(File, std::move(Job), Config);
  Used = &Database;
}

static bool isDatabaseAbove(StringRef Folder) {
  for (; !Folder.empty(); Folder = sys::path::parent_path(Folder)) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, "compile_commands.json");
    if (sys::fs::exists(Path))
      return true;
  }
  return false;
}

const CompileCommands *Planner::databaseAbove(StringRef File) {
  auto [At, New] = Found.try_emplace(sys::path::parent_path(File));
  if (New) {
    Expected<CompileCommands> Database = CompileCommands::load(At->first());
    if (Database) {
      At->second = std::move(*Database);
    } else {
      // None is the common case; one that cannot be read is not.
      std::string Why = toString(Database.takeError());
      if (isDatabaseAbove(At->first()) && Unreadable.insert(Why).second)
        errs() << "warplint: remark: passed over a compile database: " << Why
               << '\n';
    }
  }
  return At->second ? &*At->second : nullptr;
}

/// Whether \p File is one of the database's CUDA files, under whatever name.
bool Planner::hasCuda(const CompileCommands &Database, StringRef File) {
  auto [At, New] = CudaFiles.try_emplace(&Database);
  if (New)
    for (const std::string &Known : Database.cudaFiles())
      At->second.try_emplace(realPath(Known), Known);
  return At->second.contains(realPath(File.str()));
}

void Planner::file(StringRef GivenName) {
  std::string File = absolute(GivenName);
  // One clear line each, before any database has its say.
  if (!sys::fs::exists(File))
    return fail(File, "there is no file '" + File + "'");
  if (sys::fs::is_directory(File))
    return fail(File, "'" + File +
                          "' is a directory: give its .cu files, or a folder "
                          "with compile_commands.json after -p");
  if (Options.Flags)
    return byFlags(File);
  if (Given)
    return byDatabase(File, *Given);
  // A database that merely happens to lie above the file need not know it.
  const CompileCommands *Above = databaseAbove(File);
  if (Above && hasCuda(*Above, File))
    return byDatabase(File, *Above);
  byDefault(File, "no compile command for it");
}

/// Whether \p File is one that the database compiles, for the host then.
bool Planner::isCompiled(const CompileCommands &Database, StringRef File) {
  auto [At, New] = AllFiles.try_emplace(&Database);
  if (New)
    for (const std::string &Known : Database.allFiles())
      At->second.insert(realPath(Known));
  return At->second.contains(realPath(File.str()));
}

const CompileCommands *Planner::databaseFor(StringRef File) {
  if (Options.Flags)
    return nullptr;
  const CompileCommands *Database = Given ? &*Given : databaseAbove(File);
  return Database && !Database->cudaFiles().empty() ? Database : nullptr;
}

/// Names of what nobody includes. Anything else may hold a kernel: there is no
/// end of endings for what is meant to be included.
static bool isNoHeaderName(StringRef File) {
  return StringSwitch<bool>(sys::path::extension(File).lower())
      .Cases({".md", ".rst", ".txt", ".html", ".css", ".pdf", ".tex"}, true)
      .Cases({".py", ".ipynb", ".sh", ".js", ".ts", ".rb", ".pl", ".go"}, true)
      .Cases({".rs", ".java", ".m", ".f90", ".cmake", ".mk", ".bzl"}, true)
      .Cases({".json", ".yaml", ".yml", ".toml", ".xml", ".ini"}, true)
      .Cases({".cfg", ".csv", ".lock", ".log", ".patch", ".diff"}, true)
      .Cases({".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico"}, true)
      .Cases({".zip", ".gz", ".xz", ".bz2", ".a", ".o", ".so"}, true)
      .Default(sys::path::filename(File).starts_with("."));
}

static bool namesOneOf(StringRef File, ArrayRef<std::string> Headers) {
  auto Text = MemoryBuffer::getFile(File);
  return Text && any_of(Headers, [&](StringRef Header) {
           return (*Text)->getBuffer().contains(sys::path::filename(Header));
         });
}

/// Whether \p File speaks of the device.
static bool isDeviceText(StringRef File) {
  auto Text = MemoryBuffer::getFile(File);
  return Text && ((*Text)->getBuffer().contains("__device__") ||
                  (*Text)->getBuffer().contains("__global__"));
}

/// Plans the files of the database that include one of the headers; false:
/// none does.
bool Planner::includers(ArrayRef<std::string> Headers,
                        const CompileCommands &Database) {
  std::vector<CompileJob> Jobs;
  for (const std::string &File : Database.cudaFiles()) {
    Expected<std::vector<CompileJob>> Its =
        Database.jobsFor(File, Tidy.configOf(File).Command);
    if (Its) {
      append_range(Jobs, std::move(*Its));
      continue;
    }
    std::string Why = toString(Its.takeError());
    if (namesOneOf(File, Headers)) {
      fail(File, std::move(Why));
      continue;
    }
    LeftOut = true;
    if (WithoutCommand.insert(File).second)
      errs() << "warplint: remark: whether '" << File
             << "' includes what changed nothing tells: " << Why << '\n';
  }
  std::vector<size_t> Found = includersOf(Headers, Jobs, Options.Threads);
  for (size_t I : Found)
    if (none_of(Plan, [&](const PlannedFile &P) {
          return P.Job && P.Job->File == Jobs[I].File;
        }))
      byDatabase(Jobs[I].File, Database);
  return !Found.empty();
}

/// Headers reach what is planned; who else includes them nobody knows.
void Planner::withoutDatabase(ArrayRef<std::string> Headers) {
  std::vector<CompileJob> Jobs;
  for (const PlannedFile &P : Plan)
    if (P.Job)
      Jobs.push_back(*P.Job);
  for (const std::string &Header : Headers)
    // Others are the host's.
    if ((sys::path::extension(Header) == ".cuh" || isDeviceText(Header)) &&
        includersOf(Header, Jobs, Options.Threads).empty()) {
      LeftOut = true;
      errs() << "warplint: remark: left out '" << Header
             << "': without a compile database (-p) nothing tells which files "
                "include it\n";
    }
}

void Planner::changed(ArrayRef<std::string> Files) {
  MapVector<const CompileCommands *, std::vector<std::string>> Headers;
  for (const std::string &Name : Files) {
    std::string File = absolute(Name);
    if (!sys::fs::exists(File)) {
      // It may well be deleted: that is a change, too.
      errs() << "warplint: remark: left out '" << Name
             << "', which is not there\n";
      continue;
    }
    if (!sys::fs::is_regular_file(File)) {
      file(Name); // says what it is instead
      continue;
    }
    const CompileCommands *Database = databaseFor(File);
    bool Cuda = sys::path::extension(File) == ".cu";
    if (Database ? hasCuda(*Database, File) : Cuda)
      file(Name);
    else if (Cuda && !includers(File, *Database))
      byDefault(File, "the compile database has no command for it");
    else if (!isNoHeaderName(File) &&
             !(Database && isCompiled(*Database, File)))
      Headers[Database].push_back(File);
  }
  for (auto &[Database, Its] : Headers)
    if (Database)
      includers(Its, *Database);
    else
      withoutDatabase(Its);
}

/// The .cu files in the folder of \p File.
static std::vector<std::string> filesBeside(StringRef File) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (sys::fs::directory_iterator At(sys::path::parent_path(File), EC), End;
       At != End && !EC; At.increment(EC))
    if (sys::path::extension(At->path()) == ".cu")
      Files.push_back(At->path());
  return Files;
}

void Planner::throughIncluder(StringRef Name) {
  std::string Header = absolute(Name);
  const CompileCommands *Database = databaseFor(Header);
  std::vector<std::string> Files =
      Database ? Database->cudaFiles() : filesBeside(Header);
  // An editor waits: only what names it is looked into, and what is most likely
  // its own file first.
  constexpr size_t MostTried = 8;
  erase_if(Files,
           [&](const std::string &File) { return !namesOneOf(File, Header); });
  auto Distance = [&](StringRef File) {
    return std::tuple(sys::path::parent_path(File) !=
                          sys::path::parent_path(Header),
                      sys::path::stem(File) != sys::path::stem(Header), File);
  };
  sort(Files, [&](const std::string &A, const std::string &B) {
    return Distance(A) < Distance(B);
  });
  Files.resize(std::min(Files.size(), MostTried));
  for (const std::string &File : Files) {
    file(File);
    std::vector<CompileJob> Jobs;
    for (const PlannedFile &P : Plan)
      if (P.Job)
        Jobs.push_back(*P.Job);
    if (!includersOf(Header, Jobs, Options.Threads).empty())
      return;
    Plan.clear();
  }
}

/// Of -p, which may also name the file itself.
static StringRef folderOf(StringRef Database) {
  if (sys::path::filename(Database) == "compile_commands.json")
    Database = sys::path::parent_path(Database);
  return Database.empty() ? "." : Database;
}

/// The database of -p.
static Expected<CompileCommands> databaseGiven(StringRef Given) {
  StringRef Folder = folderOf(Given);
  // A database above it would be another one than was asked for.
  if (!sys::fs::is_directory(Folder))
    return createStringError("there is no folder '" + Folder +
                             "' to take compile_commands.json from");
  SmallString<256> File(Folder);
  sys::path::append(File, "compile_commands.json");
  if (!sys::fs::exists(File))
    return createStringError(
        "no compile_commands.json in '" + Folder +
        "': make one with 'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON' or 'bear "
        "-- make', or give the flags after '--'");
  return CompileCommands::load(Folder);
}

Error Planner::fromDatabase() {
  Expected<CompileCommands> Database = databaseGiven(Options.Database);
  if (!Database)
    return Database.takeError();
  Given = std::move(*Database);
  return Error::success();
}

RunPlan Planner::take(bool WholeDatabase) {
  RunPlan Run;
  Run.Files = std::move(Plan);
  ProgramSearch &Search = Run.Search;
  Search.Link = Options.Across != ToolOptions::AcrossNone;
  Search.OnlyShapes =
      Options.Across == ToolOptions::AcrossAuto && !WholeDatabase;
  if (!Search.Link || !Used)
    return Run;
  for (std::string &File : Used->allFiles())
    if (none_of(Run.Files, [&](const PlannedFile &P) {
          return P.Job && P.Job->File == File;
        }))
      Search.Others.push_back(std::move(File));
  Search.JobFor = [Database = *Used,
                   Command = Options.Command](StringRef File) {
    return Database.anyJobFor(File, Command);
  };
  return Run;
}

Expected<RunPlan> planFiles(const ToolOptions &Options, TidyRun &Tidy) {
  Planner P(Options, Tidy);
  std::vector<std::string> Files = Options.Files;
  if (!Options.Database.empty() && !Options.Flags) {
    if (Error E = P.fromDatabase())
      return std::move(E);
    if (Files.empty())
      Files = P.cudaFiles();
    if (Files.empty() && !Options.Changed)
      return createStringError("the compile database in '" + Options.Database +
                               "' has no CUDA file");
  }
  if (Options.Changed) {
    P.changed(Options.Files);
    RunPlan Run = P.take(/*WholeDatabase=*/false);
    if (Run.Files.empty() && !Options.Quiet)
      errs() << "warplint: nothing to analyse"
             << (P.leftOut() ? "" : ": what changed concerns no CUDA file")
             << '\n';
    return Run;
  }
  if (Files.empty())
    return createStringError(
        "no file to analyse: warplint FILE.cu..., or -p DIR for all CUDA "
        "files of a compile database; --help says more");
  bool WholeDatabase = Options.Files.empty();
  for (const std::string &File : Files)
    P.file(File);
  return P.take(WholeDatabase);
}

Expected<RunPlan> planThroughIncluder(const ToolOptions &Options, TidyRun &Tidy,
                                      StringRef Header) {
  Planner P(Options, Tidy);
  if (!Options.Database.empty() && !Options.Flags)
    if (Error E = P.fromDatabase())
      return std::move(E);
  P.throughIncluder(Header);
  return P.take(/*WholeDatabase=*/false);
}

Error writeCompileCommands(const ToolOptions &Options) {
  Expected<CompileCommands> Database = databaseGiven(Options.Database);
  if (!Database)
    return Database.takeError();
  std::vector<std::string> Problems;
  std::string Text = Database->translated(Options.Command, Problems);
  for (const std::string &Problem : Problems)
    errs() << "warplint: left out " << Problem << '\n';
  SmallString<256> Path(Options.CommandsTo);
  std::error_code EC = sys::fs::create_directories(Path);
  if (!EC && sys::fs::equivalent(Path, folderOf(Options.Database)))
    return createStringError("--write-compile-commands would overwrite the "
                             "database it reads: give another folder");
  sys::path::append(Path, "compile_commands.json");
  if (EC)
    return createStringError("cannot write '" + Path + "': " + EC.message());
  return writeToOutput(Path, [&](raw_ostream &OS) {
    OS << Text;
    return Error::success();
  });
}

} // namespace warplint
