//===- RequestCost.cpp - The cost of one symbolic request ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RequestCost.h"
#include "RowPitches.h"
#include "Valuations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace warplint {

/// Valuations tried where not all can be.
static constexpr unsigned Samples = 32;

RequestCost RequestCoster::costOf(const SymbolicRequest &R,
                                  const LaneAddresses &At) const {
  D.charge(8);
  LaneAddresses A = At;
  if (R.Matrices)
    return Machine.ldmatrixRequest(A, R.Matrices);
  switch (R.Space) {
  case MemorySpace::Shared:
    return Machine.sharedRequest(A, R.Active, R.Bytes, R.Shared);
  case MemorySpace::Constant:
    return Machine.constantRequest(A, R.Active, R.Bytes);
  case MemorySpace::Local: {
    // A thread's local words are interleaved with those of its neighbours: one
    // offset in all lanes is one contiguous run.
    // ... and a wider element is as many runs as it has words.
    const unsigned Word = Machine.bankBytes();
    RequestCost Sum;
    for (unsigned K = 0; K < std::max(1u, R.Bytes / Word); ++K) {
      for (unsigned L = 0; L < WarpLanes; ++L) {
        int64_t Own = At[L] + K * Word, In = (Own % Word + Word) % Word;
        A[L] = (Own - In) * WarpLanes + Word * L + In;
      }
      RequestCost C =
          Machine.globalRequest(A, R.Active, std::min(R.Bytes, Word));
      Sum.Units += C.Units;
      Sum.Ideal += C.Ideal;
    }
    return Sum;
  }
  default:
    return Machine.globalRequest(A, R.Active, R.Bytes);
  }
}

UnknownReason RequestCoster::reasonFor(const LaneInt &A, LaneMask Active,
                                       std::string &Detail) const {
  auto Any = [&](SymbolOrigin O) {
    return D.anySymbol(A, [&](const Symbol &S) { return S.Origin == O; });
  };
  auto Named = [&](SymbolOrigin O) {
    std::string Name;
    D.anySymbol(A, [&](const Symbol &S) {
      if (S.Origin == O)
        Name = S.Name;
      return S.Origin == O;
    });
    return Name;
  };
  if (D.anySymbol(A, [](const Symbol &S) {
        return S.Origin == SymbolOrigin::Address && S.Varying;
      })) {
    Detail = "each lane follows a pointer of its own";
    return UnknownReason::DataDependentAddress;
  }
  if (Any(SymbolOrigin::Loaded)) {
    Detail = "the address depends on " + Named(SymbolOrigin::Loaded);
    return UnknownReason::DataDependentAddress;
  }
  if (Any(SymbolOrigin::Assembly))
    return UnknownReason::InlineAssembly;
  if (Any(SymbolOrigin::Float))
    return UnknownReason::FloatIndex;
  if (Any(SymbolOrigin::Call)) {
    Detail = "the address depends on " + Named(SymbolOrigin::Call);
    return UnknownReason::OpaqueCall;
  }
  if (Any(SymbolOrigin::Recurrence))
    return UnknownReason::LoopCarried;
  if (Any(SymbolOrigin::Address))
    return UnknownReason::UnknownPointer;
  if (Any(SymbolOrigin::Argument) || Any(SymbolOrigin::Launch)) {
    std::string Name = Any(SymbolOrigin::Argument)
                           ? Named(SymbolOrigin::Argument)
                           : Named(SymbolOrigin::Launch);
    Detail = "depends on " + Name + ", which is not known here";
    return UnknownReason::SymbolicStride;
  }
  if (Any(SymbolOrigin::Choice))
    return UnknownReason::DataDependentAddress;
  return UnknownReason::Arithmetic;
}

bool stepsApart(LaneDomain &D, const LaneInt &Offset, LaneMask Active,
                int64_t Bytes) {
  std::array<unsigned, WarpLanes> Next, Same;
  unsigned Last = WarpLanes;
  for (unsigned L = WarpLanes; L-- > 0;) {
    Same[L] = L;
    Next[L] = Last == WarpLanes ? L : Last;
    if (Active >> L & 1)
      Last = L;
  }
  if (any_of(Offset.terms(), [&](const Term &T) { return D.isVarying(T.M); }))
    return false;
  LaneInt Step = D.sub(D.permute(Offset, Next), D.permute(Offset, Same));
  bool Up = true, Down = true;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    if (!(Active >> L & 1) || Next[L] == L)
      continue;
    Interval I = D.rangeOfLane(Step, L);
    Up &= I.Lo >= Bytes;
    Down &= I.Hi <= -Bytes;
  }
  return Up || Down;
}

