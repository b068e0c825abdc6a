//===- BankPatterns.h - Where lanes lie in the banks ------------*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What shared memory makes of addresses that are not known: the banks repeat
/// every 128 bytes, and a shift of all lanes by whole words only turns them
/// round. So of a number s that all lanes share, `ring[(lane + s) & 255]` shows
/// no more than s mod 256, and of a row r that each lane reads,
/// `tile[32 * r + lane]` shows nothing but whether two lanes can meet.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_BANKPATTERNS_H
#define WARPLINT_LIB_WARP_BANKPATTERNS_H

#include "warplint/Lane/LaneDomain.h"
#include <optional>
#include <vector>

namespace warplint {

/// All that a shared address can be, up to a shift of all lanes by whole words
/// and to whole periods of the banks.
struct BankPatterns {
  /// Offsets of the lanes, one set for each combination of the unknown numbers'
  /// residues.
  std::vector<LaneAddresses> At;
  /// Lanes of one row lie apart as At says. Lanes of different rows lie apart
  /// by an unknown multiple of RowBytes besides, which can be none.
  std::array<unsigned, WarpLanes> Row{};
  int64_t RowBytes = 0; ///< a multiple of the period; 0: all lanes in one row
  /// A size that is not known takes part in At.
  bool RestsOnSize = false;

  /// At[I], with lanes of different rows in different words.
  LaneAddresses apart(size_t I) const;
  /// At[I], with lanes in one word wherever that is possible.
  LaneAddresses together(size_t I) const;
};

struct BankLayout {
  int64_t Period = 128;  ///< bytes after which the banks repeat
  int64_t Word = 4;      ///< bytes of a bank
  int64_t BaseAlign = 1; ///< divides the address of offset 0
};

/// None where a lane's bank rests on something of its own that is not known, or
/// there are more than \p Limit patterns.
/// \p LookIntoRows: what moves no bank is gone through as well, where that can
/// be done, to see which lanes meet. More work, fewer rows.
std::optional<BankPatterns> bankPatterns(LaneDomain &D, const LaneInt &Offset,
                                         LaneMask Active,
                                         const BankLayout &Banks,
                                         bool LookIntoRows, unsigned Limit);

} // namespace warplint

#endif // WARPLINT_LIB_WARP_BANKPATTERNS_H
