//===- RowPitches.cpp - Rows whose pitch is not known --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPitches.h"
#include "LaneCases.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace warplint {

namespace {

class RowLayout {
public:
  RowLayout(const LaneDomain &D, const LaneInt &Offset, LaneMask Active,
            int64_t Granule)
      : D(D), Offset(Offset), Active(Active), Granule(Granule) {}

  std::optional<PitchedRows> layOut(unsigned Bytes);

private:
  const LaneDomain &D;
  const LaneInt &Offset;
  const LaneMask Active;
  const int64_t Granule;
  /// The pitches, with the number that each must be a multiple of.
  MapVector<SymbolId, int64_t> Pitches;

  bool isSize(SymbolId S) const {
    return D[S].Origin == SymbolOrigin::Argument && D[S].Op == LaneOp::None &&
           D[S].Lo != D[S].Hi && !D[S].Varying;
  }
  bool hasPitch(const Monomial &M) const {
    return any_of(M, [&](SymbolId S) { return Pitches.contains(S); });
  }
  bool isPosition(SymbolId S) const {
    return !D[S].Varying && restsOnCounters(D, LaneInt::symbol(S));
  }
  int64_t divisor(const Term &T) const {
    return std::gcd(D.symbolicDivisor(LaneInt(Lanes(), {T})), Granule);
  }
  /// One is added where the other is taken off.
  bool areOpposed(const Term &A, const Term &B) const {
    const unsigned L = unsigned(llvm::countr_zero(Active));
    return L < WarpLanes && (A.K[L] < 0) != (B.K[L] < 0);
  }
  void findSizes();
  void dropShifts();
  void findMultiples();
};

/// Sizes that multiply the number of a row somewhere.
void RowLayout::findSizes() {
  for (const Term &T : Offset.terms()) {
    bool Row = any_of(T.M, [&](SymbolId S) { return isPosition(S); }) ||
               !T.K.isUniform(Active);
    for (SymbolId S : T.M)
      if (Row && isSize(S))
        Pitches.insert({S, 1});
  }
}

/// A row number that shifts columns as well makes rows of another length than
/// the size: `row * (n + 1)`; and what is taken off a tile is no size of a row:
/// `blockIdx.x * (16 - 2 * halo)`.
void RowLayout::dropShifts() {
  auto Shifts = [&](const Term &T, SymbolId S) {
    return is_contained(T.M, S) && any_of(T.M, [&](SymbolId P) {
             if (!isPosition(P))
               return false;
             return any_of(Offset.terms(), [&](const Term &U) {
               return is_contained(U.M, P) && !hasPitch(U.M) &&
                      (divisor(U) % Granule != 0 ||
                       (divisor(T) % Granule != 0 && areOpposed(T, U)));
             });
           });
  };
  bool Again = true;
  while (Again) {
    Again = false;
    for (const auto &[S, Multiple] : Pitches)
      if (any_of(Offset.terms(),
                 [&, S = S](const Term &T) { return Shifts(T, S); })) {
        Pitches.erase(S);
        Again = true; // ... and what stood beside it stands alone now
        break;
      }
  }
}

void RowLayout::findMultiples() {
  // One of two pitches in a product is enough: those that stand alone first.
  for (bool Alone : {true, false})
    for (const Term &T : Offset.terms()) {
      SmallVector<SymbolId, 2> Here;
      int64_t Whole = divisor(T);
      for (SymbolId S : T.M)
        if (Pitches.contains(S)) {
          Here.push_back(S);
          Whole = std::min(Granule, Whole * Pitches[S]);
        }
      if (Here.empty() || Alone != (Here.size() == 1) || Whole % Granule == 0)
        continue;
      Pitches[Here.front()] *= Granule / std::gcd(Whole, Granule);
    }
}

std::optional<PitchedRows> RowLayout::layOut(unsigned Bytes) {
  findSizes();
  dropShifts();
  if (Pitches.empty())
    return std::nullopt;
  findMultiples();

  // Lanes with the same share of every pitch are in one row.
  std::map<std::vector<int64_t>, unsigned> Rows;
  std::array<unsigned, WarpLanes> RowOf{};
  SmallVector<Term, 2> Rest;
  std::array<std::vector<int64_t>, WarpLanes> Share;
  for (const Term &T : Offset.terms()) {
    if (!hasPitch(T.M)) {
      Rest.push_back(T);
      continue;
    }
    if (!T.K.isUniform(Active))
      for (unsigned L = 0; L < WarpLanes; ++L)
        Share[L].push_back(T.K[L]);
  }
  std::vector<Interval> Columns;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    if (!(Active >> L & 1))
      continue;
    const int64_t At = Offset.constant()[L];
    RowOf[L] = Rows.insert({Share[L], unsigned(Rows.size())}).first->second;
    if (RowOf[L] == Columns.size())
      Columns.push_back({At, At + Bytes});
    Interval &Row = Columns[RowOf[L]];
    Row = {std::min(Row.Lo, At), std::max(Row.Hi, At + int64_t(Bytes))};
  }
  int64_t Extent = 0; // of a row, and where it begins
  bool Column = any_of(Rest, [&](const Term &T) {
    return any_of(T.M, [&](SymbolId S) { return isPosition(S); });
  });
  for (const Interval &Row : Columns) {
    Extent = std::max({Extent, Row.Hi, -Row.Lo});
    Column |= Row.Hi - Row.Lo > Bytes;
    if ((Row.Lo - Columns.front().Lo) % Granule != 0)
      return std::nullopt;
  }
  // Without a column, `a[i * n]`, n is a stride, of which nothing is usual.
  if (Columns.size() > 1 && !Column)
    return std::nullopt;

  PitchedRows Result;
  const int64_t FarApart =
      2 * int64_t(alignTo(uint64_t(Extent), Granule * 128));
  Lanes C = Offset.constant();
  for (unsigned L = 0; L < WarpLanes; ++L)
    C[L] += RowOf[L] * FarApart;
  Result.Offset = LaneInt(C, std::move(Rest));
  for (const auto &[S, Multiple] : Pitches) {
    bool Apart = Columns.size() > 1;
    if (Multiple == 1 && !Apart)
      continue; // the program says so
    if (Multiple == 1)
      Result.Assumptions.push_back(
          formatv("rows {0} apart do not overlap", D[S].Name));
    else
      Result.Assumptions.push_back(
          formatv("{0} is a multiple of {1}, so that rows begin at a sector{2}",
                  D[S].Name, Multiple, Apart ? " and do not share one" : ""));
  }
  return Result;
}

} // namespace

std::optional<PitchedRows> layOutRows(const LaneDomain &D,
                                      const LaneInt &Offset, LaneMask Active,
                                      unsigned Bytes, int64_t Granule) {
  return RowLayout(D, Offset, Active, Granule).layOut(Bytes);
}

} // namespace warplint
