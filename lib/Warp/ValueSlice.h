//===- ValueSlice.h - Which values a run has to compute ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Most of a kernel computes what it stores, not where. Only values that can
/// end in an address, a branch or a fact are computed; a hash of forty rounds
/// or a running minimum costs nothing.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_VALUESLICE_H
#define WARPLINT_LIB_WARP_VALUESLICE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class StoreInst;
class Value;
} // namespace llvm

namespace warplint {

/// The backward slice of a kernel from the values that WarpRun looks at:
/// addresses, conditions of branches, what atomics add, arguments of calls that
/// do something, assumptions. The contents of global and shared memory are not
/// followed, so neither is what is stored there.
class ValueSlice {
public:
  explicit ValueSlice(const llvm::Function &F);

  /// The result of \p I is looked at.
  bool needs(const llvm::Instruction &I) const { return Needed.contains(&I); }
  /// \p I has to be executed: for its result, or for what it does.
  bool executes(const llvm::Instruction &I) const;
  /// What local arrays hold is looked at somewhere.
  bool readsLocals() const { return !ReadLocals.empty(); }

private:
  llvm::DenseSet<const llvm::Instruction *> Needed;
  llvm::SmallVector<const llvm::Instruction *, 64> Work;
  /// Stores to local arrays, by array; null: to one that is not known.
  llvm::DenseMap<const llvm::Value *,
                 llvm::SmallVector<const llvm::StoreInst *, 4>>
      LocalStores;
  llvm::DenseSet<const llvm::Value *> ReadLocals;

  void addRoots(const llvm::Instruction &I);
  void need(const llvm::Value *V);
  void needStoresTo(const llvm::Value *Array);
  void follow(const llvm::Instruction &I);
};

} // namespace warplint

#endif // WARPLINT_LIB_WARP_VALUESLICE_H
