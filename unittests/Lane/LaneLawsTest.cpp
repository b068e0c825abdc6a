//===- LaneLawsTest.cpp - The domain against arithmetic lane by lane ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The law of the domain: computing with polynomials and then giving the
/// symbols values equals computing with the values, lane by lane. Random
/// expressions over every operation; the right side is plain C++ on int64_t.
///
//===----------------------------------------------------------------------===//

#include "warplint/Lane/LaneDomain.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <functional>
#include <random>

using namespace warplint;

namespace {

/// A value of the domain beside the number it stands for in each lane.
struct Both {
  LaneInt Symbolic;
  Lanes Value;
};

class Laws {
public:
  explicit Laws(uint64_t Seed) : Random(Seed) {
    // Uniform and varying, with and without divisors, negative and bounded.
    addSymbol("n", false, 1, 1000, 1);
    addSymbol("pitch", false, 0, 4096, 32);
    addSymbol("offset", false, -200, 200, 1);
    addSymbol("bit", false, 0, 1, 1);
    addSymbol("index", true, 0, 255, 1);
    addSymbol("delta", true, -64, 64, 4);
    addSymbol("flag", true, 0, 1, 1);
  }

  /// Every value the domain claims a fact about keeps to it.
  void check(const Both &E) {
    LaneDomain::Valuation V = Values;
    Lanes Got = D.evaluate(E.Symbolic, V);
    for (unsigned L = 0; L < WarpLanes; ++L) {
      ASSERT_EQ(Got[L], E.Value[L])
          << "lane " << L << " of " << D.str(E.Symbolic);
      Interval R = D.rangeOfLane(E.Symbolic, L);
      ASSERT_LE(R.Lo, E.Value[L])
          << "lane " << L << " of " << D.str(E.Symbolic);
      ASSERT_GE(R.Hi, E.Value[L])
          << "lane " << L << " of " << D.str(E.Symbolic);
      if (int64_t G = D.symbolicDivisor(E.Symbolic))
        ASSERT_EQ((E.Value[L] - E.Symbolic.constant()[L]) % G, 0)
            << D.str(E.Symbolic);
    }
    if (D.isUniform(E.Symbolic))
      ASSERT_TRUE(E.Value.isUniform()) << D.str(E.Symbolic);
    ASSERT_EQ(D.knownTrue(E.Symbolic) & D.knownFalse(E.Symbolic), 0u);
  }

  Both expression(unsigned Depth) {
    if (Depth == 0 || pick(8) == 0)
      return leaf();
    switch (pick(14)) {
    case 0:
      return apply(
          Depth, [&](auto &A, auto &B) { return D.add(A, B); },
          [](int64_t A, int64_t B) { return A + B; });
    case 1:
      return apply(
          Depth, [&](auto &A, auto &B) { return D.sub(A, B); },
          [](int64_t A, int64_t B) { return A - B; });
    case 2:
      return apply(
          Depth, [&](auto &A, auto &B) { return D.mul(A, B); },
          [](int64_t A, int64_t B) { return A * B; });
    case 3:
    case 4: {
      int64_t By = divisor();
      bool Quotient = pick(2);
      return map(
          Depth,
          [&](auto &A) {
            auto QR = D.divMod(A, LaneInt::constant(By));
            return Quotient ? QR.first : QR.second;
          },
          [&](int64_t A) {
            int64_t R = ((A % By) + By) % By;
            return Quotient ? (A - R) / By : R;
          });
    }
    case 5:
      return apply(
          Depth, [&](auto &A, auto &B) { return D.bitAnd(A, B); },
          [](int64_t A, int64_t B) { return A & B; });
    case 6:
      return apply(
          Depth, [&](auto &A, auto &B) { return D.bitOr(A, B); },
          [](int64_t A, int64_t B) { return A | B; });
    case 7:
      return apply(
          Depth, [&](auto &A, auto &B) { return D.bitXor(A, B); },
          [](int64_t A, int64_t B) { return A ^ B; });
    case 8: {
      int64_t Mask = mask();
      return map(
          Depth, [&](auto &A) { return D.bitAnd(A, LaneInt::constant(Mask)); },
          [&](int64_t A) { return A & Mask; });
    }
    case 9: {
      int64_t By = pick(6);
      bool Left = pick(2);
      return map(
          Depth,
          [&](auto &A) {
            LaneInt B = LaneInt::constant(By);
            return Left ? D.shiftLeft(A, B, 64) : D.shiftRight(A, B, false, 64);
          },
          [&](int64_t A) { return Left ? A * (int64_t(1) << By) : A >> By; });
    }
    case 10:
      return map(
          Depth, [&](auto &A) { return D.isGE0(A); },
          [](int64_t A) { return int64_t(A >= 0); });
    case 11:
      return map(
          Depth, [&](auto &A) { return D.isEQ0(A); },
          [](int64_t A) { return int64_t(A == 0); });
    case 12: {
      Both C = expression(Depth - 1);
      Both Cond{D.isGE0(C.Symbolic), C.Value};
      return apply(
          Depth,
          [&](auto &A, auto &B) {
            return D.selectExactly(Cond.Symbolic, A, B);
          },
          nullptr,
          [&](unsigned L, int64_t A, int64_t B) {
            return C.Value[L] >= 0 ? A : B;
          });
    }
    default: {
      LaneMask M = LaneMask(Random());
      return apply(
          Depth, [&](auto &A, auto &B) { return D.blend(M, A, B); }, nullptr,
          [&](unsigned L, int64_t A, int64_t B) { return M >> L & 1 ? A : B; });
    }
    }
  }

