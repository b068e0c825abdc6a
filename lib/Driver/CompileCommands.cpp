//===- CompileCommands.cpp ------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/CompileCommands.h"
#include "warplint/Driver/DevicePass.h"
#include "warplint/Driver/NvccCommand.h"
#include "warplint/Driver/Toolkit.h"
#include "clang/Basic/OffloadArch.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace {

constexpr StringRef DefaultArch = "sm_90";

std::string absolutePath(StringRef Path, StringRef Directory) {
  SmallString<256> Result(Path);
  if (!Directory.empty())
    sys::path::make_absolute(Directory, Result);
  (void)sys::fs::make_absolute(Result); // a relative Directory: from here
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return std::string(Result);
}

enum class CompilerKind { None, Nvcc, Clang };

/// Drops launchers (`ccache nvcc`, `env A=b nvcc`) and tells what is left.
CompilerKind takeCompiler(ArrayRef<std::string> &Command,
                          std::string &Compiler) {
  static constexpr StringRef Launchers[] = {"ccache", "sccache",   "distcc",
                                            "icecc",  "env",       "time",
                                            "nice",   "buildcache"};
  while (!Command.empty() && !StringRef(Command[0]).starts_with("-")) {
    StringRef Name = sys::path::stem(Command[0]);
    bool Launcher = is_contained(Launchers, Name) ||
                    (StringRef(Command[0]).contains('=') &&
                     !StringRef(Command[0]).starts_with("/"));
    if (!Launcher)
      break;
    Command = Command.drop_front();
  }
  if (Command.empty() || StringRef(Command[0]).starts_with("-") ||
      StringRef(Command[0]).starts_with("@"))
    return CompilerKind::None;
  Compiler = Command[0];
  Command = Command.drop_front();
  // nvcc, nvcc-13.0, nvcc_wrapper; but nvc++ has the flags of GCC.
  return sys::path::filename(Compiler).starts_with("nvcc")
             ? CompilerKind::Nvcc
             : CompilerKind::Clang;
}

bool hasCudaName(StringRef File) {
  StringRef Extension = sys::path::extension(File);
  return Extension == ".cu" || Extension == ".cuh";
}

Error expandInto(StringRef Name, StringRef Directory, bool Nvcc,
                 SmallVectorImpl<std::string> &Stack,
                 std::vector<std::string> &Result);

Error expandWords(ArrayRef<std::string> Arguments, StringRef Directory,
                  bool Nvcc, SmallVectorImpl<std::string> &Stack,
                  std::vector<std::string> &Result) {
  for (size_t I = 0; I < Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if (A.size() > 1 && A.starts_with("@")) {
      if (Error E = expandInto(A.drop_front(), Directory, Nvcc, Stack, Result))
        return E;
      continue;
    }
    std::string Files;
    StringRef Value = A;
    if (Nvcc && (A == "--options-file" || A == "-optf") &&
        I + 1 < Arguments.size())
      Files = Arguments[++I];
    else if (Nvcc && (Value.consume_front("--options-file=") ||
                      Value.consume_front("-optf=")))
      Files = Value.str();
    if (Files.empty()) {
      Result.push_back(A.str());
      continue;
    }
    for (const std::string &File : warplint::splitNvccList(Files))
      if (Error E = expandInto(File, Directory, Nvcc, Stack, Result))
        return E;
  }
  return Error::success();
}

Error expandInto(StringRef Name, StringRef Directory, bool Nvcc,
                 SmallVectorImpl<std::string> &Stack,
                 std::vector<std::string> &Result) {
  std::string Path = absolutePath(Name, Directory);
  if (is_contained(Stack, Path))
    return createStringError("response file '" + Path + "' includes itself");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read response file '" + Path +
                             "': " + Buffer.getError().message());
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 64> Words;
  cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
  Stack.push_back(Path);
  std::vector<std::string> Arguments(Words.begin(), Words.end());
  if (Error E = expandWords(Arguments, Directory, Nvcc, Stack, Result))
    return E;
  Stack.pop_back();
  return Error::success();
}

