//===- Flow.cpp - Which lanes are where, and under which conditions ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Flow.h"
#include "LaneCases.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

/// Paths whose guards are simplified against each other; of more (a switch with
/// hundreds of cases) only what all have in common is kept.
static constexpr size_t MaxJoined = 32;
/// Conditions multiplied into one: a point on one of four sides of a grid, with
/// what the short-circuit of each adds.
static constexpr size_t MaxFactors = 12;

Literal Conditions::literal(const LaneInt &Truth) {
  // Clear of DenseMap's reserved keys.
  auto KeyOf = [](const LaneInt &A) { return uint64_t(hash_value(A)) >> 2; };
  for (Literal L : ByHash.lookup(KeyOf(Truth)))
    if (value(L) == Truth)
      return L;
  Literal New{unsigned(Table.size()), true};
  Table.push_back(Truth);
  ByHash[KeyOf(Truth)].push_back(New);
  ByHash[KeyOf(D.notOf(Truth))].push_back({New.Condition, false});
  return New;
}

Literal Conditions::opaque(bool Varying, int Likely) {
  Symbol S;
  S.Name = "path" + std::to_string(Table.size());
  S.Origin = SymbolOrigin::Choice;
  S.Varying = Varying;
  S.Lo = 0;
  S.Hi = 1;
  S.Likely = Likely;
  return literal(LaneInt::symbol(D.fresh(std::move(S))));
}

int Conditions::likely(Literal L) const {
  if (auto At = Settled.find(L.Condition); At != Settled.end())
    return At->second == L.Holds;
  int Value = D.likely(Table[L.Condition]);
  return Value < 0 ? -1 : (Value != 0) == L.Holds;
}

std::optional<LaneInt> Conditions::allOf(ArrayRef<Literal> G) const {
  if (G.size() > MaxFactors || any_of(G, [&](Literal L) {
        return isLeaving(L) || isRound(L) ||
               !restsOnCounters(D, Table[L.Condition]);
      }))
    return std::nullopt;
  LaneInt All = LaneInt::constant(1);
  for (Literal L : G)
    All = D.mul(All, value(L));
  return All;
}

std::optional<LaneInt> Conditions::anyOf(ArrayRef<Guard> Guards) const {
  size_t Factors = 0;
  LaneInt None = LaneInt::constant(1);
  for (const Guard &G : Guards) {
    std::optional<LaneInt> All = allOf(G);
    Factors += G.size();
    if (!All || Factors > MaxFactors)
      return std::nullopt;
    None = D.mul(None, D.notOf(*All));
  }
  return D.notOf(None);
}

Guard Conditions::join(ArrayRef<Guard> Guards) {
  SmallVector<Guard, 4> Sets(Guards.begin(), Guards.end());
  // Each pair may be looked at once for each that went before.
  bool Changed = Sets.size() <= MaxJoined;
  while (Changed && Sets.size() > 1) {
    Changed = false;
    D.charge(Sets.size() * (1 + Sets[0].size()));
    for (size_t I = 0; I < Sets.size() && !Changed; ++I)
      for (size_t J = 0; J < Sets.size() && !Changed; ++J) {
        if (I == J)
          continue;
        // The weaker one says it all.
        if (std::includes(Sets[J].begin(), Sets[J].end(), Sets[I].begin(),
                          Sets[I].end())) {
          Sets.erase(Sets.begin() + J);
          Changed = true;
          break;
        }
        // a & b, a & !b: a. Also b, a & !b: b or a.
        for (const Literal &L : Sets[J]) {
          Literal Opposite{L.Condition, !L.Holds};
          if (!is_contained(Sets[I], Opposite))
            continue;
          Guard RestI(Sets[I]), RestJ(Sets[J]);
          erase(RestI, Opposite);
          erase(RestJ, L);
          if (RestI == RestJ) {
            Sets[I] = RestI;
            Sets.erase(Sets.begin() + J);
            Changed = true;
          } else if (std::includes(RestJ.begin(), RestJ.end(), RestI.begin(),
                                   RestI.end())) {
            Sets[J] = RestJ;
            Changed = true;
          }
          break;
        }
      }
  }
  if (Sets.size() == 1)
    return Sets[0];
  Guard Common(Sets[0]);
  for (const Guard &S : Sets)
    erase_if(Common, [&](Literal L) { return !is_contained(S, L); });
  SmallVector<Guard, 4> Own(Sets);
  for (Guard &S : Own)
    erase_if(S, [&](Literal L) { return is_contained(Common, L); });
  if (std::optional<LaneInt> Any = anyOf(Own)) {
    Common.push_back(literal(*Any));
    sort(Common);
    return Common;
  }
  bool Varying = false, Likely = false;
  for (const Guard &S : Sets) {
    bool AllLikely = true;
    for (Literal L : S)
      if (!is_contained(Common, L)) {
        Varying |= isVarying(L);
        AllLikely &= likely(L) == 1;
      }
    Likely |= AllLikely;
  }
  Common.push_back(opaque(Varying, Likely ? 1 : -1));
  sort(Common);
  return Common;
}

} // namespace warplint
