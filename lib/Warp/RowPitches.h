//===- RowPitches.h - Rows whose pitch is not known ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// `a[row * pitch + column]` with a pitch that only the caller knows: where the
/// lanes stand within a row is known, where the rows begin is not. Images,
/// matrices and sets of equally long arrays are sized in multiples of a sector
/// (or padded to them) so nearly always that the number for such rows is worth
/// more than a range, as long as it says what it rests on.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_ROWPITCHES_H
#define WARPLINT_LIB_WARP_ROWPITCHES_H

#include "warplint/Lane/LaneDomain.h"
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// An address with its rows laid out.
struct PitchedRows {
  /// Bytes; no pitch is left in it. Rows that the lanes of the request are in
  /// lie whole sectors apart, further than any row is long.
  LaneInt Offset;
  /// What that takes for granted, in words, one a pitch.
  std::vector<std::string> Assumptions;
};

/// Finds the pitches in \p Offset: kernel arguments that only ever multiply a
/// row's number (a counter, a lane's part of one, another pitch). A symbol that
/// shifts columns (`x - border`), or a row whose number also shifts them
/// (`row * (n + 1)`), is none.
/// \p Bytes: of one lane's element. \p Granule: bytes of a sector.
/// Nothing where there is no pitch: `a[i * n]`, without a column, strides.
std::optional<PitchedRows> layOutRows(const LaneDomain &D,
                                      const LaneInt &Offset, LaneMask Active,
                                      unsigned Bytes, int64_t Granule);

} // namespace warplint

#endif // WARPLINT_LIB_WARP_ROWPITCHES_H
