//===- Polynomial.cpp - Sums, products and lane moves --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace warplint {

static SmallVector<SymbolId, 1> joinAssumed(const LaneInt &A,
                                            const LaneInt &B) {
  SmallVector<SymbolId, 1> All(A.assumed().begin(), A.assumed().end());
  for (SymbolId S : B.assumed())
    if (!is_contained(All, S))
      All.push_back(S);
  sort(All);
  return All;
}

SymbolId LaneDomain::fresh(Symbol S) {
  S.Reach = originBit(S.Origin);
  S.Size = 1;
  for (const LaneInt &A : S.Operands) {
    S.Size = uint32_t(std::min<uint64_t>(S.Size + sizeOf(A), 1u << 20));
    for (const Term &T : A.terms())
      for (SymbolId Below : T.M)
        S.Reach |= Symbols[Below].Reach;
  }
  Work += 4;
  Symbols.push_back(std::move(S));
  return Symbols.size() - 1;
}

static uint64_t hashOf(LaneOp Op, ArrayRef<LaneInt> Operands) {
  hash_code H = llvm::hash_value(unsigned(Op));
  for (const LaneInt &A : Operands)
    H = hash_combine(H, A);
  // Keep clear of DenseMap's two reserved keys.
  return uint64_t(size_t(H)) >> 2;
}

SymbolId LaneDomain::derived(LaneOp Op, ArrayRef<LaneInt> Given, Interval Range,
                             int64_t Divisor) {
  SmallVector<LaneInt, 3> Operands;
  for (const LaneInt &A : Given)
    Operands.push_back(sizeOf(A) > MaxSize ? cut(A) : A);
  auto &Bucket = DerivedByHash[hashOf(Op, Operands)];
  for (SymbolId S : Bucket)
    if (Symbols[S].Op == Op && equal(Symbols[S].Operands, Operands))
      return S;
  Symbol S;
  S.Origin = SymbolOrigin::Derived;
  S.Op = Op;
  S.Operands.assign(Operands.begin(), Operands.end());
  S.Varying = any_of(Operands, [&](const LaneInt &A) { return !isUniform(A); });
  S.Lo = Range.Lo;
  S.Hi = Range.Hi;
  S.Divisor = Divisor;
  if (Op == LaneOp::IsGE0)
    S.Likely = likelyGE0(Operands[0]);
  else if (Op == LaneOp::IsEQ0)
    S.Likely = likelyEQ0(Operands[0]);
  SymbolId Id = fresh(std::move(S));
  Bucket.push_back(Id);
  return Id;
}

/// A + KB * B.
LaneInt LaneDomain::linear(const LaneInt &A, const LaneInt &B,
                           int64_t KB) const {
  Work += 1 + A.terms().size() + B.terms().size();
  auto Sum = [&](int64_t X, int64_t Y) { return wrapAdd(X, wrapMul(KB, Y)); };
  SmallVector<Term, 2> Out;
  const Term *I = A.terms().begin(), *IE = A.terms().end();
  const Term *J = B.terms().begin(), *JE = B.terms().end();
  while (I != IE || J != JE) {
    if (J == JE || (I != IE && I->M < J->M)) {
      Out.push_back(*I++);
      continue;
    }
    bool Both = I != IE && I->M == J->M;
    Lanes K = Lanes::map(Both ? I->K : Lanes(), J->K, Sum);
    if (!K.isZero())
      Out.push_back({J->M, std::move(K)});
    I += Both;
    ++J;
  }
  return LaneInt(Lanes::map(A.constant(), B.constant(), Sum), std::move(Out),
                 joinAssumed(A, B));
}

LaneInt LaneDomain::add(const LaneInt &A, const LaneInt &B) const {
  return linear(A, B, 1);
}
LaneInt LaneDomain::sub(const LaneInt &A, const LaneInt &B) const {
  return linear(A, B, -1);
}
LaneInt LaneDomain::scale(const LaneInt &A, int64_t K) const {
  return linear(LaneInt(), A, K);
}

