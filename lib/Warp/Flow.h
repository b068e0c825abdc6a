//===- Flow.h - Which lanes are where, and under which conditions --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Control flow of a warp. Lanes whose conditions are known are bits of a mask.
/// A condition that is not known (a literal) is carried along in the guard of
/// the path, so that both sides of the branch run and are known to exclude each
/// other when they meet again.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_FLOW_H
#define WARPLINT_LIB_WARP_FLOW_H

#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <compare>

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace warplint {

/// The parts of an LLVM value: one for a scalar, one for each element of a
/// vector or leaf of an aggregate.
using Parts = llvm::SmallVector<LaneInt, 1>;

/// A condition of the table holds, or does not.
struct Literal {
  unsigned Condition;
  bool Holds;
  auto operator<=>(const Literal &) const = default;
};

/// All of these hold. Sorted.
using Guard = llvm::SmallVector<Literal, 4>;

struct Flow {
  LaneMask Lanes = 0;
  Guard G;
};

/// A warp, or part of it, arriving at a block.
struct Arrival {
  const llvm::BasicBlock *From = nullptr;
  Flow F;
  llvm::SmallVector<Parts, 2> Phis; ///< in the block's order
};

/// The conditions met in one run.
class Conditions {
public:
  explicit Conditions(LaneDomain &D) : D(D) {}

  /// The literal that says \p Truth (0 or 1 in each lane) is 1; the opposite
  /// truth value gives the opposite literal.
  Literal literal(const LaneInt &Truth);
  /// A condition nothing else is known of.
  Literal opaque(bool Varying, int Likely);

  const LaneInt &value(unsigned Condition) const { return Table[Condition]; }
  LaneInt value(Literal L) const {
    return L.Holds ? Table[L.Condition] : D.notOf(Table[L.Condition]);
  }
  bool isVarying(Literal L) const { return !D.isUniform(Table[L.Condition]); }
  /// 1: holds in the interior of the grid, 0: does not, -1: not known.
  int likely(Literal L) const;
  /// The program's shape says more than the condition's: \p L holds inside.
  void settle(Literal L) { Settled[L.Condition] = L.Holds; }

  /// \p L parts the lanes that stay in a loop from those that data lets leave.
  void markLeaving(Literal L) { Leaving.insert(L.Condition); }
  bool isLeaving(Literal L) const { return Leaving.contains(L.Condition); }

  /// \p L says that an iteration of a loop happens: nothing to be assumed.
  void markRound(Literal L) { Rounds.insert(L.Condition); }
  bool isRound(Literal L) const { return Rounds.contains(L.Condition); }

  /// The guard under which one of \p Guards holds: complementary literals
  /// cancel; what cannot be simplified becomes a condition of its own, opaque
  /// unless it hangs on positions alone.
  Guard join(llvm::ArrayRef<Guard> Guards);

  /// Whether all of \p G hold, as a truth value, where they are a few and hang
  /// on positions alone.
  std::optional<LaneInt> allOf(llvm::ArrayRef<Literal> G) const;

private:
  std::optional<LaneInt> anyOf(llvm::ArrayRef<Guard> Guards) const;

  LaneDomain &D;
  std::vector<LaneInt> Table;
  llvm::DenseMap<unsigned, bool> Settled;
  llvm::DenseSet<unsigned> Leaving, Rounds;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Literal, 1>> ByHash;
};

} // namespace warplint

#endif // WARPLINT_LIB_WARP_FLOW_H
