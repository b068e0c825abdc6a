//===- LaneCases.cpp - The lanes a condition leaves, over a launch -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneCases.h"
#include "Valuations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

/// Combinations gone through for one path: blocks of 256 threads repeat a
/// pattern of any pitch up to 1024 after at most 1024 warps.
static constexpr unsigned CaseLimit = 2048;
/// Cases kept: beyond these a guess is good enough.
static constexpr unsigned CasesKept = 128;
/// Of a counter of many values, samples are taken among the first so many.
static constexpr uint64_t SampledAmong = uint64_t(1) << 20;
/// Places kept of each case where not all were gone through.
static constexpr unsigned PlacesKept = 4;

bool restsOnCounters(const LaneDomain &D, const LaneInt &A) {
  return !D.anySymbol(A, [](const Symbol &S) {
    return S.Op == LaneOp::None && (!S.isCounter() || S.Varying);
  });
}

bool hasOpenLoop(const LaneDomain &D, const LaneInt &A) {
  return D.anySymbol(A, [](const Symbol &S) {
    return S.Origin == SymbolOrigin::Iteration && S.Hi == INT64_MAX;
  });
}

/// A counter whose start is not known begins at 0.
static int64_t firstOf(const Symbol &S) { return S.Lo == INT64_MIN ? 0 : S.Lo; }

CounterWalk walkCounters(const LaneDomain &D, ArrayRef<SymbolId> Base,
                         unsigned Limit) {
  // Few values first; a counter without a known end last.
  SmallVector<std::pair<uint64_t, SymbolId>, 4> Axes;
  for (SymbolId S : Base) {
    uint64_t Count = D[S].Hi == INT64_MAX
                         ? UINT64_MAX
                         : uint64_t(D[S].Hi) - uint64_t(firstOf(D[S])) + 1;
    Axes.push_back({Count, S});
  }
  sort(Axes);
  CounterWalk Walk;
  uint64_t Inner = 1;
  for (size_t I = 0; I < Axes.size(); ++I) {
    uint64_t &Count = Axes[I].first;
    bool Last = I + 1 == Axes.size();
    if (Count > Limit / Inner) {
      if (!Last) {
        Walk.K = CounterWalk::Sampled;
        break;
      }
      Walk.K = CounterWalk::Opening;
      const Symbol &S = D[Axes[I].second];
      Walk.OpenLoop = S.Origin == SymbolOrigin::Iteration && S.Hi == INT64_MAX;
      const uint64_t Steps = std::max<uint64_t>(Limit / Inner, 1);
      // Its first values show a period; that it goes on, others must.
      if (Count != UINT64_MAX)
        for (uint64_t Of = std::clamp<uint64_t>(Steps / 4, 1, 8), F = 1;
             F <= Of; ++F)
          Walk.Far.push_back((Count - 1) / Of * F);
      Count = std::max<uint64_t>(
          Steps - std::min<uint64_t>(Steps, Walk.Far.size()), 1);
    }
    if (Last)
      Walk.Stride = Inner;
    Inner *= Count;
  }
  if (Walk.K == CounterWalk::Sampled) {
    // Each counter for itself: in step, `i ^ j` would always be 0.
    for (unsigned S = 0; S < Limit / 2; ++S) {
      LaneDomain::Valuation V;
      for (auto [Count, Id] : Axes) {
        const uint64_t Among = std::min(Count, SampledAmong);
        V[Id] = Lanes::splat(
            firstOf(D[Id]) +
            int64_t(scatter(uint64_t(Id) * 1009 + S * 7919) % Among));
      }
      Walk.Values.push_back(std::move(V));
    }
    return Walk;
  }
  const uint64_t FarAway = Walk.Far.size() * Walk.Stride;
  for (uint64_t I = 0; I < Inner + FarAway; ++I) {
    LaneDomain::Valuation V;
    uint64_t Rest = I;
    for (auto [Count, S] : Axes) {
      V[S] = Lanes::splat(firstOf(D[S]) + int64_t(Rest % Count));
      Rest /= Count;
    }
    if (I >= Inner)
      V[Axes.back().second] =
          Lanes::splat(firstOf(D[Axes.back().second]) +
                       int64_t(Walk.Far[(I - Inner) / Walk.Stride]));
    Walk.Values.push_back(std::move(V));
  }
  return Walk;
}

