//===- Valuations.h - Values that unknown things typically take ----------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Where a number depends on what is not known, it is computed for values the
/// unknown typically has: sizes are large multiples of the warp, counters take
/// every value of their range, loaded data is scattered. Deterministic.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_VALUATIONS_H
#define WARPLINT_LIB_WARP_VALUATIONS_H

#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/DenseSet.h"

namespace warplint {

/// splitmix64: scattered bits, the same on every machine.
uint64_t scatter(uint64_t X);

/// Symbols that \p A uses as `x & (n - 1)`.
llvm::DenseSet<SymbolId> powersOfTwo(const LaneDomain &D, const LaneInt &A);

/// Symbols that \p A, an address, adds up as they were read from memory:
/// `a[list[i]]`, not `a[hash(list[i])]`.
llvm::DenseSet<SymbolId> listedIndices(const LaneDomain &D, const LaneInt &A);

/// What is known of how an address uses its symbols.
struct SymbolUses {
  llvm::DenseSet<SymbolId> PowersOfTwo; ///< powersOfTwo()
  llvm::DenseSet<SymbolId> Listed;      ///< listedIndices()
};

/// The \p Sample'th typical value of every symbol in \p Base.
LaneDomain::Valuation typicalValues(const LaneDomain &D,
                                    llvm::ArrayRef<SymbolId> Base,
                                    unsigned Sample,
                                    const SymbolUses &Uses = {});

/// All combinations of the values of \p Base, when every symbol is uniform with
/// a known range and there are at most \p Limit; else empty.
std::vector<LaneDomain::Valuation>
allValues(const LaneDomain &D, llvm::ArrayRef<SymbolId> Base, unsigned Limit);

} // namespace warplint

#endif // WARPLINT_LIB_WARP_VALUATIONS_H
