//===- LayoutChange.h - Another layout of a shared array ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DIAGNOSE_LAYOUTCHANGE_H
#define WARPLINT_DIAGNOSE_LAYOUTCHANGE_H

#include <cstdint>

namespace warplint {

/// A layout that by enumeration removes a bank conflict: where each byte of the
/// array goes. In bytes.
struct LayoutChange {
  enum Kind {
    DeclaredRows, ///< Pad bytes after each row of the declaration
    LaneRows,     ///< ... after each stretch that one lane owns
    Gaps,         ///< ... after each full round over the banks
    Swizzle,      ///< columns of Pad bytes, exchanged by XOR with the row
  } K = DeclaredRows;
  int64_t Row = 0, Pad = 0;

  /// Byte offset in the array -> byte offset in the changed array.
  int64_t operator()(int64_t Offset) const;

  bool operator==(const LayoutChange &) const = default;
};

} // namespace warplint

#endif // WARPLINT_DIAGNOSE_LAYOUTCHANGE_H