/// `sm_90a` and `compute_90a` are 90; what names no number is nullopt.
std::optional<unsigned> architectureNumber(StringRef Name) {
  unsigned Number = 0;
  if (!Name.consume_front("sm_") && !Name.consume_front("compute_") &&
      !Name.consume_front("lto_"))
    return std::nullopt;
  if (Name.consumeInteger(10, Number))
    return std::nullopt;
  return Number;
}

/// Clang names architectures that it and the toolkit can no longer compile
/// for: libdevice and the headers' built-ins start with Kepler.
constexpr unsigned OldestArchitecture = 35;

bool compilesFor(StringRef Arch, unsigned Number) {
  return Number >= OldestArchitecture &&
         clang::IsNVIDIAOffloadArch(clang::StringToOffloadArch(Arch));
}

} // namespace

Expected<std::vector<std::string>>
warplint::expandResponseFiles(ArrayRef<std::string> Arguments,
                              StringRef Directory, bool Nvcc) {
  SmallVector<std::string, 4> Stack;
  std::vector<std::string> Result;
  if (Error E = expandWords(Arguments, Directory, Nvcc, Stack, Result))
    return E;
  return Result;
}

Expected<std::string>
warplint::chooseArchitecture(ArrayRef<std::string> Named, StringRef Fallback,
                             std::vector<std::string> &Remarks) {
  StringRef Best;
  unsigned BestNumber = 0;
  for (StringRef Name : Named) {
    std::optional<unsigned> Number = architectureNumber(Name);
    if (!Number) {
      if (Name == "native" || Name == "all" || Name == "all-major")
        Remarks.push_back("'" + Name.str() +
                          "' names no one architecture; --arch chooses one");
      else if (Named.size() == 1)
        return createStringError("'" + Name +
                                 "' is not an architecture: pass --arch=" +
                                 DefaultArch + " or another sm_ number");
      continue;
    }
    // Of sm_90a and compute_90, the one that names hardware.
    if (*Number > BestNumber ||
        (*Number == BestNumber && !Best.starts_with("sm_"))) {
      Best = Name;
      BestNumber = *Number;
    }
  }
  if (Best.empty())
    return Fallback.str();
  std::string Arch = ("sm_" + Best.substr(Best.find('_') + 1)).str();
  if (compilesFor(Arch, BestNumber))
    return Arch;
  // sm_103f differs from sm_103 in instructions, not in how memory is served.
  std::string Plain = "sm_" + std::to_string(BestNumber);
  if (compilesFor(Plain, BestNumber)) {
    Remarks.push_back("analysed for " + Plain + ", as clang does not know " +
                      Arch);
    return Plain;
  }
  std::string Why = BestNumber < OldestArchitecture
                        ? "'" + Arch + "' is older than sm_" +
                              std::to_string(OldestArchitecture) +
                              ", the oldest that can be compiled for"
                        : "clang does not know the architecture '" + Arch + "'";
  if (Fallback.empty())
    return createStringError(Why + ": pass --arch=" + DefaultArch +
                             " or another sm_ number");
  Remarks.push_back("analysed for " + Fallback.str() + ", as " + Why +
                    "; --arch chooses another");
  return Fallback.str();
}

namespace {
/// A command as its own compiler reads it.
struct CommandRead {
  warplint::CompileJob Job; ///< File, Directory and Nvcc
  std::string Compiler;     ///< or ""
  warplint::DeviceFlags Flags;
};

Expected<CommandRead> readCommand(ArrayRef<std::string> Command, StringRef File,
                                  StringRef Directory) {
  CommandRead Read;
  warplint::CompileJob &Job = Read.Job;
  Job.Directory = absolutePath(Directory.empty() ? "." : Directory, "");
  Job.File = absolutePath(File, Job.Directory);

  CompilerKind Kind = takeCompiler(Command, Read.Compiler);
  bool Nvcc = Kind == CompilerKind::Nvcc ||
              (Kind == CompilerKind::None && warplint::looksLikeNvcc(Command));
  Job.Nvcc = Nvcc;
  Expected<std::vector<std::string>> Expanded =
      warplint::expandResponseFiles(Command, Job.Directory, Nvcc);
  if (!Expanded)
    return Expanded.takeError();
  // Without a compiler, flags of both may stand side by side.
  Read.Flags =
      Nvcc ? warplint::readNvccCommand(*Expanded, Kind == CompilerKind::None)
           : warplint::readClangCommand(*Expanded);
  return Read;
}
} // namespace

