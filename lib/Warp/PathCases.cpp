//===- PathCases.cpp - A path's conditions, place by place ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

/// A launch of so few warps that its border counts.
static constexpr uint64_t SmallLaunch = 1024;

/// A bounds check: a sum of counters against a limit.
static bool isBound(const LaneDomain &D, const LaneInt &Truth) {
  return all_of(Truth.terms(), [&](const Term &T) {
    return all_of(T.M, [&](SymbolId S) {
      return D[S].Op == LaneOp::IsGE0 &&
             all_of(D[S].Operands[0].terms(), [&](const Term &In) {
               return all_of(
                   In.M, [&](SymbolId X) { return D[X].Op == LaneOp::None; });
             });
    });
  });
}

/// The conditions of the path that hang on positions alone, gone through place
/// by place. Bounds of large launches stay what they are in the interior: the
/// border is a small share.
const WarpRun::PathCases *WarpRun::casesOfPath() {
  auto Key = std::make_pair(Now.G, Now.Lanes);
  if (auto At = Paths.find(Key); At != Paths.end())
    return At->second;
  const PathCases *&Result = Paths[Key];
  Guard Settled;
  for (Literal L : Now.G)
    if (restsOnCounters(D, Conds.value(L.Condition)))
      Settled.push_back(L);
  SmallVector<SymbolId, 4> Base;
  for (Literal L : Settled)
    D.baseSymbols(Conds.value(L.Condition), Base);
  Base.erase(llvm::unique(Base), Base.end());
  if (!D.positionsWithin(Base, SmallLaunch))
    erase_if(Settled, [&](Literal L) {
      return !Conds.isRound(L) && Conds.likely(L) >= 0 &&
             isBound(D, Conds.value(L.Condition));
    });
  if (Settled.empty())
    return nullptr;
  auto [Known, New] = CasesBySettled.try_emplace({Settled, Now.Lanes});
  std::optional<PathCases> &Slot = Known->second;
  if (!New)
    return Result = Slot ? &*Slot : nullptr;
  SmallVector<LaneInt, 4> Truths;
  for (Literal L : Settled)
    Truths.push_back(Conds.value(L));
  LaneCases Cases = casesOf(D, Truths, Now.Lanes);
  Steps += Cases.Work / 4;
  // Where all lanes come or none, a guess at how often is as good without.
  if (!Cases.Exact &&
      none_of(Settled, [&](Literal L) { return Conds.isVarying(L); }))
    return nullptr;
  Slot.emplace();
  Slot->Settled = std::move(Settled);
  Slot->Cases = std::move(Cases);
  return Result = &*Slot;
}

} // namespace warplint
