//===- Valuations.cpp - Values that unknown things typically take --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Valuations.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

uint64_t scatter(uint64_t X) {
  X += 0x9e3779b97f4a7c15ULL;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9ULL;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebULL;
  return X ^ (X >> 31);
}

/// The representation of a number of few digits, as pixels, counts, ids and
/// test data are: its low bits are zeros, its high ones much alike.
static int64_t floatBits(uint64_t X, unsigned Bits) {
  double Value = double(X % 1024);
  return Bits == 64 ? int64_t(bit_cast<uint64_t>(Value))
                    : int64_t(bit_cast<int32_t>(float(Value)));
}

/// A multiple of the symbol's divisor in its range, \p Steps divisors from its
/// lower end (or from 0 where that is not known).
static int64_t pick(const Symbol &S, uint64_t Steps) {
  int64_t Div = std::max<int64_t>(S.Divisor, 1);
  int64_t Lo = S.Lo == INT64_MIN || S.Lo < -(int64_t(1) << 40) ? 0 : S.Lo;
  int64_t First = Lo >= 0 ? (Lo + Div - 1) / Div : -(-Lo / Div);
  uint64_t Count = uint64_t(1) << 20;
  if (S.Hi != INT64_MAX && S.Hi / Div >= First)
    Count = std::min<uint64_t>(Count, uint64_t(S.Hi / Div - First) + 1);
  return (First + int64_t(Steps % Count)) * Div;
}

/// How far apart lanes are that search alike, in steps.
static constexpr uint64_t Close = 16;

/// `x & (n - 1)` is a remainder for powers of two alone: that n is one.
static void findMasks(const LaneDomain &D, const LaneInt &A,
                      DenseSet<SymbolId> &Seen,
                      DenseSet<SymbolId> &PowersOfTwo) {
  for (const Term &T : A.terms())
    for (SymbolId S : T.M) {
      if (!Seen.insert(S).second)
        continue;
      for (const LaneInt &Operand : D[S].Operands) {
        findMasks(D, Operand, Seen, PowersOfTwo);
        SmallVector<SymbolId, 4> Base;
        if (D[S].Op == LaneOp::And && Operand.constant() == Lanes::splat(-1) &&
            !Operand.isConstant())
          D.baseSymbols(Operand, Base);
        PowersOfTwo.insert(Base.begin(), Base.end());
      }
    }
}

DenseSet<SymbolId> powersOfTwo(const LaneDomain &D, const LaneInt &A) {
  DenseSet<SymbolId> Seen, Found;
  findMasks(D, A, Seen, Found);
  return Found;
}

DenseSet<SymbolId> listedIndices(const LaneDomain &D, const LaneInt &A) {
  DenseSet<SymbolId> Found;
  for (const Term &T : A.terms())
    for (SymbolId S : T.M)
      if (!D[S].ReadAt.empty() && T.K.isUniform())
        Found.insert(S);
  return Found;
}

/// Lists of indices (neighbours in a mesh, rows of an image, what a sort or a
/// compaction leaves) mostly name neighbouring elements in neighbouring places:
/// a list is taken for the numbers from somewhere on, in order.
static Lanes listedIndex(const LaneDomain &D, SymbolId Id, unsigned Sample,
                         const SymbolUses &Uses,
                         LaneDomain::Valuation &Values) {
  const Symbol &S = D[Id];
  SmallVector<SymbolId, 8> Below, Missing;
  D.baseSymbols(S.ReadAt[0], Below);
  for (SymbolId B : Below)
    if (!Values.contains(B))
      Missing.push_back(B);
  for (const auto &[B, V] : typicalValues(D, Missing, Sample, Uses))
    Values.insert({B, V});
  const Lanes At = D.evaluate(S.ReadAt[0], Values);
  const int64_t Start =
      pick(S, scatter(uint64_t(Id) * 1009 + Sample * 7919) % (1 << 19));
  Lanes V;
  for (unsigned L = 0; L < WarpLanes; ++L)
    V[L] = std::clamp(Start + (At[L] - At[0]) / int64_t(S.ReadBytes) *
                                  std::max<int64_t>(S.Divisor, 1),
                      S.Lo, S.Hi);
  return V;
}

