//===- RunCommands.h - How a program is said to be run ----------*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sizes that a program takes from its command line are no secret where the
/// project says how it is run: `make run`, `make test`, a script called `run`,
/// CTest. Nothing is executed: the text is read, and a command that would need
/// a shell or Make to be understood is left out.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_RUNCOMMANDS_H
#define WARPLINT_DRIVER_RUNCOMMANDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace warplint {

/// One way in which a program is run.
struct RunCommand {
  /// The words of the command line, the program itself first, as `main` gets
  /// them; never empty.
  std::vector<std::string> Words;
  /// Where it is written: "Makefile:57", or "" for what the user said.
  std::string Place;
  bool operator==(const RunCommand &) const = default;
  /// "the program is run as './main 1024 8' (Makefile:57)", shortened; words
  /// that are empty or have blanks or quotes stand in double quotes, control
  /// characters are '?'.
  std::string describe() const;
};

/// The program \p Line, one line for a shell, runs, with wrappers (`time`,
/// `mpirun`), variables set for it and redirections left out; one for each of
/// `./a 1 && ./a 2`. What runs no program of the project (`rm -rf out`,
/// `/bin/echo`), hangs on the shell (`./a $N *.txt`) or on how another command
/// ends (`./a || ./b`, `if`) gives none.
std::vector<RunCommand> commandsIn(llvm::StringRef Line, llvm::StringRef Place);

/// `./program` with \p Arguments, words as a shell splits them; nullopt where
/// more than words are there (an operator, a comment, a quote that does not
/// end), or something only a shell knows (`$N`, `*`).
std::optional<RunCommand> commandOfArguments(llvm::StringRef Arguments);

/// The commands of the targets `run`, or else `test`, or else `check`, of the
/// Makefile \p Text. Recipes under a condition, and with variables whose value
/// hangs on one, on another file, a target or on Make's functions, are left
/// out. \p Name: of the file, for RunCommand::Place.
std::vector<RunCommand> commandsOfMakefile(llvm::StringRef Text,
                                           llvm::StringRef Name);

/// The tests that CMake wrote into the CTestTestfile.cmake \p Text; the folders
/// it names go to \p Folders.
std::vector<RunCommand> commandsOfCTest(llvm::StringRef Text,
                                        llvm::StringRef Name,
                                        std::vector<std::string> &Folders);

/// How the program whose `main` is in \p File (absolute) is run, by what a
/// Makefile, a script or CTest says beside it or in \p Directory, where it is
/// compiled; at most \p MaxRunCommands, no two with the same arguments. A
/// program is the file's if it bears its name; or if it is the only one that is
/// run there and the file the only source of its folder with a `main`, or the
/// only such that the Makefile names (which it must where it is elsewhere).
std::vector<RunCommand> findRunCommands(llvm::StringRef File,
                                        llvm::StringRef Directory,
                                        llvm::vfs::FileSystem &FS);

/// Each costs an evaluation of all launches.
inline constexpr size_t MaxRunCommands = 4;

} // namespace warplint

#endif // WARPLINT_DRIVER_RUNCOMMANDS_H
