//===- RequestMasks.cpp - A request that not all lanes take part in -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RequestCost.h"
#include "Valuations.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

/// Masks tried for lanes that leave a loop on data.
static constexpr unsigned ThinnedMasks = 8;

/// Other lanes in other places: the mean over them. Where the addresses hang on
/// the place too, some places of each case are put in.
RequestEstimate RequestCoster::byCases(const SymbolicRequest &R) const {
  bool PlaceMatters = any_of(R.Offset.terms(), [&](const Term &T) {
    if (D.isUniformTerm(T, R.Active))
      return false;
    SmallVector<SymbolId, 8> Base;
    D.baseSymbols(LaneInt(Lanes(), {T}), Base);
    return any_of(
        Base, [&](SymbolId S) { return is_contained(R.Cases->Counters, S); });
  });
  RequestEstimate Sum;
  unsigned Work = 0;
  bool Exact = true, Shares = R.Cases->Exact, First = true;
  double Mean = 0, Ideal = 0, Fewest = 0, Active = 0;
  for (const LaneCase &C : R.Cases->Cases) {
    SymbolicRequest Here = R;
    Here.Active = C.Lanes;
    SmallVector<RequestEstimate, 4> Found;
    auto Agree = [&] {
      return all_of(Found, [&](const RequestEstimate &E) {
        return E.Mean == Found[0].Mean && E.Ideal == Found[0].Ideal;
      });
    };
    if (!PlaceMatters) {
      Found.push_back(estimateOne(Here));
    } else {
      for (const LaneDomain::Valuation &At : C.At) {
        LaneDomain::Substitution Values;
        for (const auto &[S, V] : At)
          Values[S] = LaneInt(V);
        Here.Offset = D.putIn(R.Offset, C.Lanes, Values);
        Found.push_back(estimateOne(Here));
        Work += 8;
        if (Found.size() >= 2 && Agree())
          break;
      }
      Shares &= Agree() || C.AllThere;
    }
    for (const RequestEstimate &E : Found) {
      double Share = C.Share / double(Found.size());
      Mean += Share * E.Mean;
      Ideal += Share * E.Ideal;
      Fewest += Share * E.Fewest;
      Active += Share * E.ActiveLanes;
      Work += E.Work + 1;
      if (First)
        Sum = E; // the most frequent case describes the request
      else if (E.Misalignment != Sum.Misalignment && E.ActiveLanes > 1)
        Sum.Misalignment.reset(); // no base would suit all
      First = false;
      Sum.Min = std::min(Sum.Min, E.Min);
      Sum.Max = std::max(Sum.Max, E.Max);
      for (const std::string &S : E.Assumptions)
        if (!is_contained(Sum.Assumptions, S))
          Sum.Assumptions.push_back(S);
      if (!E.Exact && Exact) {
        Exact = false;
        Sum.Reason = E.Reason;
        Sum.Detail = E.Detail;
      }
    }
  }
  Sum.Mean = Mean;
  Sum.Ideal = Ideal;
  Sum.Fewest = Fewest;
  Sum.ActiveLanes = Active;
  Sum.Work = Work;
  // How often each case comes does not matter where all cost the same, those
  // that were not seen among them: with all lanes it costs the most.
  if (!Shares) {
    SymbolicRequest Full = R;
    Full.Cases = nullptr;
    Sum.Max = std::max(Sum.Max, estimateOne(Full).Max);
  }
  Sum.Exact = Exact && !R.Cases->NotSeen && (Shares || Sum.Min == Sum.Max);
  if (R.Cases->NotSeen)
    Sum.Min = std::min(Sum.Min, 1.0);
  if (!Sum.Exact && Sum.Reason == UnknownReason::None)
    Sum.Reason = UnknownReason::Arithmetic;
  return Sum;
}

/// Lanes that leave a loop one by one, as data decides: over the loop half of
/// them are there, no half more likely than another.
void RequestCoster::thinOut(const SymbolicRequest &R,
                            RequestEstimate &E) const {
  SymbolicRequest Some = R;
  Some.Cases = nullptr;
  double Mean = 0, Ideal = 0, Fewest = 0, Active = 0, Count = 0;
  for (unsigned I = 0; I < ThinnedMasks; ++I) {
    Some.Active = R.Active & LaneMask(scatter(I));
    if (!Some.Active)
      continue;
    RequestEstimate One = estimateOne(Some);
    Mean += One.Mean;
    Ideal += One.Ideal;
    Fewest += One.Fewest;
    Active += One.ActiveLanes;
    E.Work += One.Work + 1;
    ++Count;
  }
  if (Count == 0)
    return;
  E.Mean = Mean / Count;
  E.Ideal = Ideal / Count;
  E.Fewest = Fewest / Count;
  E.ActiveLanes = Active / Count;
  E.Max = std::max(E.Max, E.Mean);
}

} // namespace warplint
