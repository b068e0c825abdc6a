//===- NvccCommand.h - What a compile command asks of the device pass -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc and clang spell the same wishes differently, and clang reads some of
/// nvcc's spellings as something else without complaint: `-use_fast_math` is
/// `-u se_fast_math` to it, `--include-path=d` is `-include -path=d`, and the
/// directory of `-isystem=d` is looked for below the sysroot. So a command is
/// read with the option table of the compiler it was written for, and only
/// what the device pass needs is written down again for clang.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_NVCCCOMMAND_H
#define WARPLINT_DRIVER_NVCCCOMMAND_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warplint {

/// What a command means for the device pass, in clang's words.
struct DeviceFlags {
  /// Macros, include paths, language options. Neither inputs nor outputs, no
  /// architecture, no toolkit, no action.
  std::vector<std::string> Flags;
  /// The architectures named, as written and in order: "sm_90a",
  /// "compute_80", "native", "all".
  std::vector<std::string> Architectures;
  std::string CudaPath; ///< --cuda-path=, or ""
  /// Options that were dropped because nobody here knows them.
  std::vector<std::string> Unknown;
  std::vector<std::string> Remarks;
  /// The command turned the CUDA headers off (-nocudainc).
  bool NoCudaIncludes = false;
  /// The command is about a CUDA file whatever its name (-x cu, -x cuda).
  bool ForcesCuda = false;
};

/// Replaces `@file`, and when \p Nvcc also `--options-file` and `-optf`, by the
/// words of those files, which may name further ones. Relative names are
/// relative to \p Directory. Error: a file that cannot be read or includes
/// itself.
llvm::Expected<std::vector<std::string>>
expandResponseFiles(llvm::ArrayRef<std::string> Arguments,
                    llvm::StringRef Directory, bool Nvcc);

/// Reads the arguments of nvcc (without argv[0], response files expanded).
/// \p ForwardUnknown: options that nvcc does not know go to the host compiler,
/// as if -forward-unknown-to-host-compiler were given.
DeviceFlags readNvccCommand(llvm::ArrayRef<std::string> Arguments,
                            bool ForwardUnknown = false);

/// Reads the arguments of clang or of another compiler with the flags of GCC.
/// \p HostOnly: they were meant for the host compiler of nvcc, so that what
/// changes arithmetic must not reach device code.
DeviceFlags readClangCommand(llvm::ArrayRef<std::string> Arguments,
                             bool HostOnly = false);

/// Whether flags without a compiler were written for nvcc.
bool looksLikeNvcc(llvm::ArrayRef<std::string> Arguments);

/// Splits a value of nvcc at its commas; `\,` and quotes protect one. Other
/// escapes are resolved with \p Unescape: `S=\"a\"` is `S="a"`, as in nvcc.
std::vector<std::string> splitNvccList(llvm::StringRef Value,
                                       bool Unescape = true);

/// The architecture to analyse for among \p Named: the highest sm_ (or
/// compute_), \p Fallback when none is named or clang cannot compile for it,
/// as for the sm_20 of old makefiles. What the choice passes over is said in
/// \p Remarks. Error: not a name, or clang cannot compile for it and
/// \p Fallback is empty.
llvm::Expected<std::string>
chooseArchitecture(llvm::ArrayRef<std::string> Named, llvm::StringRef Fallback,
                   std::vector<std::string> &Remarks);

} // namespace warplint

#endif // WARPLINT_DRIVER_NVCCCOMMAND_H
