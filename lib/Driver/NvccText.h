//===- NvccText.h - Text that nvcc takes and clang does not --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Changes to what clang reads, each of which keeps every column:
/// - formatters that do not know CUDA tear `<<<` and `>>>` apart; nvcc puts
///   `k << <grid, block >> > (x)` together again;
/// - a `__shared__` object whose class has a constructor (a cuda::barrier):
/// nvcc
///   warns and does not run it, clang refuses. Declared extern it has none.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_NVCCTEXT_H
#define WARPLINT_LIB_DRIVER_NVCCTEXT_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <optional>
#include <set>
#include <string>

namespace warplint {

/// \p Text with each torn launch joined, the blanks moved behind it, so that
/// every line keeps its length; nullopt where there is none. A torn `<< <` is
/// one of a launch when a torn or whole `>>>` and an opening parenthesis follow
/// in the same statement (`operator<< <T>` and `a<b<c>> >` are not).
std::optional<std::string> joinChevrons(llvm::StringRef Text);

/// `__shared__` before the variable at \p Offset, in its declaration, becomes
/// this word of the compat header; true if it was there.
inline constexpr llvm::StringLiteral SharedObjectWord = "_WL_OBJECT";
bool declareSharedObject(std::string &Text, size_t Offset);

/// Where variables stand: offsets by the file's name as it was opened.
using SharedObjects = std::map<std::string, std::set<unsigned>, std::less<>>;

/// \p Files, whose files are read as nvcc takes them.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
readAsNvcc(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
           SharedObjects Objects);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_NVCCTEXT_H
