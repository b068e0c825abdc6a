//===- Symbol.h - A thing whose value is not known -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef WARPLINT_LANE_SYMBOL_H
#define WARPLINT_LANE_SYMBOL_H

#include "warplint/Lane/LaneInt.h"
#include <string>
#include <vector>

namespace warplint {

/// Where a symbol comes from; decides what typical values it takes and what is
/// said when a number depends on it.
enum class SymbolOrigin {
  Argument,   ///< a kernel argument, or a field of one
  Launch,     ///< an unknown extent of the launch (gridDim)
  BlockIndex, ///< takes every value of its range over a launch
  WarpIndex,  ///< the same over a block
  Iteration,  ///< the same over a loop
  Address,    ///< of a memory object
  Loaded,     ///< read from memory
  Float,      ///< came out of floating-point arithmetic
  Assembly,   ///< out of inline PTX
  Call,       ///< out of a function that cannot be seen
  Recurrence, ///< a loop-carried value that was not solved
  Choice,     ///< which of two paths was taken
  Derived,    ///< defined by an operation on other values
};

/// A set of origins, one bit each.
using OriginSet = uint32_t;
constexpr OriginSet originBit(SymbolOrigin O) {
  return OriginSet(1) << unsigned(O);
}
/// Memory, floating point, a search or code that cannot be seen: lanes differ
/// in ways nothing is known of.
constexpr OriginSet DataOrigins =
    originBit(SymbolOrigin::Loaded) | originBit(SymbolOrigin::Float) |
    originBit(SymbolOrigin::Assembly) | originBit(SymbolOrigin::Call) |
    originBit(SymbolOrigin::Recurrence) | originBit(SymbolOrigin::Choice);
constexpr OriginSet CounterOrigins = originBit(SymbolOrigin::BlockIndex) |
                                     originBit(SymbolOrigin::WarpIndex) |
                                     originBit(SymbolOrigin::Iteration);

/// Operations that leave the polynomials; the symbol of the result remembers
/// them, so that any value can be computed once the other symbols have values.
enum class LaneOp {
  None,
  FloorDiv, ///< floor(a / b), b > 0
  And,
  Or,
  Xor,
  Shl,
  Shr,       ///< arithmetic; of the value, not of a width's bits
  Mul,       ///< a product too large to multiply out
  IsGE0,     ///< a >= 0, as 0 or 1
  IsEQ0,     ///< a == 0
  Popcount,  ///< ones among the low b bits of a
  Geometric, ///< floor(a * b^i) or floor(a / b^i): a start, b ratio (negative:
             ///< divide by -b), i iteration
};

/// One symbol. Value facts hold for every value it can take.
struct Symbol {
  std::string Name;
  SymbolOrigin Origin = SymbolOrigin::Derived;
  /// A value of its own in each lane; else one for the warp.
  bool Varying = false;
  int64_t Lo = INT64_MIN, Hi = INT64_MAX; ///< inclusive
  int64_t Divisor = 1;                    ///< divides every value; >= 1
  /// All the values it can take, ascending; none: any in the range.
  std::vector<int64_t> Values;
  /// The representation of a floating-point number of so many bits, or 0:
  /// digits of it (a radix sort's) are far from evenly spread.
  unsigned FloatBits = 0;
  /// In place of a sum too long to keep: sizes added up are not a size.
  bool IsSum = false;
  /// Loaded from global memory: the address, and the bytes of an element.
  std::vector<LaneInt> ReadAt; ///< one or none
  unsigned ReadBytes = 0;
  /// Derived: the operation and what it works on.
  LaneOp Op = LaneOp::None;
  std::vector<LaneInt> Operands;
  /// Truth values: what holds in the interior of the grid (1 true, 0 false,
  /// -1 not known), and in words.
  int Likely = -1;
  // Filled in by LaneDomain::fresh:
  OriginSet Reach = 0; ///< origins of the symbol and of all below it
  uint32_t Size = 1;   ///< symbols in its definition written out, at most 2^20

  bool isTruth() const { return Lo == 0 && Hi == 1; }
  bool isData() const { return originBit(Origin) & DataOrigins; }
  /// Takes every value of its range in the course of a launch, so that a mean
  /// over them is what a counter shows.
  bool isCounter() const { return originBit(Origin) & CounterOrigins; }
  /// Going through what it can be is going through all that can happen.
  bool isListed() const { return isCounter() || !Values.empty(); }
};

} // namespace warplint

#endif // WARPLINT_LANE_SYMBOL_H
