//===- LocalMemory.cpp - The contents of a thread's own arrays -----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalMemory.h"

using namespace llvm;

namespace warplint {

/// The lanes of \p Mask grouped by their constant offset.
static std::map<int64_t, LaneMask> groupByOffset(const LaneInt &Offset,
                                                 LaneMask Mask) {
  std::map<int64_t, LaneMask> Groups;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (Mask >> L & 1)
      Groups[Offset.constant()[L]] |= LaneMask(1) << L;
  return Groups;
}

void LocalMemory::store(LaneDomain &D, SymbolId Object, const LaneInt &Offset,
                        unsigned Bytes, const LaneInt &V, LaneMask Mask,
                        const LaneInt *Certain) {
  if (!Offset.isConstant())
    return forget(Object);
  auto &Array = Cells[Object];
  for (auto [At, Group] : groupByOffset(Offset, Mask)) {
    // Cells that this one overlaps without being the same are lost.
    for (auto I = Array.lower_bound(At - 16); I != Array.end();) {
      bool Overlaps = I->first < At + int64_t(Bytes) &&
                      At < I->first + int64_t(I->second.Bytes);
      bool Same = I->first == At && I->second.Bytes == Bytes;
      if (I->first >= At + int64_t(Bytes))
        break;
      I = Overlaps && !Same ? Array.erase(I) : std::next(I);
    }
    auto Found = Array.find(At);
    if (Found == Array.end()) {
      // Whether it was written at all is not known: leave it unknown.
      if (!Certain)
        Array.emplace(At, Cell{Bytes, Group, V});
      continue;
    }
    Cell &C = Found->second;
    LaneInt New = Certain ? D.select(*Certain, V, C.V) : V;
    if (Certain)
      Group &= C.Written;
    C.V = D.shorten(D.blend(Group, New, C.V));
    C.Written |= Group;
  }
}

std::optional<LaneInt> LocalMemory::load(const LaneDomain &D, SymbolId Object,
                                         const LaneInt &Offset, unsigned Bytes,
                                         LaneMask Mask) const {
  auto Array = Cells.find(Object);
  if (Array == Cells.end() || !Offset.isConstant())
    return std::nullopt;
  LaneInt V;
  for (auto [At, Group] : groupByOffset(Offset, Mask)) {
    auto C = Array->second.find(At);
    if (C == Array->second.end() || C->second.Bytes != Bytes ||
        (Group & ~C->second.Written))
      return std::nullopt;
    V = D.blend(Group, C->second.V, V);
  }
  return V;
}

void LocalMemory::forgetChanged(const LocalMemory &After) {
  for (auto Array = Cells.begin(); Array != Cells.end();) {
    auto Other = After.Cells.find(Array->first);
    if (Other == After.Cells.end()) {
      Array = Cells.erase(Array);
      continue;
    }
    for (auto C = Array->second.begin(); C != Array->second.end();) {
      auto O = Other->second.find(C->first);
      bool Kept = O != Other->second.end() && O->second == C->second;
      C = Kept ? std::next(C) : Array->second.erase(C);
    }
    ++Array;
  }
}

} // namespace warplint
