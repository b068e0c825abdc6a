//===- TranslatedArguments.cpp - clang-tidy's arguments without nvcc's ----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TranslatedArguments.h"
#include "warplint/Driver/CompileCommands.h"
#include "warplint/Driver/DevicePass.h"
#include "warplint/Driver/NvccCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {

/// Whether clang-tidy's option takes the next argument as its value.
static bool takesNext(StringRef Name) {
  // These are registered later than the others.
  if (is_contained({"p", "extra-arg", "extra-arg-before"}, Name))
    return true;
  cl::Option *Known = cl::getRegisteredOptions().lookup(Name);
  return Known && Known->getValueExpectedFlag() == cl::ValueRequired;
}

static void warn(Error E) {
  WithColor::warning() << "nvcc's flags are not translated: "
                       << toString(std::move(E)) << '\n';
}

TranslatedArguments::TranslatedArguments(ArrayRef<const char *> Arguments)
    : Result(Arguments.begin(), Arguments.end()) {
  size_t Dashes = find(Result, "--") - Result.begin();
  std::string Folder, File;
  std::vector<std::string> WithoutFolder(1, Result[0]);
  for (size_t I = 1; I < Dashes; ++I) {
    StringRef Word = Result[I];
    if (!Word.starts_with("-")) {
      if (File.empty())
        File = Word.str();
      WithoutFolder.push_back(Result[I]);
      continue;
    }
    auto [Name, Value] = Word.ltrim('-').split('=');
    size_t First = I;
    if (!Word.contains('=') && takesNext(Name) && I + 1 < Dashes)
      Value = Result[++I];
    if (Name == "p")
      Folder = Value.str();
    else
      WithoutFolder.insert(WithoutFolder.end(), Result.begin() + First,
                           Result.begin() + I + 1);
  }
  if (File.empty())
    return;
  if (Dashes < Result.size()) {
    translateFlags(Dashes, File);
    return;
  }
  if (Folder.empty())
    Folder = sys::path::parent_path(File).str();
  if (translateDatabase(Folder)) {
    Result = std::move(WithoutFolder);
    Result.push_back("-p=" + Written.str().str());
  }
}

void TranslatedArguments::translateFlags(size_t Dashes, StringRef File) {
  std::vector<std::string> Flags(Result.begin() + Dashes + 1, Result.end());
  if (!looksLikeNvcc(Flags))
    return;
  SmallString<256> Here, Path(File);
  sys::fs::current_path(Here);
  sys::fs::make_absolute(Path);
  Expected<CompileJob> Job =
      translateCommand(Flags, Path, Here, CommandOptions());
  if (!Job)
    return warn(Job.takeError());
  Result.resize(Dashes + 1);
  Result.push_back(("-D" + NvccCommandMacro).str());
  // Neither the compiler nor the file, which clang-tidy adds.
  Result.insert(Result.end(), std::next(Job->Arguments.begin()),
                std::prev(Job->Arguments.end()));
}

bool TranslatedArguments::translateDatabase(StringRef Folder) {
  Expected<CompileCommands> Database = CompileCommands::load(Folder);
  if (!Database) { // clang-tidy has its own words for that
    consumeError(Database.takeError());
    return false;
  }
  if (!Database->hasNvccCommand())
    return false;
  std::vector<std::string> Problems;
  std::string Text = Database->translated(CommandOptions(), Problems);
  for (const std::string &Problem : Problems)
    WithColor::warning() << "no command for " << Problem << '\n';
  std::error_code EC =
      sys::fs::createUniqueDirectory("warplint-commands", Written);
  SmallString<128> Path(Written);
  sys::path::append(Path, "compile_commands.json");
  if (!EC) {
    sys::RemoveFileOnSignal(Path);
    raw_fd_ostream OS(Path, EC);
    OS << Text;
    OS.close();
    if (!EC)
      EC = OS.error();
    OS.clear_error();
  }
  if (EC)
    warn(createStringError("cannot write '" + Path + "': " + EC.message()));
  return !EC;
}

TranslatedArguments::~TranslatedArguments() {
  if (!Written.empty())
    sys::fs::remove_directories(Written);
}

} // namespace warplint
