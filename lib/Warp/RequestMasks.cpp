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
#include "llvm/ADT/bit.h"
#include <map>

using namespace llvm;

namespace warplint {

/// Masks tried for lanes that leave a loop on data.
static constexpr unsigned ThinnedMasks = 8;
/// Places of one case that are put in, of those with a cost of their own.
static constexpr size_t PlacesTried = 64;
/// The same where other things than the place decide the address, too.
static constexpr size_t OpenPlacesTried = 4;

/// The terms of an address that the place decides and the cost hangs on: those
/// that move lanes apart, or all of them by less than what memory is cut into.
LaneInt RequestCoster::partByPlace(const SymbolicRequest &R) const {
  const int64_t Cycle = residues(R.Space);
  LaneInt Part;
  for (const Term &T : R.Offset.terms()) {
    const LaneInt Alone(Lanes(), {T});
    if (D.isUniformTerm(T, R.Active) && D.symbolicDivisor(Alone) % Cycle == 0)
      continue;
    SmallVector<SymbolId, 8> Base;
    D.baseSymbols(Alone, Base);
    if (any_of(Base,
               [&](SymbolId S) { return is_contained(R.Cases->Counters, S); }))
      Part = D.add(Part, Alone);
  }
  return Part;
}

/// Of the places of a case one each of those with another cost, and how many
/// are like it. \p Part rests on what the place decides, and nothing else.
SmallVector<std::pair<const LaneDomain::Valuation *, unsigned>, 4>
RequestCoster::distinctPlaces(const SymbolicRequest &R, const LaneInt &Part,
                              const LaneCase &C) const {
  const int64_t Cycle = residues(R.Space);
  const unsigned First = countr_zero(C.Lanes);
  SmallVector<std::pair<const LaneDomain::Valuation *, unsigned>, 4> Result;
  std::map<LaneAddresses, unsigned> Seen;
  for (const LaneDomain::Valuation &At : C.At) {
    LaneDomain::Valuation Values = At; // evaluate() adds to it
    LaneAddresses A = D.evaluate(Part, Values).array();
    const int64_t Start = A[First];
    for (unsigned L = 0; L < WarpLanes; ++L)
      A[L] = C.Lanes >> L & 1 ? A[L] - Start : 0;
    A[First] = (Start % Cycle + Cycle) % Cycle;
    auto [Known, New] = Seen.try_emplace(A, Result.size());
    if (New)
      Result.push_back({&At, 0});
    ++Result[Known->second].second;
  }
  D.charge(C.At.size());
  return Result;
}

/// Other lanes in other places: the mean over them. Where the addresses hang on
/// the place too, the places of each case are put in.
RequestEstimate RequestCoster::byCases(const SymbolicRequest &R) const {
  const LaneInt Part = partByPlace(R);
  const bool PlaceMatters = !Part.terms().empty();
  SmallVector<SymbolId, 8> PartRests;
  D.baseSymbols(Part, PartRests);
  const bool Closed = all_of(PartRests, [&](SymbolId S) {
    return is_contained(R.Cases->Counters, S);
  });
  RequestEstimate Sum;
  unsigned Work = 0;
  bool Exact = true, Shares = R.Cases->Exact, First = true;
  double Mean = 0, Ideal = 0, Fewest = 0, Active = 0;
  for (const LaneCase &C : R.Cases->Cases) {
    SymbolicRequest Here = R;
    Here.Active = C.Lanes;
    SmallVector<std::pair<RequestEstimate, double>, 4> Found; // and its share
    auto Agree = [&] {
      return all_of(Found, [&](const auto &F) {
        return F.first.Mean == Found[0].first.Mean &&
               F.first.Ideal == Found[0].first.Ideal;
      });
    };
    auto EstimateAt = [&](const LaneDomain::Valuation &At, double Share) {
      LaneDomain::Substitution Values;
      for (const auto &[S, V] : At)
        Values[S] = LaneInt(V);
      Here.Offset = D.putIn(R.Offset, C.Lanes, Values);
      Found.push_back({estimateOne(Here), Share});
      Work += 8;
    };
    if (!PlaceMatters) {
      Found.push_back({estimateOne(Here), 1});
    } else if (Closed && C.AllThere) {
      auto Places = distinctPlaces(R, Part, C);
      Work += unsigned(C.At.size() / 4);
      const size_t Kept = std::min<size_t>(Places.size(), PlacesTried);
      Shares &= Kept == Places.size();
      double Sum = 0;
      for (size_t I = 0; I < Kept; ++I)
        Sum += Places[I * Places.size() / Kept].second;
      for (size_t I = 0; I < Kept; ++I) {
        const auto &[At, Times] = Places[I * Places.size() / Kept];
        EstimateAt(*At, Times / Sum);
      }
    } else {
      const size_t Kept = std::min<size_t>(C.At.size(), OpenPlacesTried);
      for (size_t I = 0; I < Kept; ++I)
        EstimateAt(C.At[I * C.At.size() / Kept], 1 / double(Kept));
      Shares &= Agree() || (C.AllThere && Kept == C.At.size());
    }
    // The place that costs the most is the one to be told of.
    std::swap(*Found.begin(), *std::max_element(Found.begin(), Found.end(),
                                                [](auto &A, auto &B) {
                                                  return A.first.Mean <
                                                         B.first.Mean;
                                                }));
    for (const auto &[E, OfCase] : Found) {
      double Share = C.Share * OfCase;
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