/// Adds flags of clang, whatever compiler the command was written for.
static void addExtra(warplint::DeviceFlags &Device, ArrayRef<std::string> Extra,
                     bool Before) {
  warplint::DeviceFlags More = warplint::readClangCommand(Extra);
  auto Add = [&](std::vector<std::string> &To,
                 const std::vector<std::string> &From) {
    To.insert(Before ? To.begin() : To.end(), From.begin(), From.end());
  };
  Add(Device.Flags, More.Flags);
  Add(Device.Architectures, More.Architectures);
  Add(Device.Unknown, More.Unknown);
  if (!More.CudaPath.empty() && (!Before || Device.CudaPath.empty()))
    Device.CudaPath = More.CudaPath;
  Device.NoCudaIncludes |= More.NoCudaIncludes;
}

Expected<warplint::CompileJob>
warplint::translateCommand(ArrayRef<std::string> Given, StringRef File,
                           StringRef Directory, const CommandOptions &Options) {
  std::vector<std::string> Command;
  copy_if(Given, std::back_inserter(Command), [&](const std::string &Word) {
    return !is_contained(Options.Removed, Word);
  });
  Expected<CommandRead> Read = readCommand(Command, File, Directory);
  if (!Read)
    return Read.takeError();
  CompileJob Job = std::move(Read->Job);
  DeviceFlags &Device = Read->Flags;
  addExtra(Device, Options.ExtraBefore, /*Before=*/true);
  addExtra(Device, Options.Extra, /*Before=*/false);

  std::vector<std::string> Named = std::move(Device.Architectures);
  if (!Options.Arch.empty())
    Named.assign(1, Options.Arch);
  // Who asks for one on the command line gets that one or an error.
  Expected<std::string> Arch = chooseArchitecture(
      Named, Options.Arch.empty() ? DefaultArch : StringRef(), Job.Remarks);
  if (!Arch)
    return Arch.takeError();
  Job.Arch = *Arch;
  append_range(Job.Remarks, Device.Remarks);
  if (!Device.Unknown.empty())
    Job.Remarks.push_back("dropped what clang cannot read: " +
                          join(Device.Unknown, " "));

  Expected<std::string> Resources = findResourceDirectory();
  if (!Resources)
    return Resources.takeError();

  std::vector<std::string> &Out = Job.Arguments;
  Out = {WARPLINT_CLANG_DRIVER, "-resource-dir=" + *Resources};
  append_range(Out, Device.Flags);
  append_range(Out, std::initializer_list<std::string>{
                        "--cuda-device-only", "--cuda-gpu-arch=" + Job.Arch,
                        "--no-cuda-version-check", "-Wno-unknown-cuda-version",
                        // Only errors are shown. Unlike -w this also lets pass
                        // what clang makes an error and nvcc a warning.
                        "-Wno-everything",
                        // Lifetimes are written only when optimising.
                        "-O2", "-fsyntax-only"});
  std::string Wanted =
      Options.CudaPath.empty() ? "" : absolutePath(Options.CudaPath, "");
  std::string FromCommand = Device.CudaPath.empty()
                                ? ""
                                : absolutePath(Device.CudaPath, Job.Directory);
  Expected<std::string> Toolkit =
      findCudaToolkit(Wanted, FromCommand, Read->Compiler);
  if (!Toolkit && !Device.NoCudaIncludes)
    return Toolkit.takeError();
  if (Toolkit) {
    // Its version is what clang derives the form of a launch from.
    Out.push_back("--cuda-path=" + *Toolkit);
    // nvcc 13 searches the C++ core libraries there without being told.
    SmallString<256> Cccl(*Toolkit);
    sys::path::append(Cccl, "include", "cccl");
    if (sys::fs::is_directory(Cccl)) {
      Out.push_back("-isystem");
      Out.push_back(std::string(Cccl));
    }
  } else {
    // The command brings its own declarations and needs no toolkit.
    consumeError(Toolkit.takeError());
    Out.push_back("-nocudalib");
  }
  append_range(Out, std::initializer_list<std::string>{"-x", "cuda", Job.File});
  return Job;
}

