//===- Choices.h - Try one alternative after another ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a variable has several constant values (a branch, a loop over
/// configurations, several callers), the evaluator picks one, and the whole
/// launch is evaluated again for the next: block, shared bytes and arguments
/// then belong together.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_CHOICES_H
#define WARPLINT_LIB_LAUNCH_CHOICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <utility>

namespace warplint::launch {

class Choices {
public:
  /// Runs one launch may take; further choices are refused.
  static constexpr unsigned MaxRuns = 32;
  /// Runs that what is picked from now on may make of each run so far.
  void allowFurther(unsigned Factor);

  /// Alternatives one variable may have.
  static constexpr unsigned MaxAlternatives = 16;

  /// The alternative of \p Key in this run, out of Branches.size().
  /// \p Branches: the basic block in which each alternative is chosen, or
  /// null; alternatives of blocks taken already are taken again, those of
  /// blocks passed over are not. nullopt: there would be too many runs.
  std::optional<unsigned> pick(const void *Key,
                               llvm::ArrayRef<const void *> Branches);

  /// While suspended, nothing is picked: a cycle is evaluated for all that
  /// goes around in it.
  bool suspend(bool On) { return std::exchange(Suspended, On); }
  bool isSuspended() const { return Suspended; }
  /// While frozen, what was picked stays and nothing new is.
  bool freeze(bool On) { return std::exchange(Frozen, On); }
  /// How often something was asked that another run may answer otherwise.
  unsigned questions() const { return Questions; }
  void noteQuestion() { ++Questions; }
  /// How often a pick was refused so far.
  unsigned refusals() const { return Refusals; }

  /// What was picked for \p Key in this run.
  std::optional<unsigned> picked(const void *Key) const;

  /// Prepares the next run; false when all have been made.
  bool advance();

private:
  struct Step {
    unsigned Taken, Count;
  };
  llvm::SmallVector<Step, 4> Trail;  ///< of this run
  llvm::SmallVector<Step, 4> Prefix; ///< what this run repeats
  llvm::DenseMap<const void *, unsigned> Picked;
  llvm::SmallPtrSet<const void *, 8> Entered, PassedOver;
  bool Suspended = false, Frozen = false;
  unsigned Limit = MaxRuns, Refusals = 0;
  mutable unsigned Questions = 0;
  unsigned runs() const;
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_CHOICES_H
