//===- BankPatterns.cpp - Where lanes lie in the banks -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankPatterns.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace llvm;

namespace warplint {

LaneAddresses BankPatterns::apart(size_t I) const {
  LaneAddresses A = At[I];
  if (RowBytes == 0)
    return A;
  // Unsigned: values that went wild come round.
  const auto [Lo, Hi] = std::minmax_element(A.begin(), A.end());
  const uint64_t Span = uint64_t(*Hi) - uint64_t(*Lo);
  const uint64_t Step = (Span / uint64_t(RowBytes) + 2) * uint64_t(RowBytes);
  for (unsigned L = 0; L < WarpLanes; ++L)
    A[L] = int64_t(uint64_t(A[L]) + Row[L] * Step);
  return A;
}

LaneAddresses BankPatterns::together(size_t I) const {
  LaneAddresses A = At[I];
  if (RowBytes != 0)
    for (int64_t &X : A)
      X = mod(X, RowBytes);
  return A;
}

namespace {

/// Factors of symbols in an address that is no wild one.
constexpr int64_t MaxFactor = int64_t(1) << 40;

bool isWild(const LaneInt &A) {
  return any_of(A.terms(), [](const Term &T) {
    return T.K.any([](int64_t K) { return K > MaxFactor || K < -MaxFactor; });
  });
}

/// A number that all lanes share and of which nothing else is known.
struct SharedNumber {
  LaneInt Of;        ///< without constant and common factor
  SymbolId Stand;    ///< stands for Of over its divisor
  Interval Range;    ///< of Stand
  int64_t Count = 0; ///< values of Stand to be gone through, from First on
  int64_t First = 0;
};

class PatternFinder {
public:
  PatternFinder(LaneDomain &D, LaneMask Active, int64_t Period, unsigned Limit)
      : D(D), Active(Active), Period(Period), Limit(Limit) {}

  /// \p LookIntoRows: see bankPatterns().
  std::optional<BankPatterns> find(const LaneInt &Offset, int64_t Word,
                                   int64_t BaseAlign, bool LookIntoRows);

private:
  LaneDomain &D;
  const LaneMask Active;
  const int64_t Period;
  const unsigned Limit;
  std::vector<SharedNumber> Numbers;
  DenseMap<SymbolId, std::optional<LaneInt>> Rewritten;
  /// What the numbers' periods are made of: divisors and powers of two.
  int64_t Modulus = 1;

  LaneInt standIn(const LaneInt &Uniform);
  std::optional<LaneInt> rewrite(const LaneInt &A, bool Top);
  std::optional<LaneInt> rewriteTerm(const Term &T);
  std::optional<LaneInt> rewriteSymbol(SymbolId S);
  std::optional<int64_t> powerAbove(const LaneInt &A) const;
  bool withinOneRow(const LaneInt &Offset, ArrayRef<Term> Rows,
                    int64_t RowBytes) const;