Expected<warplint::CompileJob>
warplint::translateHostCommand(ArrayRef<std::string> Command, StringRef File,
                               StringRef Directory,
                               const CommandOptions &Options) {
  Expected<CommandRead> Read = readCommand(Command, File, Directory);
  if (!Read)
    return Read.takeError();
  CompileJob Job = std::move(Read->Job);
  Job.Host = true;
  Expected<std::string> Resources = findResourceDirectory();
  if (!Resources)
    return Resources.takeError();
  std::vector<std::string> &Out = Job.Arguments;
  Out = {WARPLINT_CLANG_DRIVER, "-resource-dir=" + *Resources};
  append_range(Out, Read->Flags.Flags);
  append_range(Out, std::initializer_list<std::string>{"-Wno-everything", "-O2",
                                                       "-fsyntax-only"});
  // nvcc hands the host compiler its own headers' directory.
  Expected<std::string> Toolkit = findCudaToolkit(
      Options.CudaPath.empty() ? "" : absolutePath(Options.CudaPath, ""),
      Read->Flags.CudaPath, Read->Compiler);
  if (!Toolkit) {
    consumeError(Toolkit.takeError());
  } else if (Job.Nvcc) {
    SmallString<256> Include(*Toolkit);
    sys::path::append(Include, "include");
    append_range(Out, std::initializer_list<std::string>{"-isystem",
                                                         std::string(Include)});
  }
  StringRef Language = sys::path::extension(Job.File) == ".c" ? "c" : "c++";
  append_range(
      Out, std::initializer_list<std::string>{"-x", Language.str(), Job.File});
  return Job;
}

Expected<warplint::CompileCommands>
warplint::CompileCommands::load(StringRef Directory) {
  SmallString<256> Where(absolutePath(Directory.empty() ? "." : Directory, ""));
  SmallString<256> Path;
  for (StringRef Above = Where; !Above.empty();
       Above = sys::path::parent_path(Above)) {
    Path = Above;
    sys::path::append(Path, "compile_commands.json");
    if (sys::fs::exists(Path))
      break;
    Path.clear();
  }
  if (Path.empty())
    return createStringError(
        "no compile_commands.json in '" + Where +
        "' or above it: make one with 'cmake "
        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON' or 'bear -- make', or give the "
        "flags after '--'");

  // The database's own parser prints what it dislikes; this one tells.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError("cannot read '" + Path +
                             "': " + Text.getError().message());
  Expected<json::Value> Json = json::parse((*Text)->getBuffer());
  if (!Json)
    return createStringError("cannot read '" + Path +
                             "': " + toString(Json.takeError()));
  std::string Message;
  std::unique_ptr<clang::tooling::JSONCompilationDatabase> Database =
      clang::tooling::JSONCompilationDatabase::loadFromFile(
          Path, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database) {
    StringRef FirstLine = StringRef(Message).trim().split('\n').first;
    return createStringError("cannot read '" + Path + "': " + FirstLine);
  }
  CompileCommands Result;
  SmallString<256> Base(sys::path::parent_path(Path));
  for (clang::tooling::CompileCommand &Command :
       Database->getAllCompileCommands()) {
    Entry E;
    E.Directory = absolutePath(Command.Directory, Base);
    E.File = absolutePath(Command.Filename, E.Directory);
    E.Arguments = std::move(Command.CommandLine);
    Result.Entries.push_back(std::move(E));
  }
  return Result;
}

