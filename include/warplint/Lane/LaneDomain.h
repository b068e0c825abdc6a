//===- LaneDomain.h - Arithmetic on 32 lanes of polynomials --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The symbols of one kernel run and the arithmetic over them. Laws (tested in
/// unittests/Lane): for every operation, computing in the domain and then
/// giving the symbols values equals giving them values first and computing lane
/// by lane, as long as no 64-bit overflow happens.
///
/// Integers are taken not to wrap once they hold symbols (a kernel whose index
/// wraps is broken long before its coalescing matters); values without symbols
/// are computed exactly at their width.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LANE_LANEDOMAIN_H
#define WARPLINT_LANE_LANEDOMAIN_H

#include "warplint/Lane/Symbol.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

namespace warplint {

/// Inclusive bounds. Saturated at the ends of int64_t, which mean "not known".
struct Interval {
  int64_t Lo = INT64_MIN, Hi = INT64_MAX;
};

class LaneDomain {
public:
  // Symbols ------------------------------------------------------------------

  /// A new symbol, distinct from all others.
  SymbolId fresh(Symbol S);
  const Symbol &operator[](SymbolId S) const { return Symbols[S]; }
  size_t numSymbols() const { return Symbols.size(); }
  /// A result of \p Op on \p Operands; equal calls give the same symbol.
  /// \p Facts: range and divisor, where better than nothing is known.
  SymbolId derived(LaneOp Op, llvm::ArrayRef<LaneInt> Operands,
                   Interval Range = {}, int64_t Divisor = 1);

  /// Facts the program states about a symbol (`__builtin_assume`).
  void assumeDivisor(SymbolId S, int64_t Divisor);
  void assumeRange(SymbolId S, Interval Range);

  /// \p S was read at \p Address, an element of \p Bytes (Symbol::ReadAt).
  void noteRead(SymbolId S, const LaneInt &Address, unsigned Bytes);

  // Polynomials ---------------------------------------------------------------

  LaneInt add(const LaneInt &A, const LaneInt &B) const;
  LaneInt sub(const LaneInt &A, const LaneInt &B) const;
  LaneInt mul(const LaneInt &A, const LaneInt &B);
  LaneInt scale(const LaneInt &A, int64_t K) const;
  /// A with every \p S replaced by \p By (in the polynomial, not in the
  /// definitions of derived symbols).
  LaneInt substitute(const LaneInt &A, SymbolId S, const LaneInt &By);
  /// Values for some symbols; putIn() adds those of the derived symbols it
  /// meets.
  using Substitution = llvm::DenseMap<SymbolId, LaneInt>;
  /// A with \p Values put in for their symbols, in the definitions of derived
  /// symbols too. Only the lanes of \p Mask matter: the others follow the first
  /// of them, so that what is the same in all of \p Mask becomes uniform.
  LaneInt putIn(const LaneInt &A, LaneMask Mask, Substitution &Values);
  /// A, with the lanes outside \p Mask like the first in it.
  LaneInt focus(const LaneInt &A, LaneMask Mask) const;
  /// Lanes of \p Mask from A, the others from B.
  LaneInt blend(LaneMask Mask, const LaneInt &A, const LaneInt &B) const;
  /// Each lane takes lane Source[lane]'s value. Varying symbols become new
  /// ones, uniform where all lanes read one.
  LaneInt permute(const LaneInt &A,
                  const std::array<unsigned, WarpLanes> &From);
  /// \p A with its constants brought into the range of a signed integer of
  /// \p Bits bits.
  LaneInt wrap(const LaneInt &A, unsigned Bits) const;

  // Operations beyond polynomials ---------------------------------------------
  // Signed values of \p Bits bits in, the same out.

  /// floor(A / B) and A - B * floor(A / B) for positive divisors.
  std::pair<LaneInt, LaneInt> divMod(const LaneInt &A, const LaneInt &B);
  LaneInt divide(const LaneInt &A, const LaneInt &B, bool Signed,
                 unsigned Bits);
  LaneInt remainder(const LaneInt &A, const LaneInt &B, bool Signed,
                    unsigned Bits);
  LaneInt bitAnd(const LaneInt &A, const LaneInt &B);
  LaneInt bitOr(const LaneInt &A, const LaneInt &B);
  LaneInt bitXor(const LaneInt &A, const LaneInt &B);
  LaneInt shiftLeft(const LaneInt &A, const LaneInt &B, unsigned Bits);
  /// \p Logical: zeros come in at the top of \p Bits.
  LaneInt shiftRight(const LaneInt &A, const LaneInt &B, bool Logical,
                     unsigned Bits);
  LaneInt zeroExtend(const LaneInt &A, unsigned FromBits);
  LaneInt truncate(const LaneInt &A, unsigned ToBits);

  // Truth values
  // ----------------------------------------------------------------

  LaneInt isGE0(const LaneInt &A);
  LaneInt isEQ0(const LaneInt &A);
  LaneInt notOf(const LaneInt &A) const { return sub(LaneInt::constant(1), A); }
  /// If \p Cond then A else B, lane by lane; exact where Cond is not known too
  /// (B + Cond * (A - B)).
  /// Where the interior of the grid settles Cond, that side alone, with the
  /// assumption noted.
  LaneInt select(const LaneInt &Cond, const LaneInt &A, const LaneInt &B);
  /// The same without looking at what is likely: for truth values, which
  /// decide what code runs.
  LaneInt selectExactly(const LaneInt &Cond, const LaneInt &A,
                        const LaneInt &B);
  /// Lanes in which a truth value is known to be 1 / 0.
  LaneMask knownTrue(const LaneInt &Cond) const;
  LaneMask knownFalse(const LaneInt &Cond) const;
  /// 1, 0: the value \p Cond has in all of its unknown lanes in the interior of
  /// the grid; -1: nothing speaks for either.
  int likely(const LaneInt &Cond) const;