/// Every active lane has sectors of its own.
bool RequestCoster::lanesApart(const LaneInt &Offset,
                               const SymbolicRequest &R) const {
  return R.Space == MemorySpace::Global && R.Bytes <= Machine.granuleBytes() &&
         R.Align >= R.Bytes &&
         stepsApart(D, Offset, R.Active, Machine.granuleBytes());
}

/// Lanes lie apart by amounts that hold symbols: put values in.
void RequestCoster::byValuation(const SymbolicRequest &R,
                                RequestEstimate &E) const {
  SmallVector<SymbolId, 8> Base;
  D.baseSymbols(R.Offset, Base);
  // What moves all lanes by whole sectors does not matter.
  LaneInt Lanewise(R.Offset.constant());
  for (const Term &T : R.Offset.terms()) {
    LaneInt Alone(Lanes(), {T});
    bool Whole = D.isUniformTerm(T, R.Active) &&
                 D.symbolicDivisor(Alone) %
                         std::max(Machine.granuleBytes(),
                                  Machine.banks() * Machine.bankBytes()) ==
                     0;
    if (!Whole)
      Lanewise = D.add(Lanewise, Alone);
  }
  SmallVector<SymbolId, 8> Mattering;
  D.baseSymbols(Lanewise, Mattering);
  bool Listed = all_of(
      Mattering, [&](SymbolId S) { return D[S].isListed() && !D[S].Varying; });
  auto All = allValues(D, Mattering, FullEnumeration);
  bool Complete = !All.empty();
  SymbolUses Uses;
  Uses.PowersOfTwo = powersOfTwo(D, Lanewise);
  if (R.Space == MemorySpace::Global)
    Uses.Listed = listedIndices(D, Lanewise);
  for (unsigned S = 0; !Complete && S < (Listed ? 8 : 1) * Samples; ++S)
    All.push_back(typicalValues(D, Mattering, S, Uses));

  E.Work = unsigned(All.size());
  unsigned Worst = 0;
  double Count = 0;
  for (auto &V : All) {
    LaneAddresses At = D.evaluate(Lanewise, V).array();
    // Data that is not known stays inside the array it indexes.
    if (R.Object && R.Object->Size && !Complete && !Listed)
      for (int64_t &X : At) {
        int64_t Size = int64_t(R.Object->Size);
        X = (X % Size + Size) % Size / int64_t(R.Align) * int64_t(R.Align);
      }
    bool Aligned = true;
    for (unsigned L = 0; L < WarpLanes; ++L)
      Aligned &= !(R.Active >> L & 1) || At[L] % int64_t(R.Align) == 0;
    if (!Aligned && !Complete)
      continue; // cannot happen: the compiler promised
    RequestCost C = costOf(R, At);
    E.Min = Count ? std::min<double>(E.Min, C.Units) : C.Units;
    E.Max = std::max<double>(E.Max, C.Units);
    E.Mean += C.Units;
    E.Ideal += C.Ideal;
    if (C.Units > Worst) {
      Worst = C.Units;
      E.Typical = C;
      E.Offsets = At;
    }
    Count += 1;
  }
  if (Count == 0) {
    // No typical value is aligned; take the lanes' constants.
    E.Offsets = R.Offset.constant().array();
    E.Typical = costOf(R, E.Offsets);
    E.Mean = E.Min = E.Max = E.Typical.Units;
    E.Ideal = E.Typical.Ideal;
    Count = 1;
  } else {
    E.Mean /= Count;
    E.Ideal /= Count;
  }
  if (!Complete && lanesApart(Lanewise, R)) {
    // However far: each lane has a sector of its own.
    E.Min = E.Max = E.Mean;
    E.Exact = true;
    return;
  }
  bool Truths = all_of(
      Mattering, [&](SymbolId S) { return D[S].isCounter() && !D[S].Varying; });
  // A complete enumeration is a mean over a launch only for counters; over
  // values that exclude each other (a choice) it must agree.
  E.Exact = (Complete && (Truths || E.Min == E.Max)) ||
            (Listed && E.Min == E.Max && !hasOpenLoop(D, Lanewise));
  if (E.Exact)
    return;
  LaneInt Apart;
  for (const Term &T : R.Offset.terms())
    if (!D.isUniformTerm(T, R.Active))
      Apart = D.add(Apart, LaneInt(Lanes(), {T}));
  // Where data picks a word of shared memory, lookups tend to agree between
  // neighbours and histograms to scatter; a row pitch out of data is no reason
  // to expect the bad ones.
  if (R.Space == MemorySpace::Shared && R.Op != MemoryOp::Atomic &&
      D.anySymbol(Apart, [](const Symbol &S) {
        return S.Op == LaneOp::None && !S.isCounter() &&
               S.Origin != SymbolOrigin::Argument &&
               S.Origin != SymbolOrigin::Launch;
      }))
    E.Mean = E.Ideal;
  E.Reason = reasonFor(Apart, R.Active, E.Detail);
  if (R.Several && E.Reason != UnknownReason::DataDependentAddress)
    E.Reason = UnknownReason::UnknownPointer;
  // The bounds: one value in all lanes, or neighbours (lanes that are served
  // one after the other), at best, each lane for itself at worst.
  LaneAddresses Together{}, Abreast, Spread;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    Abreast[L] = int64_t(L) * std::max(R.Bytes, Machine.bankBytes());
    Spread[L] = int64_t(L) *
                (Machine.banks() * Machine.bankBytes() +
                 (R.Space == MemorySpace::Shared ? 0 : Machine.lineBytes()));
  }
  E.Min = std::min<double>({E.Min, double(costOf(R, Together).Units),
                            double(costOf(R, Abreast).Units)});
  double Most = costOf(R, Spread).Units;
  if (R.Object && R.Object->Size && R.Space == MemorySpace::Global)
    Most = std::min(Most, double(R.Object->Size / Machine.granuleBytes() + 2));
  // Few places to choose from, each aligned to what is accessed there.
  Interval Places = D.range(Apart);
  if (R.Space == MemorySpace::Global &&
      R.Offset.constant().isUniform(R.Active)) {
    double Step = double(std::max<int64_t>(D.symbolicDivisor(Apart), 1));
    Most = std::min(Most, (double(Places.Hi) - double(Places.Lo) + Step) /
                              Step * costOf(R, Together).Units);
  }
  E.Max = std::max(E.Max, Most);
}

