//===- HoistedLines.h - The line of a load that lost its own ----*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A load without a place has the line of the instruction before it in nvcc's
/// line table, where the last entry goes on. Which instruction that is depends
/// on whether the loop stands behind a test of its own.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_HOISTEDLINES_H
#define WARPLINT_LIB_DRIVER_HOISTEDLINES_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class LoadInst;
class Loop;
class MDNode;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace warplint {

/// Notes where \p Kernel's first statement stands, which its optimised code
/// does not tell any more. Run on what the code generator gave, inlined or not.
void noteFirstStatement(llvm::Function &Kernel);

/// Notes that \p Load was moved before a loop; it has its own line until it is
/// placed.
void noteHoisted(llvm::LoadInst &Load);

/// The lines of what is moved before one loop.
class HoistedLines {
public:
  /// \p Moved: what has been moved before loops, with its place or without.
  /// Ask before anything of \p L is moved.
  HoistedLines(const llvm::Loop &L, llvm::ScalarEvolution &SE,
               const llvm::SmallPtrSetImpl<const llvm::Instruction *> &Moved);

  /// Gives \p Load, which is moved or which nvcc would move, its line
  /// (setTableLine), or leaves that to placeTheRest. In the order in which they
  /// stand, once all that leaves the loop is known.
  void place(llvm::LoadInst &Load) const;

private:
  llvm::MDNode *lineOf(const llvm::LoadInst &Load) const;
  llvm::MDNode *sunkWith(const llvm::LoadInst &Load) const;
  bool isForMoved(const llvm::Value &Pointer) const;

  const llvm::BasicBlock &Before;
  const llvm::SmallPtrSetImpl<const llvm::Instruction *> &Moved;
  const bool Nested;             ///< in another loop
  llvm::MDNode *Guard = nullptr; ///< of a test before the loop
};

/// Gives what has no line yet that of what stands before it in the end.
void placeTheRest(llvm::Function &F);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_HOISTEDLINES_H