  // Facts
  // -----------------------------------------------------------------------

  /// Bounds of lane \p Lane, or of all lanes of \p Mask.
  Interval rangeOfLane(const LaneInt &A, unsigned Lane) const;
  Interval range(const LaneInt &A, LaneMask Mask = AllLanes) const;
  /// Largest known d that divides the symbolic part (all but the constants) in
  /// every lane; 0 when there is none (no terms).
  int64_t symbolicDivisor(const LaneInt &A) const;
  /// One value in all lanes of \p Mask.
  bool isUniform(const LaneInt &A, LaneMask Mask = AllLanes) const;
  bool isUniformTerm(const Term &T, LaneMask Mask = AllLanes) const;
  bool isVarying(const Monomial &M) const;
  /// Some symbol of \p A, or one that its derived symbols rest on, satisfies
  /// \p Test.
  bool anySymbol(const LaneInt &A,
                 llvm::function_ref<bool(const Symbol &)> Test) const;
  /// Some symbol of \p A, or one that its derived symbols rest on, has one of
  /// these origins. Cheaper than anySymbol: no symbol is visited twice in a
  /// run.
  bool restsOn(const LaneInt &A, OriginSet Any) const;
  /// The symbols that are not derived, on which \p A rests, each once.
  void baseSymbols(const LaneInt &A,
                   llvm::SmallVectorImpl<SymbolId> &Out) const;
  /// \p Base, each once, are uniform counters with known ranges that have at
  /// most \p Limit combinations.
  bool positionsWithin(llvm::ArrayRef<SymbolId> Base, uint64_t Limit) const;

  // Limits
  // ------------------------------------------------------------------------

  /// \p A as far as it is worth carrying along: a long sum of data becomes one
  /// symbol of which the range, the divisor and whether it is uniform are kept.
  LaneInt shorten(const LaneInt &A);
  /// Work done so far, in operations on a term of 32 lanes: what a run's budget
  /// counts. The same on every machine.
  uint64_t work() const { return Work; }
  /// Counts work that is done with this domain's values elsewhere.
  void charge(uint64_t Operations) const { Work += Operations; }

  // Evaluation
  // --------------------------------------------------------------------

  /// Values of base symbols: one for uniform ones, one a lane for varying ones.
  using Valuation = llvm::DenseMap<SymbolId, Lanes>;
  /// \p A with the symbols' values put in. Base symbols without a value are an
  /// error of the caller. Derived values are cached in \p Values.
  Lanes evaluate(const LaneInt &A, Valuation &Values) const;

  // Printing
  // ------------------------------------------------------------------------

  /// "12*lane + 3072*blockIdx.x + 384*warp.x"; lanes that follow no straight
  /// line print as a list.
  void print(const LaneInt &A, llvm::raw_ostream &OS) const;
  std::string str(const LaneInt &A) const;
  std::string str(const Monomial &M) const;

private:
  Lanes valueOf(SymbolId S, Valuation &Values) const;
  LaneInt putInSymbol(SymbolId S, LaneMask Mask, Substitution &Values);
  std::deque<Symbol> Symbols;
  llvm::DenseMap<uint64_t, llvm::SmallVector<SymbolId, 1>> DerivedByHash;
  /// What cut() put a symbol in place of.
  llvm::DenseMap<uint64_t, llvm::SmallVector<std::pair<LaneInt, SymbolId>, 1>>
      CutByHash;
  mutable uint64_t Work = 0;

  /// Every symbol of \p A and of its derived symbols' operands, once each,
  /// until \p Stop says so. Returns whether it did.
  bool visitSymbols(const LaneInt &A,
                    llvm::function_ref<bool(SymbolId)> Stop) const;
  LaneInt linear(const LaneInt &A, const LaneInt &B, int64_t KB) const;
  Interval monomialRange(const Monomial &M) const;
  int64_t monomialDivisor(const Monomial &M) const;
  using LaneRanges = std::array<Interval, WarpLanes>;
  /// Bounds of each lane of \p Mask; the others' entries are left alone.
  void rangesOfLanes(const LaneInt &A, LaneMask Mask, LaneRanges &Out) const;
  void narrowByRemainders(const LaneInt &A, LaneMask Mask,
                          LaneRanges &Out) const;
  uint64_t sizeOf(const LaneInt &A) const;
  LaneInt cut(const LaneInt &A);
  LaneInt cutByLanes(llvm::ArrayRef<Term> Long);
  std::pair<LaneInt, LaneInt> divModConstant(const LaneInt &A, int64_t D);
  int likelyGE0(const LaneInt &A) const;
  /// Of positions alone: 1 and 0 where nearly all of them agree, else -1.
  int likelyAtPositions(const LaneInt &A) const;
  bool fewPositions(const LaneInt &A) const;
  int likelyEQ0(const LaneInt &A) const;
};

} // namespace warplint

#endif // WARPLINT_LANE_LANEDOMAIN_H