/// What Diagnose names the pattern by.
void RequestCoster::describe(const SymbolicRequest &R,
                             RequestEstimate &E) const {
  LaneInt Apart(R.Offset.constant());
  bool Symbolic = false;
  for (const Term &T : R.Offset.terms()) {
    if (D.isUniformTerm(T, R.Active)) {
      const Symbol &S = D[T.M.back()];
      if (T.M.size() == 1 && S.Origin == SymbolOrigin::Iteration)
        E.LoopStride = T.K[countr_zero(R.Active)];
      const int64_t Step = std::abs(T.K[countr_zero(R.Active)]);
      if (T.M.size() == 1 && S.Origin == SymbolOrigin::WarpIndex)
        E.WarpSteps.push_back(Step);
      if (T.M.size() == 1 && S.Origin == SymbolOrigin::BlockIndex)
        E.BlockSteps.push_back(Step);
      continue;
    }
    Symbolic = true;
    Apart = D.add(Apart, LaneInt(Lanes(), {T}));
  }
  sort(E.WarpSteps);
  sort(E.BlockSteps);
  E.Uniform = !Symbolic && R.Offset.constant().isUniform(R.Active);
  // Steps between neighbouring active lanes: one that holds for three quarters
  // of them is the stride, the rest are row ends.
  SmallVector<unsigned, WarpLanes> On;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (R.Active >> L & 1)
      On.push_back(L);
  if (On.size() < 2)
    return;
  std::map<int64_t, unsigned> Steps;
  for (size_t I = 1; I < On.size(); ++I)
    ++Steps[E.Offsets[On[I]] - E.Offsets[On[I - 1]]];
  auto Most = std::max_element(
      Steps.begin(), Steps.end(),
      [](const auto &X, const auto &Y) { return X.second < Y.second; });
  bool Regular = Most->second * 4 >= (On.size() - 1) * 3;
  if (Symbolic) {
    // lane 1 minus lane 0, as a polynomial
    std::array<unsigned, WarpLanes> Next, Same;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      Next[L] = On[1];
      Same[L] = On[0];
    }
    if (!any_of(Apart.terms(), [&](const Term &T) { return D.isVarying(T.M); }))
      E.SymbolicStride =
          D.str(D.sub(D.permute(Apart, Next), D.permute(Apart, Same)));
  } else if (Regular) {
    E.LaneStride = Most->first;
  }
  if (E.LaneStride && *E.LaneStride == int64_t(R.Bytes) && E.Exact &&
      E.Min == E.Max && R.Space != MemorySpace::Shared) {
    int64_t G = Machine.granuleBytes();
    E.Misalignment = unsigned((E.Offsets[On[0]] % G + G) % G);
  }
}

