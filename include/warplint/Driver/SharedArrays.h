//===- SharedArrays.h - Shared arrays and their uses, to be edited --------===//
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
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace warplint {

/// A stretch of a file's text, on one line.
struct TextRange {
  std::string File; ///< absolute path
  unsigned Offset = 0;
  std::string Text;
  /// An operator in it binds looser than the sum or product it may become a
  /// part of.
  bool Loose = false;

  SourceEdit replacedBy(std::string New) const {
    return {File, Offset, static_cast<unsigned>(Text.size()), std::move(New)};
  }
};

/// A constant by which an index, or an extent, is multiplied.
struct ConstantFactor {
  TextRange Text;              ///< "TILE"
  unsigned Product = 0;        ///< factors of one product have the same number
  std::vector<int64_t> Values; ///< one for each instantiation, at least
};

/// One `tile[r][c]` or `s[i]` of the text.
struct ArraySubscript {
  TextRange Index; ///< between the last brackets
  TextRange Row;   ///< between those before them; Text "": there are none
  /// Both may be written once more: they read no memory and change nothing.
  bool Repeatable = false;
  std::vector<ConstantFactor> Factors; ///< of Index
};

/// A `__shared__` array of fixed size in the user's files. The edits are those
/// of its text; whether they do what they should, a run over the changed text
/// tells.
struct SharedArray {
  SourcePlace Place; ///< of the name, as AccessNames::Declaration
  std::string Name;
  unsigned Rank = 0; ///< number of extents
  TextRange Extent;  ///< between the last brackets of the declaration
  std::vector<ConstantFactor> Factors; ///< of Extent
  /// Of an array whose type has a name: the edits that write it out, up to
  /// Extent, which is the text to be inserted then.
  std::vector<SourceEdit> WriteOut;
  std::vector<ArraySubscript> Subscripts; ///< each place of the text once

  /// Why the length of a row must not be changed, or "": what code outside the
  /// declaration relies on it.
  std::string Obstacle;
  /// Why its elements cannot change places, or "": uses that are no subscript
  /// in the text, or addresses from which code goes on to other elements.
  std::string MoveObstacle;
  /// So many elements are accessed at once somewhere (`*(float4 *)&t[r][c]`),
  /// aligned to their size, be it that the compiler reads but one of them: they
  /// move together. VectorUse says where.
  unsigned VectorElements = 1;
  std::string VectorUse;

  /// Rows of two or more extents longer by so many elements.
  std::vector<SourceEdit> padded(unsigned Elements) const;

  /// Of one extent, used as rows of \p Row elements (`s[r * Row + c]`): the
  /// same. Error: rows cannot be told in the text.
  llvm::Expected<std::vector<SourceEdit>> pitched(int64_t Row,
                                                  unsigned Elements) const;
  /// All rows taken for the first (of \p Row elements, where there is but one
  /// extent), so that a run shows how far columns reach.
  llvm::Expected<std::vector<SourceEdit>> columnsOnly(int64_t Row) const;
  /// Of one extent: \p Elements free ones after every \p Row.
  llvm::Expected<std::vector<SourceEdit>> gapped(int64_t Row,
                                                 unsigned Elements) const;
  /// Of two extents: column c of row r at c ^ (r % \p Columns), counted
  /// in units of \p Unit elements.
  llvm::Expected<std::vector<SourceEdit>> swizzled(int64_t Columns,
                                                   int64_t Unit) const;
};

/// All of them. An array of a template is listed once, with what all its
/// instantiations say.
std::vector<SharedArray> findSharedArrays(clang::ASTContext &Ctx);

} // namespace warplint

#endif // WARPLINT_DRIVER_SHAREDARRAYS_H
