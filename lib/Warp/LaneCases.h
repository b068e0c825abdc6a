//===- LaneCases.h - The lanes a condition leaves, over a launch ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// A condition on positions (`tid % 324 / 18 == 3`, `i < 1000` in a launch of
/// four blocks) leaves other lanes in each warp, block and iteration. What the
/// hardware counts is a mean over them all, so they are gone through: all
/// combinations of the counters where those are few, else as many as show the
/// period they repeat with.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_LANECASES_H
#define WARPLINT_LIB_WARP_LANECASES_H

#include "warplint/Lane/LaneDomain.h"

namespace warplint {

/// Values that counters take together, one combination after the other.
struct CounterWalk {
  std::vector<LaneDomain::Valuation> Values;
  /// Combinations that differ only in the outermost counter are so far apart.
  size_t Stride = 1;
  enum Kind {
    Complete, ///< all of them
    Opening,  ///< the outermost counter goes on
    Sampled,  ///< some of them
  } K = Complete;
  /// The last of Values, whole Strides of them: of the outermost counter at
  /// these steps, far from its first ones.
  llvm::SmallVector<uint64_t, 8> Far;
  /// The outermost counter goes on to an end that is not known, and it counts a
  /// loop: its first values may be all there are.
  bool OpenLoop = false;

  /// How many of the first Values make whole periods, where \p Same compares
  /// what two of them lead to; all of a complete walk; 0 if no period shows, or
  /// none that holds far away.
  size_t wholePeriods(llvm::function_ref<bool(size_t, size_t)> Same) const;
};

/// \p Base: uniform counters. At most \p Limit combinations.
CounterWalk walkCounters(const LaneDomain &D, llvm::ArrayRef<SymbolId> Base,
                         unsigned Limit);

/// The same lanes, wherever it is that they are left.
struct LaneCase {
  LaneMask Lanes = 0;
  double Share = 0; ///< of the warps that are there at all
  /// Some of the places, or all if \p AllThere.
  std::vector<LaneDomain::Valuation> At;
  bool AllThere = false;
};

struct LaneCases {
  std::vector<LaneCase> Cases; ///< by share, the largest first
  llvm::SmallVector<SymbolId, 4> Counters;
  double Share = 0; ///< of the launch's warps with a lane left
  /// The shares are those of the launch.
  bool Exact = false;
  /// None of the combinations gone through leaves a lane, and there are more:
  /// the one case has all lanes, for a guess.
  bool NotSeen = false;
  unsigned Work = 0; ///< combinations gone through
};

/// Where all of \p Truths (0 or 1, resting on counters alone) hold, within the
/// lanes \p Within.
LaneCases casesOf(const LaneDomain &D, llvm::ArrayRef<LaneInt> Truths,
                  LaneMask Within);

/// Rests on uniform counters and nothing else.
bool restsOnCounters(const LaneDomain &D, const LaneInt &A);

/// Rests on a counter whose end is not known: it stands for all its values only
/// if their number does not matter.
bool hasOpenLoop(const LaneDomain &D, const LaneInt &A);

} // namespace warplint

#endif // WARPLINT_LIB_WARP_LANECASES_H