void RequestCoster::costOfPlaces(const SymbolicRequest &R,
                                 RequestEstimate &E) const {
  bool Together = all_of(R.Offset.terms(), [&](const Term &T) {
    return D.isUniformTerm(T, R.Active);
  });
  if (Together)
    byResidue(R, E);
  else
    byValuation(R, E);
  if (!E.Exact && R.Space == MemorySpace::Shared)
    byBanks(R, E);
}

/// Rows whose pitch is not known are taken to begin at sectors, where that is
/// all there is to know.
void RequestCoster::assumeRows(const SymbolicRequest &R,
                               RequestEstimate &E) const {
  if (E.Exact || R.Space != MemorySpace::Global || R.Several)
    return;
  std::optional<PitchedRows> Rows =
      layOutRows(D, R.Offset, R.Active, R.Bytes, Machine.granuleBytes());
  if (!Rows)
    return;
  SymbolicRequest LaidOut = R;
  LaidOut.Offset = Rows->Offset;
  RequestEstimate Known;
  Known.Active = E.Active;
  Known.ActiveLanes = E.ActiveLanes;
  costOfPlaces(LaidOut, Known);
  E.Work += Known.Work + 1;
  if (!Known.Exact)
    return;
  Known.Work = E.Work;
  Known.Assumptions = std::move(Rows->Assumptions);
  E = std::move(Known);
}

/// Loads and stores in shared memory alone have an ideal that is not that of
/// the bytes (MachineModel::sharedRequest).
static double fewestFor(const SymbolicRequest &R, double Ideal,
                        const MachineModel &Machine) {
  if (R.Space != MemorySpace::Shared || R.Matrices || R.Op == MemoryOp::Atomic)
    return Ideal;
  return std::min<double>(Ideal,
                          divideCeil(popcount(R.Active) * R.Bytes,
                                     Machine.banks() * Machine.bankBytes()));
}

RequestEstimate RequestCoster::estimateOne(const SymbolicRequest &R) const {
  RequestEstimate E;
  if (!R.Active)
    return E;
  E.Active = R.Active;
  E.ActiveLanes = popcount(R.Active);
  costOfPlaces(R, E);
  assumeRows(R, E);
  describe(R, E);
  E.Fewest = fewestFor(R, E.Ideal, Machine);
  return E;
}

/// Units of one lane that is wherever it costs the least.
double RequestCoster::fewestOfOne(const SymbolicRequest &R) const {
  if (R.Matrices)
    return R.Matrices;
  SymbolicRequest One = R;
  One.Active = 1;
  return costOf(One, {}).Units;
}

RequestEstimate RequestCoster::estimate(const SymbolicRequest &R) const {
  RequestEstimate E = R.Cases ? byCases(R) : estimateOne(R);
  if (R.DecidedByData.empty() || !E.Exact ||
      (E.Uniform && R.Op != MemoryOp::Atomic) || popcount(R.Active) == 1)
    return E;
  // Fewer lanes can only touch fewer units: what all cost that one lane costs,
  // any cost.
  const double OfOne = fewestOfOne(R);
  if (E.Max > OfOne) {
    // The ratio to the ideal stays the best guess.
    E.Exact = false;
    E.Reason = UnknownReason::DataDependentMask;
    E.Detail = R.DecidedByData + " decides which lanes take part";
    E.Min = OfOne;
    if (R.LanesLeave)
      thinOut(R, E);
  }
  return E;
}

} // namespace warplint