LaneDomain::Valuation typicalValues(const LaneDomain &D,
                                    ArrayRef<SymbolId> Base, unsigned Sample,
                                    const SymbolUses &Uses) {
  // Sizes people use: multiples of the warp and of the sector, not all powers
  // of two.
  static constexpr int64_t Sizes[] = {1024, 512, 2048, 640,
                                      4096, 768, 1536, 256};
  static constexpr int64_t Powers[] = {1024, 512, 2048, 256};
  LaneDomain::Valuation Values;
  for (SymbolId Id : Base) {
    const Symbol &S = D[Id];
    Lanes V;
    switch (S.IsSum ? SymbolOrigin::Derived : S.Origin) {
    case SymbolOrigin::Argument:
    case SymbolOrigin::Launch: {
      // ... the next one that the divisor allows, never 0.
      int64_t Div = std::max<int64_t>(S.Divisor, 1);
      int64_t Size = (Sizes[(Sample + Id) % 8] + Div - 1) / Div * Div;
      if (Uses.PowersOfTwo.contains(Id))
        Size = std::max(Powers[(Sample + Id) % 4], Div);
      if (!S.Values.empty()) {
        V = Lanes::splat(S.Values[(Sample + Id) % S.Values.size()]);
        break;
      }
      V = Lanes::splat(std::clamp(Size, S.Lo, S.Hi));
      break;
    }
    case SymbolOrigin::Address:
      for (unsigned L = 0; L < WarpLanes; ++L)
        V[L] = (int64_t(Id + 1) << 36) +
               (S.Varying
                    ? int64_t(scatter(Id * 977 + L + Sample * 31) % (1 << 22)) *
                          std::max<int64_t>(S.Divisor, 1)
                    : 0);
      break;
    case SymbolOrigin::BlockIndex:
    case SymbolOrigin::WarpIndex:
    case SymbolOrigin::Iteration:
      V = Lanes::splat(pick(S, Sample + Sample / 3 + Id % 3));
      break;
    case SymbolOrigin::Recurrence:
      // What lanes find by searching alike lies close together.
      for (unsigned L = 0; L < WarpLanes; ++L)
        V[L] =
            pick(S, scatter(uint64_t(Id) * 1009 + Sample * 7919) % (1 << 19) +
                        (S.Varying ? scatter(Id + Sample + L) % Close : 0));
      break;
    default:
      if (Uses.Listed.contains(Id))
        continue; // below, from where it was read
      if (S.Likely >= 0) {
        V = Lanes::splat(S.Likely);
        break;
      }
      if (S.FloatBits == 32 || S.FloatBits == 64) {
        for (unsigned L = 0; L < WarpLanes; ++L)
          V[L] = floatBits(scatter(uint64_t(Id) * 1009 + Sample * 7919 +
                                   (S.Varying ? L + 1 : 0)),
                           S.FloatBits);
        break;
      }
      for (unsigned L = 0; L < WarpLanes; ++L)
        V[L] = pick(S, scatter(uint64_t(Id) * 1009 + Sample * 7919 +
                               (S.Varying ? L + 1 : 0)));
    }
    Values[Id] = V;
  }
  for (SymbolId Id : Base)
    if (!Values.contains(Id))
      Values[Id] = listedIndex(D, Id, Sample, Uses, Values);
  return Values;
}

/// Values of a symbol with a range that has ends, or a list.
static uint64_t countOf(const Symbol &S) {
  if (!S.Values.empty())
    return S.Values.size();
  return (uint64_t(S.Hi) - uint64_t(S.Lo)) / std::max<int64_t>(S.Divisor, 1) +
         1;
}

std::vector<LaneDomain::Valuation>
allValues(const LaneDomain &D, ArrayRef<SymbolId> Base, unsigned Limit) {
  uint64_t Count = 1;
  for (SymbolId Id : Base) {
    const Symbol &S = D[Id];
    if (S.Varying || S.Lo == INT64_MIN || S.Hi == INT64_MAX ||
        (S.Values.empty() && uint64_t(S.Hi) - uint64_t(S.Lo) >= Limit))
      return {};
    Count *= countOf(S);
    if (Count > Limit)
      return {};
  }
  std::vector<LaneDomain::Valuation> All;
  for (uint64_t I = 0; I < Count; ++I) {
    LaneDomain::Valuation V;
    uint64_t Rest = I;
    for (SymbolId Id : Base) {
      const Symbol &S = D[Id];
      const uint64_t N = countOf(S), Index = Rest % N;
      V[Id] = Lanes::splat(S.Values.empty()
                               ? S.Lo + int64_t(Index) *
                                            std::max<int64_t>(S.Divisor, 1)
                               : S.Values[Index]);
      Rest /= N;
    }
    All.push_back(std::move(V));
  }
  return All;
}

} // namespace warplint
