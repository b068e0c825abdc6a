//===- PrepareSteps.h - The steps of IR preparation that are our own ------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// prepareKernels is mostly LLVM's passes in an order; these are the pieces
/// that LLVM has no pass for.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_PREPARESTEPS_H
#define WARPLINT_LIB_DRIVER_PREPARESTEPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class ScalarEvolution;
} // namespace llvm

namespace warplint {

/// True for functions the host launches.
bool isKernel(const llvm::Function &F);

/// Inlines every call whose callee has a body, callees first; \p Simplify is
/// run on each function once it is complete, so that callers copy little.
/// Recursive calls stay, and so do calls that would grow a kernel beyond what
/// is worth analysing.
void inlineAll(llvm::Module &M,
               llvm::function_ref<void(llvm::Function &)> Simplify);

/// Makes direct calls of the virtual calls in \p M, one for each function that
/// the classes made in M have there. Marks where these and calls of
/// `__noinline__` functions begin and end: they are inlined for the analysis,
/// not by nvcc. \p Closed: objects come from M alone, so that no further
/// function can be reached. Run on what the code generator gave.
void boundCalls(llvm::Module &M, bool Closed);

/// True for what stands before and after such a call.
bool isCallBoundary(const llvm::Instruction &I);

/// True where a virtual call's function is not known.
bool hasVirtualCalls(const llvm::Function &F);

/// Removes the bounds of virtual calls whose function is known by now; true
/// when there were any.
bool forgetKnownCalls(llvm::Function &F);

/// Raises the alignment of \p F's accesses to what CUDA demands of a program:
/// an access whose address is no multiple of its size is an error at run time,
/// so nvcc takes the type's alignment, where clang keeps that of the array
/// under a cast.
void trustAlignments(llvm::Function &F);

/// Moves to global memory what nvcc keeps there: constants that are not
/// declared `__constant__` (a `__device__ const` table, a constant
/// initialiser), for which clang uses the constant space.
void placeConstants(llvm::Module &M);

/// A pointer that the host passed points to global memory (CUDA has no other of
/// which the host holds an address; the NVPTX backend assumes it too).
void markPointerArguments(llvm::Function &Kernel);

/// The same for pointers in a struct passed by value, and for those that the
/// device's `malloc` and `new` give: the heap is there. Run after SROA has
/// cleared the locals between the parameter and the load.
struct MarkGlobalPointersPass : llvm::PassInfoMixin<MarkGlobalPointersPass> {
  llvm::PreservedAnalyses run(llvm::Function &Kernel,
                              llvm::FunctionAnalysisManager &AM);
};

/// Has the users of a pointer that is loaded from shared memory see what the
/// kernel put there, where that is one address (of an object built in a shared
/// buffer, say). The load stays, as nvcc's does. Run on inlined kernels.
void followSharedPointers(llvm::Module &M);

/// Gives the shared arrays the alignment of the place that ptxas puts them in.
/// \p OfBytes: arrays of bytes, which are left out while accesses are joined,
/// because ptxas joins none of theirs.
void placeSharedArrays(llvm::Module &M, bool OfBytes);

/// Bytes of the widest access, and as much as it can use of an alignment.
inline constexpr uint64_t WidestAccess = 16;

/// Of a load or a store.
void setLoadStoreAlignment(llvm::Instruction &I, llvm::Align To);

/// Gives the loads and stores of shared memory the alignment that they have
/// there: of an array that begins at byte 24, [1] of doubles lies at 32.
void alignSharedAccesses(llvm::Function &Kernel, llvm::ScalarEvolution &SE);

/// Copies a record from where it came instead of from a local that it only
/// stopped in, as nvcc does with records of a declared alignment.
struct ForwardCopiesPass : llvm::PassInfoMixin<ForwardCopiesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Turns the copy of an aligned record into a local to vector loads, as nvcc
/// makes it; run before SROA, which would split it by fields.
void keepRecordLoadsWhole(llvm::Function &F);

/// Writes `x / 6 * 6` as `x - x % 6` where that is how nvcc's LLVM leaves it,
/// and the other way round: it knows the alignment of the product alone.
struct RoundedDownPass : llvm::PassInfoMixin<RoundedDownPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Joins neighbours in shared memory, and leaves all else as it is.
struct JoinSharedPass : llvm::PassInfoMixin<JoinSharedPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Narrows vector loads to the words that are read, and joins what nvcc reads
/// as one although a word of it goes unused. Leaves no masked load.
struct NarrowLoadsPass : llvm::PassInfoMixin<NarrowLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Narrows loads of 64-bit integers to the half that is read.
struct NarrowIntegersPass : llvm::PassInfoMixin<NarrowIntegersPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Moves loads that a loop does not change before it, where every iteration
/// begins with them, and notes the line that nvcc's table has for them
/// (setTableLine). Loops must be in simplified form.
struct HoistLoadsPass : llvm::PassInfoMixin<HoistLoadsPass> {
  /// Once loops are unrolled, and before anything else, those loads are moved
  /// whose address is known before the loop already: they keep their line.
  enum Stage { BeforeUnrolling, Unrolled, Simplified };

  explicit HoistLoadsPass(Stage At) : At(At) {}

  Stage At;

  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Marks each loop with whether it is to be unrolled whole, by what nvcc does
/// and by the program's `#pragma unroll`.
struct ChooseUnrollingPass : llvm::PassInfoMixin<ChooseUnrollingPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Splits memcpy, memmove and memset of constant size into the loads and
/// stores nvcc makes of them.
struct ExpandMemoryIntrinsicsPass
    : llvm::PassInfoMixin<ExpandMemoryIntrinsicsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Computes a value from others, wherever it stands: what LICM moves.
bool isArithmetic(const llvm::Instruction &I);

/// Makes stores to one place, which a loop only repeats, once behind it.
struct SinkStoresPass : llvm::PassInfoMixin<SinkStoresPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Puts the loads that libdevice's functions make in front of their calls: of
/// global tables.
struct ReadTablesPass : llvm::PassInfoMixin<ReadTablesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

/// Gives accesses that begin the code of an inlined call the call's place as
/// table line, and marks atomics in functions that nvcc does not
/// inline (ApartMetadata).
struct MarkEntriesPass : llvm::PassInfoMixin<MarkEntriesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_PREPARESTEPS_H
