//===- SharedArrays.h - Declarations of shared arrays, to be edited
//--------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_SHAREDARRAYS_H
#define WARPLINT_DRIVER_SHAREDARRAYS_H

#include "warplint/Driver/SourceEdit.h"
#include "warplint/Driver/SourcePlace.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace warplint {

/// A `__shared__` array of two or more extents, declared in a function of the
/// user's files.
struct SharedArray {
  SourcePlace Place; ///< of the name, as AccessNames::Declaration
  std::string Name;
  /// The text between the last brackets, and where it begins; "TILE".
  std::string RowText;
  std::string File;
  unsigned Offset = 0;
  /// `+` binds tighter than what RowText holds.
  bool NeedsParentheses = false;
  /// The line around it, and where in that RowText begins.
  std::string Line;
  unsigned OffsetInLine = 0;
  /// Why the length of a row must not be changed, or "": what code outside the
  /// declaration relies on it.
  std::string Obstacle;

  /// The edit that makes rows longer by so many elements.
  SourceEdit padded(unsigned Elements) const;
  /// The line before and after it.
  std::vector<std::string> paddedDiff(unsigned Elements) const;
};

/// All of them. An array of a template is listed once, with the obstacles of
/// all its instantiations.
std::vector<SharedArray> findSharedArrays(clang::ASTContext &Ctx);

} // namespace warplint

#endif // WARPLINT_DRIVER_SHAREDARRAYS_H
