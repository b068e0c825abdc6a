//===- HostValue.cpp - What is known of a host expression's value ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostValue.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace clang;

namespace warplint::launch {

HostValue HostValue::bottom() {
  HostValue V;
  V.K = Bottom;
  V.Divisor = 0;
  return V;
}

HostValue HostValue::unknown(std::string Culprit, uint64_t Divisor) {
  HostValue V;
  V.Culprit = std::move(Culprit);
  V.Divisor = Divisor;
  return V;
}

HostValue HostValue::integer(int64_t Value) {
  HostValue V;
  V.K = Integer;
  V.Int = Value;
  return V;
}

HostValue HostValue::floating(double Value) {
  HostValue V;
  V.K = Floating;
  V.Float = Value;
  return V;
}

HostValue HostValue::pointer(const void *Base, llvm::StringRef Name,
                             uint64_t Align, int64_t Offset) {
  HostValue V;
  V.K = Pointer;
  V.Base = Base;
  V.BaseName = Name.str();
  V.BaseAlign = Align;
  V.Int = Offset;
  return V;
}

HostValue HostValue::function(const FunctionDecl *F) {
  HostValue V;
  V.K = Function;
  V.Callee = F;
  return V;
}

HostValue HostValue::record() {
  HostValue V;
  V.K = Record;
  return V;
}

bool HostValue::isConstant() const {
  switch (K) {
  case Integer:
  case Floating:
  case Function:
    return true;
  case Pointer:
    return OffsetKnown && Base;
  case Record:
    return !Leaves.empty() && llvm::all_of(Leaves, [](const auto &L) {
      return L.Value.isConstant();
    });
  case Bottom:
  case Unknown:
    return false;
  }
  return false;
}

uint64_t HostValue::divisor() const {
  switch (K) {
  case Integer:
    return Int < 0 ? 0 - uint64_t(Int) : uint64_t(Int);
  case Pointer:
    return OffsetKnown ? (Int < 0 ? 0 - uint64_t(Int) : uint64_t(Int))
                       : Divisor;
  case Bottom:
    return 0;
  case Unknown:
    return Divisor;
  default:
    return 1;
  }
}

llvm::ArrayRef<int64_t> HostValue::values() const {
  if (K == Integer)
    return Int;
  return K == Unknown ? llvm::ArrayRef(Among) : llvm::ArrayRef<int64_t>();
}

HostValue HostValue::oneOf(std::vector<int64_t> Values) {
  llvm::sort(Values);
  Values.erase(llvm::unique(Values), Values.end());
  if (Values.size() == 1)
    return integer(Values[0]);
  HostValue V = unknown("", 0);
  for (int64_t X : Values)
    V.Divisor = std::gcd(V.Divisor, integer(X).divisor());
  if (Values.size() <= MaxAmong)
    V.Among = std::move(Values);
  return V;
}

void HostValue::grant(llvm::StringRef Text) {
  if (!llvm::is_contained(Grants, Text))
    Grants.push_back(Text.str());
}

void HostValue::grantAll(llvm::ArrayRef<std::string> Texts) {
  for (const std::string &Text : Texts)
    grant(Text);
}

void HostValue::setLeaf(uint64_t Offset, const HostValue &V) {
  if (V.K == Record) {
    for (const auto &[At, Leaf] : V.Leaves)
      setLeaf(Offset + At, Leaf);
    grantAll(V.Grants);
    return;
  }
  auto It = llvm::lower_bound(
      Leaves, Offset, [](const auto &L, uint64_t O) { return L.Offset < O; });
  if (It != Leaves.end() && It->Offset == Offset)
    It->Value = V;
  else
    Leaves.insert(It, {Offset, V});
}

const HostValue *HostValue::leaf(uint64_t Offset) const {
  auto It = llvm::lower_bound(
      Leaves, Offset, [](const auto &L, uint64_t O) { return L.Offset < O; });
  return It != Leaves.end() && It->Offset == Offset ? &It->Value : nullptr;
}

HostValue HostValue::slice(uint64_t Offset, uint64_t Size) const {
  HostValue V = record();
  for (const auto &[At, Leaf] : Leaves)
    if (At >= Offset && At - Offset < Size)
      V.Leaves.push_back({At - Offset, Leaf});
  V.Grants = Grants;
  V.Culprit = Culprit;
  return V;
}

bool HostValue::sameAs(const HostValue &O) const {
  if (K != O.K)
    return false;
  switch (K) {
  case Bottom:
    return true;
  case Unknown:
    return Divisor == O.Divisor && CommandLine == O.CommandLine &&
           Among == O.Among;
  case Integer:
    return Int == O.Int;
  case Floating:
    return Float == O.Float;
  case Pointer:
    return Base == O.Base && OffsetKnown == O.OffsetKnown &&
           (OffsetKnown ? Int == O.Int : Divisor == O.Divisor);
  case Function:
    return Callee == O.Callee;
  case Record:
    return Leaves.size() == O.Leaves.size() &&
           llvm::all_of(llvm::zip_equal(Leaves, O.Leaves), [](const auto &P) {
             const auto &[A, B] = P;
             return A.Offset == B.Offset && A.Value.sameAs(B.Value);
           });
  }
  return false;
}

int64_t wrapTo(int64_t V, unsigned Bits, bool Signed) {
  if (Bits == 0 || Bits >= 64)
    return V;
  if (Bits == 1 && !Signed)
    return V & 1;
  return Signed ? llvm::SignExtend64(uint64_t(V), Bits)
                : int64_t(uint64_t(V) & llvm::maskTrailingOnes<uint64_t>(Bits));
}

/// A product of divisors; where it would overflow, one factor is still true.
static uint64_t multiplyDivisors(uint64_t A, uint64_t B) {
  bool Overflow = false;
  uint64_t Product = llvm::SaturatingMultiply(A, B, &Overflow);
  return Overflow ? A : Product;
}

static HostValue unknownOf(const HostValue &L, const HostValue &R,
                           uint64_t Divisor) {
  HostValue V =
      HostValue::unknown(!L.Culprit.empty() ? L.Culprit : R.Culprit, Divisor);
  V.CommandLine = L.CommandLine || R.CommandLine;
  return V;
}

HostValue join(const HostValue &A, const HostValue &B) {
  if (A.K == HostValue::Bottom)
    return B;
  if (B.K == HostValue::Bottom)
    return A;
  if (A.K == HostValue::Pointer && B.K == HostValue::Pointer &&
      (A.Base == B.Base || !A.Base || !B.Base)) {
    HostValue V = A.Base ? A : B;
    V.grantAll(A.Base ? B.Grants : A.Grants);
    if (A.OffsetKnown && B.OffsetKnown && A.Int == B.Int)
      return V;
    V.OffsetKnown = false;
    V.Divisor = std::gcd(A.divisor(), B.divisor());
    V.Int = 0;
    return V;
  }
  if (A.K == HostValue::Record && B.K == HostValue::Record) {
    HostValue V = HostValue::record();
    for (const auto &[At, Leaf] : A.Leaves)
      if (const HostValue *Other = B.leaf(At))
        V.setLeaf(At, join(Leaf, *Other));
    return V;
  }
  if (A.sameAs(B)) {
    HostValue V = A;
    V.grantAll(B.Grants);
    return V;
  }
  HostValue V = unknownOf(A, B, std::gcd(A.divisor(), B.divisor()));
  if (A.values().empty() || B.values().empty())
    return V;
  std::vector<int64_t> Both = A.values().vec();
  llvm::append_range(Both, B.values());
  V.Among = HostValue::oneOf(std::move(Both)).Among;
  if (!V.Among.empty()) {
    V.grantAll(A.Grants);
    V.grantAll(B.Grants);
  }
  return V;
}

static HostValue compare(BinaryOperatorKind Op, const HostValue &L,
                         const HostValue &R, bool Signed) {
  uint64_t A = uint64_t(L.Int), B = uint64_t(R.Int);
  auto Less = [&](int64_t X, int64_t Y) {
    return Signed ? X < Y : uint64_t(X) < uint64_t(Y);
  };
  switch (Op) {
  case BO_EQ:
    return HostValue::integer(A == B);
  case BO_NE:
    return HostValue::integer(A != B);
  case BO_LT:
    return HostValue::integer(Less(L.Int, R.Int));
  case BO_GT:
    return HostValue::integer(Less(R.Int, L.Int));
  case BO_LE:
    return HostValue::integer(!Less(R.Int, L.Int));
  default:
    return HostValue::integer(!Less(L.Int, R.Int));
  }
}

static HostValue foldIntegers(BinaryOperatorKind Op, const HostValue &L,
                              const HostValue &R, unsigned Bits, bool Signed) {
  if (BinaryOperator::isComparisonOp(Op))
    return compare(Op, L, R, Signed);
  uint64_t A = uint64_t(L.Int), B = uint64_t(R.Int);
  auto Wrapped = [&](uint64_t V) {
    return HostValue::integer(wrapTo(int64_t(V), Bits, Signed));
  };
  switch (Op) {
  case BO_Add:
    return Wrapped(A + B);
  case BO_Sub:
    return Wrapped(A - B);
  case BO_Mul:
    return Wrapped(A * B);
  case BO_Div:
  case BO_Rem:
    if (B == 0 || (Signed && L.Int == INT64_MIN && R.Int == -1))
      return HostValue::unknown();
    if (Op == BO_Div)
      return Wrapped(Signed ? uint64_t(L.Int / R.Int) : A / B);
    return Wrapped(Signed ? uint64_t(L.Int % R.Int) : A % B);
  case BO_Shl:
    return B < 64 ? Wrapped(A << B) : HostValue::unknown();
  case BO_Shr:
    if (B >= 64)
      return HostValue::unknown();
    return Wrapped(Signed ? uint64_t(L.Int >> B) : A >> B);
  case BO_And:
    return Wrapped(A & B);
  case BO_Or:
    return Wrapped(A | B);
  case BO_Xor:
    return Wrapped(A ^ B);
  case BO_LAnd:
    return HostValue::integer(A && B);
  case BO_LOr:
    return HostValue::integer(A || B);
  default:
    return HostValue::unknown();
  }
}

/// A divisor of L op R when not both are known.
static uint64_t foldDivisors(BinaryOperatorKind Op, const HostValue &L,
                             const HostValue &R) {
  uint64_t A = L.divisor(), B = R.divisor();
  switch (Op) {
  case BO_Add:
  case BO_Sub:
  case BO_Or:
  case BO_Xor:
    if (Op == BO_Add || Op == BO_Sub)
      return std::gcd(A, B);
    // Bits below the lowest that either sets stay clear.
    return (A | B) ? uint64_t(1) << llvm::countr_zero(A | B) : 0;
  case BO_Mul:
    return multiplyDivisors(A, B);
  case BO_Shl:
    return R.isInteger() && R.Int >= 0 && R.Int < 32
               ? multiplyDivisors(A, uint64_t(1) << R.Int)
               : A;
  case BO_Shr:
    return R.isInteger() && R.Int >= 0 && R.Int < 63 && A &&
                   A % (uint64_t(1) << R.Int) == 0
               ? A >> R.Int
               : 1;
  case BO_Div:
    return R.isInteger() && B && A && A % B == 0 ? A / B : 1;
  case BO_Rem:
    return std::gcd(A, B);
  case BO_And: {
    // Either operand's low zero bits are clear in the result.
    uint64_t Low = 1;
    for (uint64_t D : {A, B})
      if (D)
        Low = std::max(Low, uint64_t(1) << llvm::countr_zero(D));
    return Low;
  }
  default:
    return 1;
  }
}

/// L op R for all that the two can be; nullopt: that is not known, or one of
/// them is undefined.
static std::optional<HostValue> foldEach(BinaryOperatorKind Op,
                                         const HostValue &L, const HostValue &R,
                                         unsigned Bits, bool Signed) {
  constexpr size_t MaxPairs = 1024;
  if (L.values().empty() || R.values().empty() ||
      L.values().size() * R.values().size() > MaxPairs)
    return std::nullopt;
  std::vector<int64_t> Results;
  for (int64_t A : L.values())
    for (int64_t B : R.values()) {
      HostValue V = foldIntegers(Op, HostValue::integer(A),
                                 HostValue::integer(B), Bits, Signed);
      if (!V.isInteger())
        return std::nullopt;
      Results.push_back(V.Int);
    }
  return HostValue::oneOf(std::move(Results));
}

HostValue foldBinary(BinaryOperatorKind Op, const HostValue &L,
                     const HostValue &R, unsigned Bits, bool Signed) {
  HostValue V;
  if (L.isInteger() && R.isInteger()) {
    V = foldIntegers(Op, L, R, Bits, Signed);
  } else if (Op == BO_LAnd &&
             ((L.isInteger() && !L.Int) || (R.isInteger() && !R.Int))) {
    V = HostValue::integer(0);
  } else if (Op == BO_LOr &&
             ((L.isInteger() && L.Int) || (R.isInteger() && R.Int))) {
    V = HostValue::integer(1);
  } else if ((L.isInteger() || L.K == HostValue::Unknown ||
              L.K == HostValue::Bottom) &&
             (R.isInteger() || R.K == HostValue::Unknown ||
              R.K == HostValue::Bottom)) {
    V = unknownOf(L, R, foldDivisors(Op, L, R));
    if (auto Each = foldEach(Op, L, R, Bits, Signed)) {
      const bool CommandLine = V.CommandLine;
      V = *std::move(Each);
      V.CommandLine = CommandLine && !V.isInteger();
    }
  } else {
    V = unknownOf(L, R, 1);
  }
  if (V.Culprit.empty())
    V.Culprit = !L.Culprit.empty() ? L.Culprit : R.Culprit;
  V.grantAll(L.Grants);
  V.grantAll(R.Grants);
  return V;
}

HostValue offsetPointer(const HostValue &P, const HostValue &Index,
                        uint64_t ElementBytes, bool Negative) {
  HostValue V = P;
  if (P.K == HostValue::Bottom) {
    // A pointer stepped in a loop: the base comes from the other defs.
    V = HostValue::pointer(nullptr, "", 0);
    V.OffsetKnown = false;
    V.Divisor = 0;
  } else if (P.K != HostValue::Pointer) {
    return unknownOf(P, Index, 1);
  }
  V.grantAll(Index.Grants);
  if (V.OffsetKnown && Index.isInteger()) {
    int64_t Bytes = int64_t(uint64_t(Index.Int) * ElementBytes);
    V.Int = int64_t(Negative ? uint64_t(V.Int) - uint64_t(Bytes)
                             : uint64_t(V.Int) + uint64_t(Bytes));
    return V;
  }
  V.Divisor =
      std::gcd(V.divisor(), multiplyDivisors(Index.divisor(), ElementBytes));
  V.OffsetKnown = false;
  V.Int = 0;
  return V;
}

} // namespace warplint::launch
