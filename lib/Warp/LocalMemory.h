//===- LocalMemory.h - The contents of a thread's own arrays -------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_LOCALMEMORY_H
#define WARPLINT_LIB_WARP_LOCALMEMORY_H

#include "warplint/Lane/LaneDomain.h"
#include <map>
#include <optional>

namespace warplint {

/// What stands in local arrays, by object and byte offset, as far as it was
/// written at known offsets. Copied at loops, so it stays small.
class LocalMemory {
public:
  /// Lanes of \p Mask store \p V of \p Bytes bytes at \p Offset. \p Certain is
  /// null when the store happens for sure, else the truth value that says
  /// whether (1 in all lanes of the path).
  void store(LaneDomain &D, SymbolId Object, const LaneInt &Offset,
             unsigned Bytes, const LaneInt &V, LaneMask Mask,
             const LaneInt *Certain);

  /// nullopt: something that was not written at a known offset.
  std::optional<LaneInt> load(const LaneDomain &D, SymbolId Object,
                              const LaneInt &Offset, unsigned Bytes,
                              LaneMask Mask) const;

  /// Forgets an object's contents (its address went somewhere unseen).
  void forget(SymbolId Object) { Cells.erase(Object); }
  void forgetAll() { Cells.clear(); }

  /// Forgets each cell that differs in \p After: what a loop body changes.
  void forgetChanged(const LocalMemory &After);

private:
  struct Cell {
    unsigned Bytes;
    LaneMask Written;
    LaneInt V;
    bool operator==(const Cell &) const = default;
  };
  std::map<SymbolId, std::map<int64_t, Cell>> Cells;
};

} // namespace warplint

#endif // WARPLINT_LIB_WARP_LOCALMEMORY_H
