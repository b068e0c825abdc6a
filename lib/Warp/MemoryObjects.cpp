//===- MemoryObjects.cpp - What pointers point into ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryObjects.h"

using namespace llvm;

namespace warplint {

SymbolId MemoryObjects::create(MemoryObject O, bool Varying) {
  Symbol S;
  S.Name = "&" + O.Name;
  S.Origin = SymbolOrigin::Address;
  S.Varying = Varying;
  S.Lo = 1; // not null
  S.Divisor = std::max<uint64_t>(O.Align, 1);
  SymbolId Id = D.fresh(std::move(S));
  ByAddress[Id] = std::move(O);
  return Id;
}

const MemoryObject *MemoryObjects::find(SymbolId Address) const {
  auto At = ByAddress.find(Address);
  return At == ByAddress.end() ? nullptr : &At->second;
}

void MemoryObjects::assumeAligned(SymbolId Address, uint64_t Align) {
  auto At = ByAddress.find(Address);
  if (At == ByAddress.end() || At->second.Align >= Align)
    return;
  At->second.Align = Align;
  D.assumeDivisor(Address, int64_t(Align));
}

MemoryObjects::Resolved MemoryObjects::resolve(const LaneInt &Address,
                                               LaneMask Active) const {
  Resolved R;
  R.Offset = Address;
  auto InLanes = [&](const Lanes &K, int64_t X) {
    for (unsigned L = 0; L < WarpLanes; ++L)
      if ((Active >> L & 1) && K[L] != X)
        return false;
    return true;
  };
  const Term *Base = nullptr;
  bool SpacesDiffer = false;
  for (const Term &T : Address.terms()) {
    if (InLanes(T.K, 0))
      continue;
    for (SymbolId S : T.M) {
      const MemoryObject *O = find(S);
      if (!O)
        continue;
      // A pointer of its own in each lane is as many objects.
      R.Several |= Base != nullptr || T.M.size() != 1 || !InLanes(T.K, 1) ||
                   D[S].Varying;
      Base = &T;
      R.Address = S;
      SpacesDiffer |= R.Space && *R.Space != O->Space;
      R.Space = O->Space;
    }
  }
  if (SpacesDiffer)
    R.Space.reset();
  if (Base && !R.Several) {
    R.Object = find(R.Address);
    R.Offset = D.sub(Address, LaneInt(Lanes(), {*Base}));
  }
  return R;
}

} // namespace warplint