LaneInt LaneDomain::mul(const LaneInt &A, const LaneInt &B) {
  auto Times = [](const Lanes &X, const Lanes &Y) {
    return Lanes::map(X, Y, wrapMul);
  };
  size_t Degree = 0;
  for (const LaneInt *F : {&A, &B}) {
    size_t D = 0;
    for (const Term &T : F->terms())
      D = std::max(D, T.M.size());
    Degree += D;
  }
  if (Degree > MaxDegree ||
      (A.terms().size() + 1) * (B.terms().size() + 1) > MaxTerms)
    return LaneInt::symbol(derived(LaneOp::Mul, {A, B}))
        .withAssumed(joinAssumed(A, B));

  Work += (A.terms().size() + 1) * (B.terms().size() + 1);
  if (A.isConstant() && !B.isConstant())
    return mul(B, A);
  if (B.isConstant()) {
    SmallVector<Term, 2> Out;
    for (const Term &T : A.terms())
      if (Lanes K = Times(T.K, B.constant()); !K.isZero())
        Out.push_back({T.M, std::move(K)});
    return LaneInt(Times(A.constant(), B.constant()), std::move(Out),
                   joinAssumed(A, B));
  }
  SmallVector<Term, 8> All;
  auto Product = [&](const Monomial &MA, const Lanes &KA, const Monomial &MB,
                     const Lanes &KB) {
    Monomial M;
    std::merge(MA.begin(), MA.end(), MB.begin(), MB.end(),
               std::back_inserter(M));
    // A truth value times itself is itself.
    M.erase(std::unique(M.begin(), M.end(),
                        [&](SymbolId X, SymbolId Y) {
                          return X == Y && Symbols[X].isTruth();
                        }),
            M.end());
    All.push_back({std::move(M), Times(KA, KB)});
  };
  for (const Term &X : A.terms())
    Product(X.M, X.K, {}, B.constant());
  for (const Term &Y : B.terms()) {
    Product({}, A.constant(), Y.M, Y.K);
    for (const Term &X : A.terms())
      Product(X.M, X.K, Y.M, Y.K);
  }
  auto Before = [](const Term &X, const Term &Y) { return X.M < Y.M; };
  if (!is_sorted(All, Before))
    sort(All, Before);
  SmallVector<Term, 2> Out;
  for (Term &T : All) {
    if (!Out.empty() && Out.back().M == T.M) {
      Out.back().K = Lanes::map(Out.back().K, T.K, wrapAdd);
    } else {
      Out.push_back(std::move(T));
    }
  }
  erase_if(Out, [](const Term &T) { return T.K.isZero(); });
  return LaneInt(Times(A.constant(), B.constant()), std::move(Out),
                 joinAssumed(A, B));
}

LaneInt LaneDomain::substitute(const LaneInt &A, SymbolId S,
                               const LaneInt &By) {
  if (none_of(A.terms(), [&](const Term &T) { return is_contained(T.M, S); }))
    return A;
  LaneInt Sum = LaneInt(A.constant()).withAssumed(A.assumed());
  for (const Term &T : A.terms()) {
    LaneInt Product(T.K);
    for (SymbolId F : T.M)
      Product = mul(Product, F == S ? By : LaneInt::symbol(F));
    Sum = add(Sum, Product);
  }
  return Sum;
}

LaneInt LaneDomain::blend(LaneMask Mask, const LaneInt &A,
                          const LaneInt &B) const {
  if (Mask == AllLanes)
    return A;
  if (Mask == 0)
    return B;
  auto Only = [](const LaneInt &X, LaneMask M) {
    auto Keep = [&](const Lanes &V) {
      Lanes R;
      for (unsigned L = 0; L < WarpLanes; ++L)
        R[L] = M >> L & 1 ? V[L] : 0;
      return R;
    };
    SmallVector<Term, 2> Out;
    for (const Term &T : X.terms())
      if (Lanes K = Keep(T.K); !K.isZero())
        Out.push_back({T.M, K});
    return LaneInt(
        Keep(X.constant()), std::move(Out),
        SmallVector<SymbolId, 1>(X.assumed().begin(), X.assumed().end()));
  };
  return add(Only(A, Mask), Only(B, ~Mask));
}

LaneInt LaneDomain::permute(const LaneInt &A,
                            const std::array<unsigned, WarpLanes> &From) {
  auto Move = [&](const Lanes &V) {
    if (V.isSplat())
      return V;
    Lanes R;
    for (unsigned L = 0; L < WarpLanes; ++L)
      R[L] = V[From[L]];
    return R;
  };
  bool OneSource = all_of(From, [&](unsigned L) { return L == From[0]; });
  LaneInt Sum = LaneInt(Move(A.constant())).withAssumed(A.assumed());
  for (const Term &T : A.terms()) {
    LaneInt Product(Move(T.K));
    for (SymbolId F : T.M) {
      if (!Symbols[F].Varying) {
        Product = mul(Product, LaneInt::symbol(F));
        continue;
      }
      // Another lane's unknown: a new unknown of the same kind.
      Symbol S = Symbols[F];
      S.Op = LaneOp::None;
      S.Operands.clear();
      if (S.Origin == SymbolOrigin::Derived)
        S.Origin = SymbolOrigin::Call;
      S.Varying = !OneSource;
      S.Name = "shuffled " + S.Name;
      Product = mul(Product, LaneInt::symbol(fresh(std::move(S))));
    }
    Sum = add(Sum, Product);
  }
  return Sum;
}

LaneInt LaneDomain::wrap(const LaneInt &A, unsigned Bits) const {
  if (Bits >= 64)
    return A;
  auto Fits = [&](const Lanes &V) {
    return V.all([&](int64_t X) { return signExtend(X, Bits) == X; });
  };
  // Only what is known everywhere wraps for certain; with symbols, a constant
  // that left the range is one that came in through unsigned arithmetic
  // (n + 0xffffffff), and its signed reading is the meant one.
  if (Fits(A.constant()) &&
      all_of(A.terms(), [&](const Term &T) { return Fits(T.K); }))
    return A;
  auto Signed = [&](const Lanes &V) {
    return Lanes::map(V, [&](int64_t X) { return signExtend(X, Bits); });
  };
  SmallVector<Term, 2> Out;
  for (const Term &T : A.terms())
    if (Lanes K = Signed(T.K); !K.isZero())
      Out.push_back({T.M, K});
  return LaneInt(
      Signed(A.constant()), std::move(Out),
      SmallVector<SymbolId, 1>(A.assumed().begin(), A.assumed().end()));
}

} // namespace warplint
