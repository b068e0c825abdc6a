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

namespace warplint {

/// True for functions the host launches.
bool isKernel(const llvm::Function &F);

/// Inlines every call whose callee has a body, callees first; \p Simplify is
/// run on each function once it is complete, so that callers copy little.
/// Recursive calls stay, and so do calls that would grow a kernel beyond what
/// is worth analysing.
void inlineAll(llvm::Module &M,
               llvm::function_ref<void(llvm::Function &)> Simplify);

/// Splits memcpy, memmove and memset of constant size into the loads and
/// stores nvcc makes of them.
struct ExpandMemoryIntrinsicsPass
    : llvm::PassInfoMixin<ExpandMemoryIntrinsicsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);
};

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_PREPARESTEPS_H
