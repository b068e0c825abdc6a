//===- TableLines.h - Where nvcc's line table has an access -----*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The place of an instruction stays that of its expression, for people; the
/// line that nvcc's table, and with it a profiler, has for it is noted beside
/// it where the two differ.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_TABLELINES_H
#define WARPLINT_LIB_DRIVER_TABLELINES_H

namespace llvm {
class DILocation;
class Instruction;
class LLVMContext;
class MDNode;
} // namespace llvm

namespace warplint {

/// \p Place and the calls it was inlined through. LLVM allows locations in no
/// metadata but its own. Null: a line that is not known.
llvm::MDNode *asTableLine(llvm::LLVMContext &C, const llvm::DILocation *Place);

/// What was noted for \p I, or null.
llvm::MDNode *tableLineOf(const llvm::Instruction &I);

/// Notes \p Line for \p I; null: its own place again.
void setTableLine(llvm::Instruction &I, llvm::MDNode *Line);

/// True for what leaves no instruction in the machine code, and so no line.
bool leavesNothing(const llvm::Instruction &I);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_TABLELINES_H
