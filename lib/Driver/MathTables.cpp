//===- MathTables.cpp - Loads inside the mathematics of libdevice ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sine and cosine of a double take their coefficients from a table in
/// global memory: eight doubles, of which three 16-byte loads fetch six, for
/// each parity of the angle's quadrant (read off cubins of nvcc 13.0 for sm_90:
/// sin, cos, sinpi and cospi; none in sincos, tan and the functions of float).
/// They count on the line of the call.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace warplint {

/// Doubles of the table: those for even quadrants, then those for odd ones.
static constexpr uint64_t OfAQuadrant = 8;
static constexpr unsigned LoadsOfACall = 3;
static constexpr uint64_t GlobalMemory = 1;

static bool readsTable(const CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  return F && !isa<Constant>(Call.getArgOperand(0)) &&
         StringSwitch<bool>(F->getName())
             .Cases({"__nv_sin", "__nv_cos", "__nv_sinpi", "__nv_cospi"}, true)
             .Default(false);
}

/// Where the program has the call: clang's headers define `sin` as a function
/// that calls libdevice, nvcc knows it itself.
static const DILocation *placeOfCall(const DILocation *Place) {
  while (Place && Place->getInlinedAt() &&
         Place->getFilename().contains("__clang_cuda_"))
    Place = Place->getInlinedAt();
  return Place;
}

static Constant *tableIn(Module &M, Type *Half) {
  auto *Table = ArrayType::get(Half, 2);
  return M.getOrInsertGlobal(SineTable, Table, [&] {
    auto *G = new GlobalVariable(M, Table, /*isConstant=*/false,
                                 GlobalValue::ExternalLinkage,
                                 /*Initializer=*/nullptr, SineTable, nullptr,
                                 GlobalValue::NotThreadLocal, GlobalMemory);
    G->setAlignment(Align(32));
    return G;
  });
}

PreservedAnalyses ReadTablesPass::run(Function &F, FunctionAnalysisManager &) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->arg_size() == 1 && readsTable(*Call))
      Calls.push_back(Call);
  Module &M = *F.getParent();
  for (CallInst *Call : Calls) {
    IRBuilder<> B(Call);
    B.SetCurrentDebugLocation(DebugLoc(placeOfCall(Call->getDebugLoc())));
    auto *Half = ArrayType::get(B.getDoubleTy(), OfAQuadrant);
    FunctionCallee Quadrant = M.getOrInsertFunction(
        QuadrantFunction, B.getInt64Ty(), B.getDoubleTy());
    cast<Function>(Quadrant.getCallee())
        ->setMemoryEffects(MemoryEffects::none());
    Value *Parity = B.CreateCall(Quadrant, Call->getArgOperand(0));
    auto *Pair = FixedVectorType::get(B.getDoubleTy(), 2);
    for (unsigned I = 0; I < LoadsOfACall; ++I)
      B.CreateAlignedLoad(Pair,
                          B.CreateInBoundsGEP(Half, tableIn(M, Half),
                                              {Parity, B.getInt64(2 * I)}),
                          Align(16));
  }
  return Calls.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace warplint
