//===- Choices.cpp - Try one alternative after another --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choices.h"

namespace warplint::launch {

std::optional<unsigned> Choices::picked(const void *Key) const {
  Questions += !Suspended;
  auto It = Picked.find(Key);
  if (It == Picked.end() || Suspended)
    return std::nullopt;
  return It->second;
}

std::optional<unsigned> Choices::pick(const void *Key,
                                      llvm::ArrayRef<const void *> Branches) {
  if (Suspended) {
    ++Refusals;
    return std::nullopt;
  }
  ++Questions;
  if (std::optional<unsigned> Before = picked(Key))
    if (*Before < Branches.size())
      return Before;
  if (Frozen) {
    ++Refusals;
    return std::nullopt;
  }
  llvm::SmallVector<unsigned, 8> Open;
  for (unsigned I = 0; I < Branches.size(); ++I) {
    if (Branches[I] && Entered.contains(Branches[I])) {
      Open.assign(1, I);
      break;
    }
    if (!Branches[I] || !PassedOver.contains(Branches[I]))
      Open.push_back(I);
  }
  if (Open.empty())
    return std::nullopt;
  unsigned Taken = 0;
  if (Open.size() > 1) {
    size_t At = Trail.size();
    if (At < Prefix.size()) {
      Taken = std::min<unsigned>(Prefix[At].Taken, Open.size() - 1);
    } else {
      if (runs() * Open.size() > Limit || Open.size() > MaxAlternatives)
        return std::nullopt;
    }
    Trail.push_back({Taken, unsigned(Open.size())});
  }
  for (unsigned I = 0; I < Open.size(); ++I)
    if (const void *Branch = Branches[Open[I]])
      (I == Taken ? Entered : PassedOver).insert(Branch);
  Picked[Key] = Open[Taken];
  return Open[Taken];
}

unsigned Choices::runs() const {
  unsigned Runs = 1;
  for (const Step &S : Trail)
    Runs *= S.Count;
  return Runs;
}

void Choices::allowFurther(unsigned Factor) {
  Limit = std::min(MaxRuns, runs() * Factor);
}

bool Choices::advance() {
  while (!Trail.empty() && Trail.back().Taken + 1 == Trail.back().Count)
    Trail.pop_back();
  if (Trail.empty())
    return false;
  ++Trail.back().Taken;
  Prefix = Trail;
  Limit = MaxRuns;
  Trail.clear();
  Picked.clear();
  Entered.clear();
  PassedOver.clear();
  return true;
}

} // namespace warplint::launch
