//===- CompileCommands.h - The command with which a file is parsed --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_COMPILECOMMANDS_H
#define WARPLINT_DRIVER_COMPILECOMMANDS_H

#include "warplint/Driver/UnsavedFiles.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// One file to parse and the clang command for its device pass.
struct CompileJob {
  std::string File;      ///< absolute
  std::string Directory; ///< working directory of the command, absolute
  /// Arguments of a clang driver, argv[0] and the file included: `-x cuda
  /// --cuda-device-only --cuda-gpu-arch=sm_90 ...`, ready for the device pass.
  std::vector<std::string> Arguments;
  std::string Arch; ///< "sm_90"
  /// The command was nvcc's: the user's files see nvcc's macros (__NVCC__,
  /// __CUDACC_VER_MAJOR__, ...), as they do there.
  bool Nvcc = false;
  /// A file for the host alone: Arguments parse it as such, and there is no
  /// device pass.
  bool Host = false;
  /// What an editor holds of the files; null: all are as they are on disk.
  std::shared_ptr<const UnsavedFiles> Unsaved;
  /// What was dropped or could not be honoured, one line each.
  std::vector<std::string> Remarks;
};

struct CommandOptions {
  std::string Arch;     ///< --arch; "": the command's own, else sm_90
  std::string CudaPath; ///< "": the command's, $CUDA_PATH, the usual places
  /// Flags of clang before and after the command's own, and words of the
  /// command that are left out.
  std::vector<std::string> ExtraBefore, Extra, Removed;
};

/// Translates one compile command, nvcc's or clang's, into a clang device-pass
/// command. \p Command: argv with the compiler first (may be empty for flags
/// given after `--`). Response and options files are read relative to
/// \p Directory. Errors: a response file that cannot be read, an architecture
/// that clang does not know, no CUDA toolkit, no headers of clang.
llvm::Expected<CompileJob> translateCommand(llvm::ArrayRef<std::string> Command,
                                            llvm::StringRef File,
                                            llvm::StringRef Directory,
                                            const CommandOptions &Options);

/// The same for a file that the host alone compiles (C or C++): it holds no
/// kernel, but may call what launches some.
llvm::Expected<CompileJob>
translateHostCommand(llvm::ArrayRef<std::string> Command, llvm::StringRef File,
                     llvm::StringRef Directory, const CommandOptions &Options);

/// A compile database with the jobs of its CUDA files.
class CompileCommands {
public:
  /// Loads compile_commands.json from \p Directory (or a parent of it). Error:
  /// one line saying how to make one.
  static llvm::Expected<CompileCommands> load(llvm::StringRef Directory);

  /// The jobs that compile \p File: one for each distinct command.
  /// Error: the database has no entry for it.
  llvm::Expected<std::vector<CompileJob>>
  jobsFor(llvm::StringRef File, const CommandOptions &Options) const;

  /// All CUDA files in the database, absolute, in its order.
  std::vector<std::string> cudaFiles() const;

  /// All files in the database, of whatever language, likewise.
  std::vector<std::string> allFiles() const;

  /// The job that parses \p File, of CUDA or of the host, by its first command.
  /// Error: as jobsFor.
  llvm::Expected<CompileJob> anyJobFor(llvm::StringRef File,
                                       const CommandOptions &Options) const;

  /// A CUDA file is compiled by nvcc.
  bool hasNvccCommand() const;

  /// The text of a compile_commands.json with the same files, in which the
  /// commands of CUDA files are those of their device pass, for tools that know
  /// clang's flags alone. \p Problems: a line for each that was left out.
  std::string translated(const CommandOptions &Options,
                         std::vector<std::string> &Problems) const;

private:
  struct Entry {
    std::string File, Directory;
    std::vector<std::string> Arguments;
    bool isCuda() const;
  };
  std::vector<Entry> Entries;
};

} // namespace warplint

#endif // WARPLINT_DRIVER_COMPILECOMMANDS_H