size_t
CounterWalk::wholePeriods(function_ref<bool(size_t, size_t)> Same) const {
  if (K == Complete)
    return Values.size();
  if (K == Sampled)
    return 0;
  const size_t Steps = Values.size() / Stride - Far.size();
  for (size_t Period = 1; Period <= Steps / 2; ++Period) {
    bool Repeats = true;
    for (size_t I = 0; Repeats && I + Period * Stride < Steps * Stride; ++I)
      Repeats = Same(I, I + Period * Stride);
    for (size_t F = 0; F < Far.size(); ++F)
      for (size_t I = 0; Repeats && I < Stride; ++I)
        Repeats = Same(Far[F] % Period * Stride + I, (Steps + F) * Stride + I);
    if (Repeats)
      return Steps / Period * Period * Stride;
  }
  return 0;
}

LaneCases casesOf(const LaneDomain &D, ArrayRef<LaneInt> Truths,
                  LaneMask Within) {
  LaneCases Result;
  for (const LaneInt &T : Truths) {
    SmallVector<SymbolId, 4> Base;
    D.baseSymbols(T, Base);
    for (SymbolId S : Base)
      if (!is_contained(Result.Counters, S))
        Result.Counters.push_back(S);
  }
  CounterWalk Walk = walkCounters(D, Result.Counters, CaseLimit);
  std::vector<LaneMask> Left(Walk.Values.size());
  for (size_t I = 0; I < Left.size(); ++I) {
    LaneDomain::Valuation V = Walk.Values[I]; // evaluate() adds to it
    Left[I] = Within;
    for (const LaneInt &T : Truths) {
      if (!Left[I])
        break;
      const Lanes Holds = D.evaluate(T, V);
      for (unsigned L = 0; L < WarpLanes; ++L)
        if (!Holds[L])
          Left[I] &= ~(LaneMask(1) << L);
    }
  }
  Result.Work = unsigned(Left.size());
  size_t Count =
      Walk.wholePeriods([&](size_t I, size_t J) { return Left[I] == Left[J]; });
  Result.Exact = Count != 0 && !Walk.OpenLoop;
  if (Count == 0)
    Count = Left.size();

  MapVector<uint64_t, SmallVector<size_t, 8>> ByLanes;
  size_t Live = 0;
  for (size_t I = 0; I < Count; ++I) {
    if (!Left[I])
      continue;
    ByLanes[Left[I]].push_back(I);
    ++Live;
  }
  Result.Share = double(Live) / double(std::max<size_t>(Count, 1));
  // That no sample comes there does not mean that none does.
  if (Live == 0 && Walk.K != CounterWalk::Complete && !Result.Exact) {
    Result.Share = 1 / double(std::max<size_t>(Count, 1));
    Result.NotSeen = true;
    LaneCase C;
    C.Lanes = Within;
    C.Share = 1;
    C.At.push_back(Walk.Values.front());
    Result.Cases.push_back(std::move(C));
    return Result;
  }
  for (auto &[Mask, Places] : ByLanes) {
    LaneCase C;
    C.Lanes = LaneMask(Mask);
    C.Share = double(Places.size()) / double(Live);
    C.AllThere = Walk.K == CounterWalk::Complete;
    size_t Kept = Places.size();
    if (!C.AllThere)
      Kept = std::min<size_t>(Kept, PlacesKept);
    for (size_t K = 0; K < Kept; ++K)
      C.At.push_back(std::move(Walk.Values[Places[K * Places.size() / Kept]]));
    Result.Cases.push_back(std::move(C));
  }
  sort(Result.Cases, [](const LaneCase &A, const LaneCase &B) {
    return A.Share != B.Share ? A.Share > B.Share : A.Lanes < B.Lanes;
  });
  if (Result.Cases.size() > CasesKept) {
    Result.Cases.resize(CasesKept);
    Result.Exact = false;
    double Kept = 0;
    for (const LaneCase &C : Result.Cases)
      Kept += C.Share;
    for (LaneCase &C : Result.Cases)
      C.Share /= Kept;
  }
  return Result;
}

} // namespace warplint
