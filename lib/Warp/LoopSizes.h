//===- LoopSizes.h - Sizes that decide how often a tree's loop runs -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reductions and scans step through a tree: a variable is doubled or halved
/// until it passes a size. With the size unknown there is no number of
/// iterations, and each iteration's stride and lanes belong together: no
/// typical value of the one without the other says what the loop costs. The
/// best guess is the loop as it runs for the size it was written for.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_LOOPSIZES_H
#define WARPLINT_LIB_WARP_LOOPSIZES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cstdint>
#include <optional>
#include <utility>

namespace llvm {
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace warplint {

/// Where a size comes from: an argument, a load of one value for all lanes, or
/// (with its byte offset) a member of an argument.
using SizeSource = std::pair<const llvm::Value *, uint64_t>;

/// What one run found to be open, and what the next takes for it.
struct LoopSizes {
  /// Sizes of loops whose variable doubles or halves.
  llvm::SetVector<SizeSource> Open;
  /// Those loops.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Loops;
  /// Values taken for sizes, in a run that guesses.
  llvm::DenseMap<SizeSource, int64_t> Taken;

  std::optional<int64_t> taken(SizeSource Source) const {
    auto It = Taken.find(Source);
    return It == Taken.end() ? std::nullopt : std::optional(It->second);
  }
  /// \p I is in one of the loops.
  bool covers(const llvm::Instruction &I) const;
  /// A run in which every open size is \p Size.
  LoopSizes guess(int64_t Size) const;
  /// The elements for which all of a block's \p Threads threads have work in a
  /// tree's first step, two each: a power of two.
  static int64_t typical(uint64_t Threads);
};

} // namespace warplint

#endif // WARPLINT_LIB_WARP_LOOPSIZES_H
