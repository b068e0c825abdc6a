//===- LoopSizes.cpp - Sizes that decide how often a tree's loop runs -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopSizes.h"
#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace warplint {

bool LoopSizes::covers(const Instruction &I) const {
  return any_of(Loops, [&](const Loop *L) { return L->contains(&I); });
}

LoopSizes LoopSizes::guess(int64_t Size) const {
  LoopSizes Guess;
  for (const SizeSource &Source : Open)
    Guess.Taken[Source] = Size;
  return Guess;
}

int64_t LoopSizes::typical(uint64_t Threads) {
  return int64_t(2 * bit_ceil(Threads));
}

void WarpRun::noteSize(const LaneInt &Value, SizeSource Source) {
  if (auto S = Value.singleSymbol())
    SizeSources.try_emplace(*S, Source);
}

void WarpRun::noteOpenSizes(const Loop *L, const LoopPlan &Plan) {
  if (Dry || Plan.Trips)
    return;
  SmallVector<SymbolId, 8> Base;
  for (const auto &Phi : Plan.Phis)
    for (const Recurrence &R : Phi)
      if (R.K == Recurrence::Geometric)
        D.baseSymbols(R.Start, Base);
  bool Grows = any_of(Plan.Phis, [](const auto &Phi) {
    return any_of(Phi,
                  [](const auto &R) { return R.K == Recurrence::Geometric; });
  });
  if (!Grows)
    return;
  for (const ExitTest &Test : Plan.Tests)
    D.baseSymbols(Test.Cond, Base);
  for (SymbolId S : Base)
    if (auto It = SizeSources.find(S); It != SizeSources.end()) {
      Sizes.Open.insert(It->second);
      Sizes.Loops.insert(L);
    }
}

} // namespace warplint
