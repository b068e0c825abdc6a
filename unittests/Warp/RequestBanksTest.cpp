//===- RequestBanksTest.cpp - What banks tell of unknown addresses --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Warp/RequestCost.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace warplint;

namespace {

class Banks : public testing::Test {
protected:
  LaneDomain D;
  MachineModel Machine = cantFail(MachineModel::forArch("sm_90"));
  MemoryObject Array;

  SymbolicRequest request(const LaneInt &Offset, unsigned Bytes,
                          SharedOp Op = SharedOp::Load) {
    Array.Space = MemorySpace::Shared;
    Array.Align = 16;
    SymbolicRequest R;
    R.Space = MemorySpace::Shared;
    R.Op = Op == SharedOp::Load    ? MemoryOp::Load
           : Op == SharedOp::Store ? MemoryOp::Store
                                   : MemoryOp::Atomic;
    R.Shared = Op;
    R.Bytes = R.Align = Bytes;
    R.Offset = Offset;
    R.Object = &Array;
    R.Active = AllLanes;
    return R;
  }
  RequestEstimate shared(const LaneInt &Offset, unsigned Bytes,
                         SharedOp Op = SharedOp::Load) {
    return RequestCoster(D, Machine).estimate(request(Offset, Bytes, Op));
  }

  LaneInt unknown(bool Varying, SymbolOrigin Origin = SymbolOrigin::Recurrence,
                  Interval Range = {}, int64_t Divisor = 1) {
    Symbol S;
    S.Name = Varying ? "v" : "u";
    S.Origin = Origin;
    S.Varying = Varying;
    S.Lo = Range.Lo;
    S.Hi = Range.Hi;
    S.Divisor = Divisor;
    return LaneInt::symbol(D.fresh(S));
  }
  LaneInt mask(const LaneInt &A, int64_t M) {
    return D.bitAnd(A, LaneInt::constant(M));
  }
  LaneInt lane() {
    Lanes V;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = L;
    return LaneInt(V);
  }
  void expect(const RequestEstimate &E, double Units) {
    EXPECT_TRUE(E.Exact);
    EXPECT_EQ(E.Reason, UnknownReason::None);
    EXPECT_EQ(E.Mean, Units);
    EXPECT_EQ(E.Min, Units);
    EXPECT_EQ(E.Max, Units);
  }
};

// 256 words in a ring, lanes side by side from anywhere on: 32 words in a row
// of a ring of 8 rows lie in 32 banks.
TEST_F(Banks, ARing) {
  LaneInt S = unknown(false);
  LaneInt Index = mask(D.add(lane(), S), 255);
  expect(shared(D.scale(Index, 4), 4), 1);
  // Every other word of it: 32 words in the 16 banks of one parity.
  Index = mask(D.add(D.scale(lane(), 2), S), 255);
  expect(shared(D.scale(Index, 4), 4), 2);
  // A ring of 16 words: lanes l and l + 16 are on one word.
  Index = mask(D.add(lane(), S), 15);
  expect(shared(D.scale(Index, 4), 4, SharedOp::Store), 1);
  // ... which an atomic serves one after the other.
  expect(shared(D.scale(Index, 4), 4, SharedOp::Update), 2);
}

// (241 * lane + s) mod 256 records of 8 words: 241 = 1 mod 4, so lanes go
// through the 4 records in a row of banks, 8 lanes on each bank, all on records
// of their own as 241 is odd.
TEST_F(Banks, AGeneratorOverRecords) {
  LaneInt S = unknown(false);
  LaneInt Index = mask(D.add(D.scale(lane(), 241), D.scale(S, 1664525)), 255);
  expect(shared(D.scale(Index, 32), 4), 8);
  // In two steps, as the program writes it.
  Index = mask(
      D.add(D.scale(mask(D.add(lane(), S), 255), 241), LaneInt::constant(59)),
      255);
  expect(shared(D.scale(Index, 32), 4), 8);
}

// A ring of 24 words, read by 32 lanes: 8 words are read twice, all 24 lie in
// 24 banks. Of 40 words: those behind the end begin again at bank 0, while the
// ones before it end at bank 7; for s = 0 to 8 all is within the ring. Words
// s .. 39 and 0 .. s - 9: in banks 0 .. 7 lie 32 .. 39 besides.
TEST_F(Banks, RingsThatAreNoPowerOfTwo) {
  LaneInt S = unknown(false, SymbolOrigin::Loaded, {0, INT64_MAX});
  auto Ring = [&](int64_t N) {
    return D.scale(D.divMod(D.add(lane(), S), LaneInt::constant(N)).second, 4);
  };
  expect(shared(Ring(24), 4), 1);
  RequestEstimate E = shared(Ring(40), 4);
  EXPECT_FALSE(E.Exact);
  EXPECT_EQ(E.Min, 1);
  EXPECT_EQ(E.Max, 2);
  // Two words in a bank for s = 9 .. 39: the lowest bank has word 0 and 32.
  EXPECT_EQ(E.Mean, (9 * 1 + 31 * 2) / 40.0);
}

TEST_F(Banks, ASwizzleWithAnUnknownRow) {
  // Column l of row r at l ^ r: the lowest 5 bits go through all 32 values.
  LaneInt R = unknown(false);
  expect(shared(D.scale(D.bitXor(lane(), R), 4), 4), 1);
  // Columns 0, 2, ... 62 of rows of 64: 16 banks twice.
  expect(shared(D.scale(D.bitXor(D.scale(lane(), 2), mask(R, 62)), 4), 4), 2);
}

// A row that each lane picks for itself moves no bank.
TEST_F(Banks, ARowOfItsOwnForEachLane) {
  LaneInt V = unknown(true, SymbolOrigin::Loaded, {0, INT64_MAX});
  LaneInt At = D.scale(D.add(D.scale(V, 32), lane()), 4);
  expect(shared(At, 4), 1);
  expect(shared(At, 4, SharedOp::Update), 1);
  // Stores of doubles, rows of 16: a half-warp has 16 banks of two words.
  At = D.scale(D.add(D.scale(V, 16), mask(lane(), 15)), 8);
  expect(shared(At, 8, SharedOp::Store), 2);
  // Four lanes on a bank: one word or four.
  At = D.scale(D.add(D.scale(V, 32), mask(lane(), 7)), 4);
  RequestEstimate E = shared(At, 4);
  EXPECT_FALSE(E.Exact);
  EXPECT_EQ(E.Min, 1);
  EXPECT_EQ(E.Max, 4);
  expect(shared(At, 4, SharedOp::Update), 4);
  // Rows of 33 words move the banks.
  E = shared(D.scale(D.add(D.scale(V, 33), lane()), 4), 4);
  EXPECT_FALSE(E.Exact);
  EXPECT_EQ(E.Max, 32);
}

// A load of 8 bytes takes one pass where neighbours read one address: whether
// they do, a row of its own for each lane leaves open.
TEST_F(Banks, WideLoadsThatMayShare) {
  LaneInt V = unknown(true, SymbolOrigin::Loaded, {0, INT64_MAX});
  LaneInt Pair = D.divMod(lane(), LaneInt::constant(2)).first;
  RequestEstimate E = shared(D.scale(D.add(D.scale(V, 16), Pair), 8), 8);
  EXPECT_FALSE(E.Exact);
  EXPECT_EQ(E.Min, 1); // all rows one: 16 doubles, one pass of 32 lanes
  EXPECT_EQ(E.Max, 4); // two words in a bank in each half-warp
  // Neighbours apart, whatever the rows are: two passes, 16 banks in each.
  expect(shared(D.scale(D.add(D.scale(V, 16), mask(lane(), 15)), 8), 8), 2);
}

// A shift by bytes: 32 neighbours of 2 bytes lie in 16 words, or 17.
TEST_F(Banks, HalvesOfWords) {
  LaneInt S = unknown(false);
  expect(shared(D.scale(mask(D.add(lane(), S), 1023), 2), 2), 1);
  // Lane l at byte 6 * l + 2 * s: words 1.5 * l. 48 words wide, so a bank has
  // up to two: 0, 1, 3, 4, 6 ... and 32 = 0 mod 32, 33 is none of 1.5 l.
  expect(shared(D.add(D.scale(lane(), 6), D.scale(S, 2)), 2), 2);
}

// What is claimed holds for any values: random sums of remainders, masks and
// swizzles of unknown numbers.
TEST_F(Banks, ClaimsHoldForAnyValues) {
  std::mt19937 Random(7);
  auto Below = [&](unsigned N) { return int64_t(Random() % N); };
  unsigned Exact = 0, Tight = 0;
  for (unsigned Round = 0; Round < 1500; ++Round) {
    SmallVector<LaneInt, 4> Shared;
    for (unsigned I = 0; I < 3; ++I) {
      static constexpr Interval Ranges[] = {
          {}, {0, INT64_MAX}, {0, 7}, {INT64_MIN, 3}, {4, 200}};
      Shared.push_back(unknown(false, SymbolOrigin::Loaded, Ranges[Below(5)],
                               int64_t(1) << Below(3)));
    }
    LaneInt Own = unknown(true, SymbolOrigin::Loaded, {0, INT64_MAX});
    std::function<LaneInt(unsigned)> Make = [&](unsigned Depth) -> LaneInt {
      auto Leaf = [&]() -> LaneInt {
        switch (Below(8)) {
        case 0:
          return LaneInt::constant(Below(40));
        case 1:
        case 2:
          return D.divMod(lane(), LaneInt::constant(int64_t(1) << Below(5)))
              .first;
        case 3:
          return D.scale(Own, int64_t(1) << Below(7));
        case 4:
        case 5:
          return lane();
        default:
          return D.scale(Shared[Below(3)], 1 + Below(9));
        }
      };
      if (Depth == 0)
        return Leaf();
      switch (Below(8)) {
      case 0:
        return D.divMod(Make(Depth - 1), LaneInt::constant(2 + Below(40)))
            .second;
      case 1:
        return mask(Make(Depth - 1), (int64_t(1) << (1 + Below(7))) - 1);
      case 2:
        return D.bitXor(Make(Depth - 1), Make(Depth - 1));
      case 3:
        return D.scale(Make(Depth - 1), 1 + Below(33));
      case 4:
        return D.divMod(Make(Depth - 1), LaneInt::constant(1 + Below(9))).first;
      case 5:
        return D.bitAnd(Make(Depth - 1), Make(Depth - 1));
      case 6:
        return D.bitOr(Make(Depth - 1), Make(Depth - 1));
      default:
        return D.add(Make(Depth - 1), Make(Depth - 1));
      }
    };
    const unsigned Bytes = 1u << Below(5);
    static constexpr SharedOp Ops[] = {SharedOp::Load, SharedOp::Store,
                                       SharedOp::Update};
    const SharedOp Op = Ops[Below(Bytes <= 4 ? 3 : 2)];
    const LaneInt Offset = D.scale(Make(3), Bytes);
    SymbolicRequest R = request(Offset, Bytes, Op);
    if (Below(3) == 0)
      R.Active = LaneMask(Random()) | 1u << Below(32);
    RequestEstimate E = RequestCoster(D, Machine).estimate(R);
    Exact += E.Exact && !Offset.isConstant();
    Tight += !E.Exact && (E.Min > 1 || E.Max < 32);

    for (unsigned Try = 0; Try < 60; ++Try) {
      LaneDomain::Valuation V;
      SmallVector<SymbolId, 8> Base;
      D.baseSymbols(Offset, Base);
      for (SymbolId S : Base) {
        const Symbol &Sym = D[S];
        Lanes X;
        const int64_t Often = 1 + Below(3) * 40; // rows meet, too
        for (unsigned L = 0; L < WarpLanes; ++L) {
          const int64_t Lo = Sym.Lo == INT64_MIN
                                 ? (Sym.Hi == INT64_MAX ? 1000 : Sym.Hi) - 1999
                                 : Sym.Lo;
          const int64_t Hi = Sym.Hi == INT64_MAX ? Lo + 1999 : Sym.Hi;
          int64_t Y = Lo + Below(unsigned(Hi - Lo + 1));
          if (Sym.Varying)
            Y = Below(unsigned(Often));
          Y -= ((Y % Sym.Divisor) + Sym.Divisor) % Sym.Divisor;
          if (Y < Sym.Lo)
            Y += Sym.Divisor;
          X[L] = L && !Sym.Varying ? X[0] : Y;
        }
        V[S] = X;
      }
      const RequestCost C = Machine.sharedRequest(D.evaluate(Offset, V).array(),
                                                  R.Active, Bytes, Op);
      ASSERT_GE(C.Units, E.Min) << D.str(Offset) << " round " << Round;
      ASSERT_LE(C.Units, E.Max) << D.str(Offset) << " round " << Round;
      if (E.Exact)
        ASSERT_EQ(C.Units, E.Mean) << D.str(Offset) << " round " << Round;
    }
  }
  // That it claims anything.
  EXPECT_GT(Exact, 300u);
  EXPECT_GT(Tight, 100u);
}

} // namespace