  /// No law holds past 64 bits: expressions that grow so far are dropped.
  static bool isSmall(const Both &E) {
    for (int64_t X : E.Value.array())
      if (std::llabs(X) > int64_t(1) << 40)
        return false;
    return true;
  }

  LaneDomain D;
  LaneDomain::Valuation Values;
  std::vector<SymbolId> Symbols;

private:
  std::mt19937_64 Random;

  unsigned pick(unsigned N) { return unsigned(Random() % N); }

  void addSymbol(const char *Name, bool Varying, int64_t Lo, int64_t Hi,
                 int64_t Div) {
    Symbol S;
    S.Name = Name;
    S.Varying = Varying;
    S.Origin = SymbolOrigin::Argument;
    S.Lo = Lo;
    S.Hi = Hi;
    S.Divisor = Div;
    SymbolId Id = D.fresh(S);
    Symbols.push_back(Id);
    Lanes V;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = L == 0 || Varying
                 ? (Lo / Div +
                    int64_t(Random() % uint64_t(Hi / Div - Lo / Div + 1))) *
                       Div
                 : V[0];
    Values[Id] = V;
  }

  int64_t divisor() {
    static const int64_t Divisors[] = {1, 2, 3, 4, 5, 7, 8, 16, 31, 32, 33, 96};
    return Divisors[pick(12)];
  }
  int64_t mask() {
    static const int64_t Masks[] = {0,  1,   3,  7,  31,  32,
                                    48, 255, -1, -4, -32, 5};
    return Masks[pick(12)];
  }

  Both leaf() {
    Lanes V;
    switch (pick(5)) {
    case 0:
      V = Lanes::splat(int64_t(pick(100)) - 40);
      return {LaneInt(V), V};
    case 1: {
      int64_t Step = int64_t(pick(9)) - 2, First = pick(20);
      for (unsigned L = 0; L < WarpLanes; ++L)
        V[L] = First + Step * int64_t(L);
      return {LaneInt(V), V};
    }
    case 2:
      for (unsigned L = 0; L < WarpLanes; ++L)
        V[L] = int64_t(Random() % 64) - 8;
      return {LaneInt(V), V};
    default: {
      SymbolId S = Symbols[pick(Symbols.size())];
      return {LaneInt::symbol(S), Values[S]};
    }
    }
  }

  template <typename Sym, typename Num> Both map(unsigned Depth, Sym S, Num N) {
    Both A = expression(Depth - 1);
    Both R{S(A.Symbolic), {}};
    for (unsigned L = 0; L < WarpLanes; ++L)
      R.Value[L] = N(A.Value[L]);
    return R;
  }