Expected<std::vector<warplint::CompileJob>>
warplint::CompileCommands::jobsFor(StringRef File,
                                   const CommandOptions &Options) const {
  std::string Wanted = absolutePath(File, "");
  std::vector<CompileJob> Jobs;
  for (const Entry &E : Entries) {
    // A file may be reached through a link; then its identity decides.
    if (E.File != Wanted &&
        !(sys::path::filename(E.File) == sys::path::filename(Wanted) &&
          sys::fs::equivalent(E.File, Wanted)))
      continue;
    if (E.Arguments.empty())
      return createStringError(
          "the compile database has an empty command for '" + Wanted +
          "': write it anew");
    Expected<CompileJob> Job =
        translateCommand(E.Arguments, E.File, E.Directory, Options);
    if (!Job)
      return Job.takeError();
    // Commands that differ in their output alone parse alike.
    if (none_of(Jobs, [&](const CompileJob &Other) {
          return Other.Arguments == Job->Arguments &&
                 Other.Directory == Job->Directory;
        }))
      Jobs.push_back(std::move(*Job));
  }
  if (Jobs.empty())
    return createStringError(
        "the compile database has no command for '" + Wanted +
        "': give a file that it compiles, or the flags after '--'");
  return Jobs;
}

bool warplint::CompileCommands::Entry::isCuda() const {
  bool Cuda = hasCudaName(File);
  for (size_t I = 0; I < Arguments.size() && !Cuda; ++I) {
    StringRef A = Arguments[I];
    bool Spaced = I + 1 < Arguments.size() && (A == "-x" || A == "--x");
    StringRef Language = Spaced ? StringRef(Arguments[I + 1]) : A;
    Cuda = Spaced ? Language == "cu" || Language == "cuda"
                  : A == "-xcuda" || A == "-x=cu" || A == "--x=cu";
  }
  return Cuda;
}

std::vector<std::string> warplint::CompileCommands::cudaFiles() const {
  std::vector<std::string> Files;
  StringSet<> Seen;
  for (const Entry &E : Entries)
    if (E.isCuda() && Seen.insert(E.File).second)
      Files.push_back(E.File);
  return Files;
}

std::vector<std::string> warplint::CompileCommands::allFiles() const {
  std::vector<std::string> Files;
  StringSet<> Seen;
  for (const Entry &E : Entries)
    if (Seen.insert(E.File).second)
      Files.push_back(E.File);
  return Files;
}

Expected<warplint::CompileJob>
warplint::CompileCommands::anyJobFor(StringRef File,
                                     const CommandOptions &Options) const {
  for (const Entry &E : Entries)
    if (E.File == File)
      return (E.isCuda() ? translateCommand : translateHostCommand)(
          E.Arguments, E.File, E.Directory, Options);
  return createStringError("the compile database has no command for '" + File +
                           "'");
}

std::string warplint::CompileCommands::translated(
    const CommandOptions &Options, std::vector<std::string> &Problems) const {
  json::Array Commands;
  for (const Entry &E : Entries) {
    std::vector<std::string> Words = E.Arguments;
    if (E.isCuda()) {
      Expected<CompileJob> Job =
          translateCommand(E.Arguments, E.File, E.Directory, Options);
      if (!Job) {
        Problems.push_back(E.File + ": " + toString(Job.takeError()));
        continue;
      }
      Words = std::move(Job->Arguments);
      if (Job->Nvcc)
        Words.insert(std::next(Words.begin()), ("-D" + NvccCommandMacro).str());
    }
    Commands.push_back(json::Object{{"directory", E.Directory},
                                    {"file", E.File},
                                    {"arguments", json::Array(Words)}});
  }
  return formatv("{0:2}\n", json::Value(std::move(Commands)));
}

bool warplint::CompileCommands::hasNvccCommand() const {
  return any_of(Entries, [](const Entry &E) {
    ArrayRef<std::string> Command = E.Arguments;
    std::string Compiler;
    return E.isCuda() && takeCompiler(Command, Compiler) == CompilerKind::Nvcc;
  });
}
