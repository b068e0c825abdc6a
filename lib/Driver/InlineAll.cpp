//===- InlineAll.cpp - Inline whatever has a body -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace warplint {
namespace {

/// A kernel larger than this is not inlined into any further. A 10,000-line
/// kernel has about 100,000 instructions; what is larger comes of call trees
/// that double at each level.
constexpr size_t MaxInstructions = 400000;

/// Has a record passed by value copied where it is passed. Clang hands over the
/// address of `p[i]` itself, so that its load would be found wherever the
/// callee first reads the parameter; nvcc loads it at the call.
void copyArguments(CallBase &Call) {
  const DataLayout &DL = Call.getDataLayout();
  for (unsigned I = 0; I != Call.arg_size(); ++I) {
    if (!Call.isByValArgument(I))
      continue;
    Value *From = Call.getArgOperand(I);
    if (isa<AllocaInst>(getUnderlyingObject(From)))
      continue;
    Type *T = Call.getParamByValType(I);
    Align At = Call.getParamAlign(I).value_or(DL.getABITypeAlign(T));
    BasicBlock &Entry = Call.getFunction()->getEntryBlock();
    auto *Local = new AllocaInst(T, DL.getAllocaAddrSpace(), nullptr, At,
                                 "argument", Entry.begin());
    IRBuilder<> B(&Call);
    if (const auto *Address = dyn_cast<Instruction>(From);
        Address && isa<GetElementPtrInst>(Address) && Address->hasOneUse() &&
        Address->getDebugLoc() && Call.getDebugLoc() &&
        Address->getDebugLoc()->getInlinedAt() ==
            Call.getDebugLoc()->getInlinedAt())
      B.SetCurrentDebugLocation(Address->getDebugLoc());
    Value *To = B.CreateAddrSpaceCast(Local, From->getType());
    B.CreateMemCpy(To, At, From, At, DL.getTypeAllocSize(T));
    Call.setArgOperand(I, To);
  }
}

/// Inlines into \p F the calls of functions that are complete, which are those
/// in \p Complete (a function of F's own cycle is not, so recursion stays).
void inlineInto(Function &F, const DenseSet<const Function *> &Complete) {
  SmallVector<CallBase *, 16> Calls;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction())
          if (Complete.contains(Callee))
            Calls.push_back(Call);
  size_t Size = F.getInstructionCount();
  for (CallBase *Call : Calls) {
    Size += Call->getCalledFunction()->getInstructionCount();
    if (Size > MaxInstructions)
      return;
    copyArguments(*Call);
    InlineFunctionInfo IFI;
    InlineFunction(*Call, IFI);
  }
}

} // namespace

void inlineAll(Module &M, function_ref<void(Function &)> Simplify) {
  for (Function &F : M) {
    F.removeFnAttr(Attribute::NoInline);
    F.removeFnAttr(Attribute::OptimizeNone);
    if (!F.isDeclaration() && !isKernel(F)) {
      F.setComdat(nullptr);
      F.setLinkage(GlobalValue::InternalLinkage);
    }
  }
  CallGraph CG(M);
  DenseSet<const Function *> Complete;
  for (auto It = scc_begin(&CG); !It.isAtEnd(); ++It) {
    bool Recursive = It.hasCycle();
    for (CallGraphNode *Node : *It) {
      Function *F = Node->getFunction();
      if (!F || F->isDeclaration())
        continue;
      inlineInto(*F, Complete);
      Simplify(*F);
    }
    if (!Recursive)
      for (CallGraphNode *Node : *It)
        if (Function *F = Node->getFunction())
          if (!F->isDeclaration() && !isKernel(*F) && !F->isVarArg())
            Complete.insert(F);
  }
}

} // namespace warplint
