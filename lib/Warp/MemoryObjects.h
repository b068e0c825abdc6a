//===- MemoryObjects.h - What pointers point into ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_MEMORYOBJECTS_H
#define WARPLINT_LIB_WARP_MEMORYOBJECTS_H

#include "warplint/Lane/LaneDomain.h"
#include "warplint/Machine/MachineModel.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <string>

namespace llvm {
class DataLayout;
class GlobalVariable;
class Value;
} // namespace llvm

namespace warplint {

/// A thing in memory, known by the symbol of its address.
struct MemoryObject {
  std::string Name;
  MemorySpace Space = MemorySpace::Generic;
  uint64_t Align = 1; ///< bytes
  uint64_t Size = 0;  ///< bytes; 0: not known
  const llvm::GlobalVariable *Global = nullptr;
  std::optional<unsigned> Parameter; ///< kernel parameter it came in by
  bool IsParameterMemory = false;    ///< a struct passed by value
  bool IsLocal = false;              ///< a thread's own array
  std::string Assumption;            ///< what its alignment rests on, or ""
};

/// The objects of one kernel run.
class MemoryObjects {
public:
  explicit MemoryObjects(LaneDomain &D) : D(D) {}

  /// A new object; its address is a uniform symbol with the alignment for a
  /// divisor. \p Varying: each lane has one of its own (a pointer loaded by an
  /// index).
  SymbolId create(MemoryObject O, bool Varying = false);
  const MemoryObject *find(SymbolId Address) const;
  /// The program promises that the object is aligned to \p Align bytes.
  void assumeAligned(SymbolId Address, uint64_t Align);

  /// An address split into the object it points into and the byte offset.
  struct Resolved {
    const MemoryObject *Object = nullptr; ///< null: none, or several
    SymbolId Address = 0;                 ///< of Object
    LaneInt Offset; ///< from Object; the whole address when Object is null
    /// The space all candidate objects agree on.
    std::optional<MemorySpace> Space;
    bool Several = false;
  };
  Resolved resolve(const LaneInt &Address, LaneMask Active) const;

private:
  LaneDomain &D;
  llvm::DenseMap<SymbolId, MemoryObject> ByAddress;
};

} // namespace warplint

#endif // WARPLINT_LIB_WARP_MEMORYOBJECTS_H
