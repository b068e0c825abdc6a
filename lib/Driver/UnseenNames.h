//===- UnseenNames.h - Names in text that was not compiled ------*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that this compilation leaves out (the other side of an `#if`, a macro
// that is not used, a discarded `if constexpr`) may use a variable as well. An
// edit of the variable must be right there too, and nobody can tell.
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_UNSEENNAMES_H
#define WARPLINT_LIB_DRIVER_UNSEENNAMES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class FileEntry;
class VarDecl;
} // namespace clang

namespace warplint {

class UnseenNames {
public:
  explicit UnseenNames(const clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// The name at \p Loc is known for what it is.
  void saw(clang::SourceLocation Loc);

  /// The first place in the scope of \p VD, what it includes, or a macro, where
  /// its name stands and none was seen; invalid: there is none.
  clang::SourceLocation find(const clang::VarDecl &VD) const;

private:
  clang::SourceLocation findIn(clang::FileID File, llvm::StringRef Name,
                               unsigned Begin, unsigned End) const;

  using Place = std::pair<const clang::FileEntry *, unsigned>;

  const clang::ASTContext &Ctx;
  llvm::DenseSet<Place> Seen; ///< files and offsets
};

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_UNSEENNAMES_H
