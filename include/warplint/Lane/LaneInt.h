//===- LaneInt.h - 32 lanes of a polynomial over symbols -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value of an integer, a pointer or a truth value in a warp:
///
///     v[lane] = c[lane] + sum over m of k[m][lane] * m
///
/// where m is a monomial, a product of symbols. A symbol is a thing whose value
/// is not known: uniform ones (a kernel argument, blockIdx) have one value for
/// the warp, varying ones (a loaded index) one in each lane. Example,
/// `p[blockIdx.x * 256 + threadIdx.x]` with 12-byte records, as an address:
///
///     lane:     0    1    2   ...   31
///     c:        0   12   24   ...  372          bytes
///     terms:    1 * &p  +  3072 * blockIdx.x  +  384 * warp.x
///
/// A pointer is a polynomial with the symbol of its base object's address; a
/// truth value one that is 0 or 1. Values print themselves (LaneDomain::print).
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LANE_LANEINT_H
#define WARPLINT_LANE_LANEINT_H

#include "warplint/Lane/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>
#include <optional>

namespace warplint {

/// Names a symbol of a LaneDomain.
using SymbolId = uint32_t;

/// A product of symbols, sorted; a symbol stands as often as its power.
using Monomial = llvm::SmallVector<SymbolId, 2>;

/// k[lane] * m.
struct Term {
  Monomial M;
  Lanes K;
  bool operator==(const Term &) const = default;
};

class LaneInt;
/// Equal values have equal hashes.
llvm::hash_code hash_value(const LaneInt &A);

/// See the head of this file. Immutable and cheap to copy. Arithmetic is
/// LaneDomain's, which knows the symbols.
class LaneInt {
public:
  LaneInt() : LaneInt(Lanes()) {}
  explicit LaneInt(const Lanes &C) : P(new Impl(C, {}, {})) {}
  static LaneInt constant(int64_t X) { return LaneInt(Lanes::splat(X)); }
  static LaneInt symbol(SymbolId S);
  /// \p Terms: sorted by monomial, none zero. \p Assumed: sorted.
  LaneInt(const Lanes &C, llvm::SmallVector<Term, 2> Terms,
          llvm::SmallVector<SymbolId, 1> Assumed = {})
      : P(new Impl(C, std::move(Terms), std::move(Assumed))) {}

  const Lanes &constant() const { return P->C; }
  llvm::ArrayRef<Term> terms() const { return P->Terms; }
  /// No symbols: the value is known in every lane.
  bool isConstant() const { return P->Terms.empty(); }
  /// The value, when it is known and the same in all lanes.
  std::optional<int64_t> uniformConstant() const;
  /// The symbol s when the value is exactly s.
  std::optional<SymbolId> singleSymbol() const;
  /// Truth-value symbols that were taken for granted on the way to this value
  /// (`i < n` inside the grid's interior): what a number found from it rests
  /// on.
  llvm::ArrayRef<SymbolId> assumed() const { return P->Assumed; }
  LaneInt withAssumed(llvm::ArrayRef<SymbolId> More) const;

  /// Same polynomial (assumptions aside).
  bool operator==(const LaneInt &O) const {
    return P == O.P || (P->C == O.P->C && P->Terms == O.P->Terms);
  }

private:
  struct Impl : llvm::RefCountedBase<Impl> {
    Impl(const Lanes &C, llvm::SmallVector<Term, 2> Terms,
         llvm::SmallVector<SymbolId, 1> Assumed)
        : C(C), Terms(std::move(Terms)), Assumed(std::move(Assumed)) {
      this->C.settle();
      for (Term &T : this->Terms)
        T.K.settle();
    }
    Lanes C;
    llvm::SmallVector<Term, 2> Terms;
    llvm::SmallVector<SymbolId, 1> Assumed;
  };
  llvm::IntrusiveRefCntPtr<const Impl> P;
};

} // namespace warplint

#endif // WARPLINT_LANE_LANEINT_H