  template <typename Sym>
  Both apply(unsigned Depth, Sym S, int64_t (*N)(int64_t, int64_t),
             std::function<int64_t(unsigned, int64_t, int64_t)> ByLane = {}) {
    Both A = expression(Depth - 1), B = expression(Depth - 1);
    Both R{S(A.Symbolic, B.Symbolic), {}};
    for (unsigned L = 0; L < WarpLanes; ++L)
      R.Value[L] =
          N ? N(A.Value[L], B.Value[L]) : ByLane(L, A.Value[L], B.Value[L]);
    return R;
  }
};

TEST(LaneLaws, EvaluateAfterEqualsEvaluateBefore) {
  unsigned Checked = 0;
  for (uint64_t Seed = 0; Seed < 4000; ++Seed) {
    Laws L(Seed);
    Both E = L.expression(1 + Seed % 5);
    if (!Laws::isSmall(E))
      continue;
    ++Checked;
    L.check(E);
    if (testing::Test::HasFatalFailure())
      FAIL() << "seed " << Seed;
  }
  EXPECT_GT(Checked, 3000u);
}

TEST(LaneLaws, SubstitutionIsEvaluationOfOneSymbol) {
  for (uint64_t Seed = 0; Seed < 1000; ++Seed) {
    Laws L(Seed);
    Both E = L.expression(3);
    if (!Laws::isSmall(E))
      continue;
    SymbolId S = L.Symbols[Seed % L.Symbols.size()];
    Both Known{L.D.substitute(E.Symbolic, S, LaneInt(L.Values[S])), E.Value};
    L.check(Known);
    if (testing::Test::HasFatalFailure())
      FAIL() << "seed " << Seed;
  }
}

TEST(LaneLaws, QuotientAndRemainderPutTogetherAreTheNumber) {
  for (uint64_t Seed = 0; Seed < 1000; ++Seed) {
    Laws L(Seed);
    Both A = L.expression(2);
    if (!Laws::isSmall(A))
      continue;
    auto [Q, R] = L.D.divMod(A.Symbolic, LaneInt::constant(1 + Seed % 40));
    L.check({L.D.add(L.D.scale(Q, 1 + int64_t(Seed) % 40), R), A.Value});
    if (testing::Test::HasFatalFailure())
      FAIL() << "seed " << Seed;
    // By a number that is not known, the same polynomial comes back: the idiom
    // of i / n and i % n.
    LaneInt N = LaneInt::symbol(L.Symbols[0]);
    auto [Row, Column] = L.D.divMod(A.Symbolic, N);
    EXPECT_EQ(L.D.add(L.D.mul(Row, N), Column), A.Symbolic)
        << L.D.str(A.Symbolic);
  }
}

TEST(LaneLaws, PermutedLanesTakeTheirSourcesValue) {
  for (uint64_t Seed = 0; Seed < 500; ++Seed) {
    Laws L(Seed);
    Both E = L.expression(2);
    bool Varying =
        L.D.anySymbol(E.Symbolic, [](const Symbol &S) { return S.Varying; });
    if (!Laws::isSmall(E) || Varying)
      continue; // another lane's unknown has no value here
    std::array<unsigned, WarpLanes> From;
    Lanes Moved;
    for (unsigned I = 0; I < WarpLanes; ++I) {
      From[I] = (I * 7 + Seed) % WarpLanes;
      Moved[I] = E.Value[From[I]];
    }
    L.check({L.D.permute(E.Symbolic, From), Moved});
    if (testing::Test::HasFatalFailure())
      FAIL() << "seed " << Seed;
  }
}

TEST(LaneLaws, KnownValuesComputeAtTheirWidth) {
  std::mt19937_64 Random(7);
  LaneDomain D;
  for (unsigned Round = 0; Round < 2000; ++Round) {
    Lanes A, B;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      A[L] = int32_t(Random());
      B[L] = int32_t(Random() >> (Round % 32));
    }
    LaneInt SA(A), SB(B);
    auto Check = [&](const LaneInt &Got, auto Want, const char *What) {
      for (unsigned L = 0; L < WarpLanes; ++L)
        ASSERT_EQ(Got.constant()[L],
                  int64_t(int32_t(Want(int32_t(A[L]), int32_t(B[L])))))
            << What << " of " << A[L] << " and " << B[L];
    };
    auto U = [](int32_t X) { return uint32_t(X); };
    Check(
        D.wrap(D.add(SA, SB), 32),
        [&](int32_t X, int32_t Y) { return U(X) + U(Y); }, "add");
    Check(
        D.wrap(D.mul(SA, SB), 32),
        [&](int32_t X, int32_t Y) { return U(X) * U(Y); }, "mul");
    Check(
        D.divide(SA, SB, false, 32),
        [&](int32_t X, int32_t Y) { return Y ? U(X) / U(Y) : 0; }, "udiv");
    Check(
        D.remainder(SA, SB, false, 32),
        [&](int32_t X, int32_t Y) { return Y ? U(X) % U(Y) : 0; }, "urem");
    Check(
        D.divide(SA, SB, true, 32),
        [&](int32_t X, int32_t Y) { return Y ? int64_t(X) / int64_t(Y) : 0; },
        "sdiv");
    Check(
        D.remainder(SA, SB, true, 32),
        [&](int32_t X, int32_t Y) { return Y ? int64_t(X) % int64_t(Y) : 0; },
        "srem");
    Check(
        D.shiftRight(SA, LaneInt::constant(Round % 32), true, 32),
        [&](int32_t X, int32_t) { return U(X) >> (Round % 32); }, "lshr");
    Check(
        D.shiftLeft(SA, LaneInt::constant(Round % 32), 32),
        [&](int32_t X, int32_t) { return U(X) << (Round % 32); }, "shl");
  }
}

} // namespace