  using Shifts = DenseMap<SymbolId, std::optional<Lanes>>;
  std::optional<Lanes> shiftOf(const LaneInt &A, Shifts &Known) const;
  std::optional<Lanes> shiftOf(SymbolId S, Shifts &Known) const;
};

/// \p Uniform as a multiple of a symbol of its own, the same symbol for
/// multiples of the same sum.
LaneInt PatternFinder::standIn(const LaneInt &Uniform) {
  if (Uniform.isConstant())
    return LaneInt();
  const unsigned Lane = countr_zero(Active);
  int64_t Content = 0;
  for (const Term &T : Uniform.terms())
    Content = std::gcd(Content, T.K[Lane]);
  if (Uniform.terms()[0].K[Lane] < 0)
    Content = -Content;
  SmallVector<Term, 2> Terms;
  for (const Term &T : Uniform.terms())
    Terms.push_back({T.M, Lanes::splat(T.K[Lane] / Content)});
  LaneInt Of(Lanes(), std::move(Terms));
  const int64_t Divisor = D.symbolicDivisor(Of);
  for (const SharedNumber &N : Numbers)
    if (N.Of == Of)
      return D.scale(LaneInt::symbol(N.Stand), Content * Divisor);

  Interval R = D.range(Of, Active);
  if (R.Lo != INT64_MIN)
    R.Lo = -(-R.Lo / Divisor);
  if (R.Hi != INT64_MAX)
    R.Hi /= Divisor;
  Symbol S;
  S.Name = D.str(Of);
  S.Lo = R.Lo;
  S.Hi = R.Hi;
  const SymbolId Stand = D.fresh(std::move(S));
  Numbers.push_back({Of, Stand, R});
  return D.scale(LaneInt::symbol(Stand), Content * Divisor);
}

/// What lanes share in a product is one number; what varies is looked into.
std::optional<LaneInt> PatternFinder::rewriteTerm(const Term &T) {
  Monomial Shared;
  LaneInt Product(T.K);
  for (SymbolId S : T.M) {
    if (!D[S].Varying) {
      Shared.push_back(S);
      continue;
    }
    std::optional<LaneInt> By = rewriteSymbol(S);
    if (!By)
      return std::nullopt;
    Product = D.mul(Product, *By);
  }
  if (!Shared.empty())
    Product = D.mul(Product,
                    standIn(LaneInt(Lanes(), {Term{Shared, Lanes::splat(1)}})));
  return Product;
}

/// \p A over the stand-ins. At the \p Top what all lanes share is left out.
std::optional<LaneInt> PatternFinder::rewrite(const LaneInt &Given, bool Top) {
  const LaneInt A = D.focus(Given, Active);
  if (isWild(A))
    return std::nullopt;
  LaneInt Sum(A.constant()), Uniform;
  for (const Term &T : A.terms()) {
    if (D.isUniformTerm(T, Active)) {
      Uniform = D.add(Uniform, LaneInt(Lanes(), {T}));
      continue;
    }
    std::optional<LaneInt> By = rewriteTerm(T);
    if (!By)
      return std::nullopt;
    Sum = D.add(Sum, *By);
  }
  return Top ? Sum : D.add(Sum, standIn(Uniform));
}

/// The operation once more, so that all that is known of the result holds for
/// any values of the stand-ins, also for such as never come together.
std::optional<LaneInt> PatternFinder::rewriteSymbol(SymbolId S) {
  if (auto At = Rewritten.find(S); At != Rewritten.end())
    return At->second;
  const LaneOp Op = D[S].Op;
  if (Op == LaneOp::None)
    return std::nullopt;
  SmallVector<LaneInt, 3> X;
  for (size_t I = 0; I < D[S].Operands.size(); ++I) {
    std::optional<LaneInt> By = rewrite(D[S].Operands[I], /*Top=*/false);
    if (!By)
      return Rewritten[S] = std::nullopt;
    X.push_back(*By);
  }
  LaneInt Result;
  int64_t Part = 1; // of the periods of the numbers below
  switch (Op) {
  case LaneOp::FloorDiv:
    if (auto By = X[1].uniformConstant(); By && *By > 0)
      Part = *By;
    Result = D.divMod(X[0], X[1]).first;
    break;
  case LaneOp::And:
  case LaneOp::Or:
  case LaneOp::Xor:
    for (const LaneInt &Side : X)
      if (std::optional<int64_t> Above = powerAbove(Side))
        Part = std::max(Part, *Above);
    Result = Op == LaneOp::And  ? D.bitAnd(X[0], X[1])
             : Op == LaneOp::Or ? D.bitOr(X[0], X[1])
                                : D.bitXor(X[0], X[1]);
    break;
  case LaneOp::Popcount:
    if (auto Bits = X[1].uniformConstant(); Bits && *Bits < 32)
      Part = int64_t(1) << *Bits;
    [[fallthrough]];
  default:
    Result = LaneInt::symbol(D.derived(Op, X));
  }
  if (Part < INT64_MAX / Modulus)
    Modulus *= Part;
  Rewritten[S] = Result;
  return Result;
}

/// The least power of two above all values of \p A, where it is a small one.
std::optional<int64_t> PatternFinder::powerAbove(const LaneInt &A) const {
  const Interval R = D.range(A, Active);
  if (R.Lo < 0 || R.Hi >= int64_t(Limit))
    return std::nullopt;
  return int64_t(PowerOf2Ceil(uint64_t(R.Hi) + 1));
}

/// How far \p A moves in each lane when the number in question grows by what
/// \p Known says; none where that hangs on where it was.
std::optional<Lanes> PatternFinder::shiftOf(const LaneInt &A,
                                            Shifts &Known) const {
  Lanes Sum;
  for (const Term &T : A.terms()) {
    for (SymbolId S : T.M) {
      std::optional<Lanes> By = shiftOf(S, Known);
      if (!By)
        return std::nullopt;
      if (By->isZero())
        continue;
      if (T.M.size() > 1)
        return std::nullopt;
      bool Fits = true;
      Sum = Lanes::map(Sum,
                       Lanes::map(T.K, *By,
                                  [&](int64_t X, int64_t Y) {
                                    int64_t R;
                                    Fits &= !MulOverflow(X, Y, R);
                                    return R;
                                  }),
                       [&](int64_t X, int64_t Y) {
                         int64_t R;
                         Fits &= !AddOverflow(X, Y, R);
                         return R;
                       });
      if (!Fits)
        return std::nullopt;
    }
  }
  return Sum;
}

std::optional<Lanes> PatternFinder::shiftOf(SymbolId S, Shifts &Known) const {
  if (auto At = Known.find(S); At != Known.end())
    return At->second;
  auto Find = [&]() -> std::optional<Lanes> {
    const Symbol &Sym = D[S];
    SmallVector<Lanes, 3> By;
    bool Still = true;
    for (const LaneInt &X : Sym.Operands) {
      std::optional<Lanes> One = shiftOf(X, Known);
      if (!One)
        return std::nullopt;
      Still &= One->isZero();
      By.push_back(*One);
    }
    if (Still)
      return Lanes();
    auto Multiple = [](const Lanes &X, int64_t Of) {
      return X.all([&](int64_t V) { return V % Of == 0; });
    };
    switch (Sym.Op) {
    case LaneOp::FloorDiv: {
      std::optional<int64_t> Over = Sym.Operands[1].uniformConstant();
      if (!Over || *Over <= 0 || !Multiple(By[0], *Over))
        return std::nullopt;
      return Lanes::map(By[0], [&](int64_t X) { return X / *Over; });
    }
    case LaneOp::And:
    case LaneOp::Or:
    case LaneOp::Xor:
      // One side stays, and lies below all bits that the other changes.
      for (unsigned I : {0, 1}) {
        std::optional<int64_t> Above = powerAbove(Sym.Operands[I]);
        if (!By[I].isZero() || !Above || !Multiple(By[1 - I], *Above))
          continue;
        return Sym.Op == LaneOp::And ? Lanes() : By[1 - I];
      }
      return std::nullopt;
    case LaneOp::Popcount:
      if (auto Bits = Sym.Operands[1].uniformConstant();
          Bits && *Bits < 32 && Multiple(By[0], int64_t(1) << *Bits))
        return Lanes();
      return std::nullopt;
    default:
      return std::nullopt;
    }
  };
  return Known[S] = Find();
}

/// No two lanes are \p RowBytes apart, whatever their \p Rows: remainders are
/// less than what they are the remainders of.
bool PatternFinder::withinOneRow(const LaneInt &Offset, ArrayRef<Term> Rows,
                                 int64_t RowBytes) const {
  LaneInt Rest = Offset;
  int64_t Width = 0;
  for (const Term &T : Rows) {
    const Symbol &Q = D[T.M[0]];
    if (T.M.size() > 1 || Q.Op != LaneOp::FloorDiv || !T.K.isUniform(Active))
      return false;
    std::optional<int64_t> By = Q.Operands[1].uniformConstant();
    const int64_t K = T.K[countr_zero(Active)];
    if (!By || *By <= 0 || K % *By)
      return false;
    // K * floor(U / d) + F * U = F * (U mod d), with F = -K / d
    Rest = D.sub(Rest, LaneInt(Lanes(), {T}));
    Rest = D.sub(Rest, D.scale(Q.Operands[0], -K / *By));
    Width += std::abs(K / *By) * (*By - 1);
  }
  LaneInt Apart(Rest.constant());
  for (const Term &T : Rest.terms())
    if (!D.isUniformTerm(T, Active))
      Apart = D.add(Apart, LaneInt(Lanes(), {T}));
  const Interval R = D.range(Apart, Active);
  return R.Lo != INT64_MIN && R.Hi != INT64_MAX &&
         __int128(R.Hi) - R.Lo + Width < RowBytes;
}

std::optional<BankPatterns> PatternFinder::find(const LaneInt &Given,
                                                int64_t Word, int64_t BaseAlign,
                                                bool LookIntoRows) {
  const LaneInt Offset = D.focus(Given, Active);
  const unsigned First = countr_zero(Active);
  if (isWild(Offset))
    return std::nullopt;
  BankPatterns P;
  int64_t Shift = BaseAlign; // all lanes together: any multiple of this
  // Lanes that agree in these numbers lie in one row.
  std::array<SmallVector<int64_t, 4>, WarpLanes> RowKey;
  auto AddRows = [&](const Lanes &K, int64_t Step, bool Varying) {
    for (unsigned L = 0; L < WarpLanes; ++L) {
      RowKey[L].push_back(K[L]);
      RowKey[L].push_back(Varying && K[L] ? L + 1 : 0);
      const int64_t Apart = Varying ? K[L] : K[L] - K[First];
      if (Active >> L & 1)
        P.RowBytes = std::gcd(P.RowBytes, Apart * Step);
    }
  };

  LaneInt Places(Offset.constant());
  SmallVector<Term, 4> RowTerms;
  for (const Term &T : Offset.terms()) {
    const LaneInt Alone(Lanes(), {T});
    if (D.isUniformTerm(T, Active)) {
      Shift = std::gcd(Shift, D.symbolicDivisor(Alone));
      continue;
    }
    // Multiples of the period in every lane.
    const int64_t Step = std::gcd(
        D.symbolicDivisor(LaneInt(Lanes(), {Term{T.M, Lanes::splat(1)}})),
        int64_t(1) << 20);
    const bool MovesNoBank =
        T.K.all([&](int64_t K) { return K % Period * Step % Period == 0; });
    std::optional<LaneInt> By;
    if (!MovesNoBank || LookIntoRows)
      By = rewriteTerm(T);
    if (By)
      Places = D.add(Places, *By);
    else if (MovesNoBank) {
      AddRows(T.K, Step, D.isVarying(T.M));
      RowTerms.push_back(T);
    } else {
      return std::nullopt;
    }
  }

  // Each number from period to period, or over all its values.
  uint64_t Count = 1;
  for (SharedNumber &N : Numbers) {
    const bool Ends = N.Range.Lo != INT64_MIN && N.Range.Hi != INT64_MAX &&
                      __int128(N.Range.Hi) - N.Range.Lo < int64_t(Limit);
    const int64_t Values = Ends ? N.Range.Hi - N.Range.Lo + 1 : Limit + 1;
    for (int64_t By = 1; By <= int64_t(Limit) && !N.Count; ++By) {
      if (__int128(Modulus) * Period % By)
        continue;
      if (By >= Values)
        break;
      Shifts Known;
      Known[N.Stand] = Lanes::splat(By);
      std::optional<Lanes> Moved = shiftOf(Places, Known);
      if (!Moved || !Moved->all([&](int64_t X) {
            return X < MaxFactor && X > -MaxFactor &&
                   (X - (*Moved)[First]) % Period == 0;
          }))
        continue;
      N.Count = By;
      Shift = std::gcd(Shift, (*Moved)[First]);
      if (!Moved->isUniform(Active))
        AddRows(*Moved, 1, false);
    }
    if (!N.Count) {
      if (!Ends)
        return std::nullopt;
      N.Count = Values;
    }
    N.First = N.Range.Lo != INT64_MIN   ? N.Range.Lo
              : N.Range.Hi != INT64_MAX ? N.Range.Hi - N.Count + 1
                                        : 0;
    P.RestsOnSize |= D.anySymbol(N.Of, [](const Symbol &S) {
      return S.Origin == SymbolOrigin::Argument ||
             S.Origin == SymbolOrigin::Launch;
    });
    Count *= uint64_t(N.Count);
    if (Count > Limit)
      return std::nullopt;
  }
  // Where in a word all lanes begin, besides.
  const int64_t InWord = std::gcd(Shift, Word);
  if (Count * uint64_t(Word / InWord) > Limit)
    return std::nullopt;

  // Lanes a whole number of rows apart are then in one place.
  const bool OneRow = withinOneRow(Offset, RowTerms, P.RowBytes);
  std::map<SmallVector<int64_t, 4>, unsigned> Rows;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (Active >> L & 1)
      P.Row[L] = Rows.try_emplace(RowKey[L], Rows.size()).first->second;
  if (Rows.size() <= 1)
    P.RowBytes = 0;

  for (uint64_t I = 0; I < Count; ++I) {
    LaneDomain::Valuation Values;
    uint64_t Left = I;
    for (const SharedNumber &N : Numbers) {
      Values[N.Stand] =
          Lanes::splat(N.First + int64_t(Left % uint64_t(N.Count)));
      Left /= uint64_t(N.Count);
    }
    const LaneAddresses At = D.evaluate(Places, Values).array();
    for (int64_t Begin = 0; Begin < Word; Begin += InWord) {
      LaneAddresses Here = At;
      for (unsigned L = 0; L < WarpLanes; ++L)
        Here[L] = At[Active >> L & 1 ? L : First] + Begin;
      P.At.push_back(Here);
    }
  }
  if (OneRow && P.RowBytes) {
    for (size_t I = 0; I < P.At.size(); ++I)
      P.At[I] = P.together(I);
    P.RowBytes = 0;
    P.Row.fill(0);
  }
  return P;
}

} // namespace

std::optional<BankPatterns> bankPatterns(LaneDomain &D, const LaneInt &Offset,
                                         LaneMask Active,
                                         const BankLayout &Banks,
                                         bool LookIntoRows, unsigned Limit) {
  return PatternFinder(D, Active, Banks.Period, Limit)
      .find(Offset, Banks.Word, Banks.BaseAlign, LookIntoRows);
}

} // namespace warplint
