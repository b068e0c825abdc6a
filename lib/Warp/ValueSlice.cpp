//===- ValueSlice.cpp - Which values a run has to compute ----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueSlice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warplint {

namespace {
enum class Base { Local, Elsewhere, Unknown };
} // namespace

/// What kind of memory a pointer points to, and the array if it is local.
static std::pair<Base, const Value *> baseOf(const Value *Pointer) {
  switch (Pointer->getType()->getPointerAddressSpace()) {
  case 0:
  case 5:
    break;
  default:
    return {Base::Elsewhere, nullptr};
  }
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(Object))
    return {Base::Local, Object};
  if (isa<GlobalVariable, Argument>(Object))
    return {Base::Elsewhere, nullptr};
  return {Base::Unknown, nullptr};
}

/// PTX that may make a request. Clang believes asm without `volatile` that it
/// touches no memory, and so do the people who forget it.
static bool isMemoryPtx(const InlineAsm &Asm) {
  StringRef Text = Asm.getAsmString();
  return any_of(ArrayRef<StringRef>{"ld", "st.", "red", "atom", "cp."},
                [&](StringRef Op) { return Text.contains(Op); });
}

/// A call that only computes.
static bool isPureCall(const CallInst &I) {
  if (const auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand()))
    return !Asm->hasSideEffects() && !isMemoryPtx(*Asm);
  const Function *F = I.getCalledFunction();
  if (!F || isa<AssumeInst>(I))
    return false;
  StringRef Name = F->getName();
  if (Name.consume_front("llvm.nvvm."))
    for (StringRef Exchange :
         {"shfl.", "vote.", "match.", "redux.", "activemask", "read.ptx.sreg"})
      if (Name.starts_with(Exchange))
        return true;
  return I.doesNotAccessMemory() && !I.getType()->isVoidTy();
}

ValueSlice::ValueSlice(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *S = dyn_cast<StoreInst>(&I))
      if (auto [Kind, Array] = baseOf(S->getPointerOperand());
          Kind != Base::Elsewhere)
        LocalStores[Array].push_back(S);
  for (const Instruction &I : instructions(F))
    if (!I.isDebugOrPseudoInst())
      addRoots(I);
  while (!Work.empty())
    follow(*Work.pop_back_val());
}

void ValueSlice::addRoots(const Instruction &I) {
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    need(Pointer);
  if (const auto *S = dyn_cast<StoreInst>(&I)) {
    // A local array whose address is stored is no longer followed.
    if (S->getValueOperand()->getType()->isPtrOrPtrVectorTy())
      need(S->getValueOperand());
  } else if (const auto *Call = dyn_cast<CallInst>(&I)) {
    if (!isPureCall(*Call))
      for (const Use &U : Call->operands())
        need(U.get());
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I) || I.isTerminator()) {
    for (const Use &U : I.operands())
      need(U.get());
  }
}

void ValueSlice::need(const Value *V) {
  if (const auto *I = dyn_cast<Instruction>(V))
    if (Needed.insert(I).second)
      Work.push_back(I);
}

void ValueSlice::needStoresTo(const Value *Array) {
  if (!ReadLocals.insert(Array).second)
    return;
  for (const StoreInst *S : LocalStores.lookup(Array))
    need(S->getValueOperand());
}

void ValueSlice::follow(const Instruction &I) {
  if (const auto *L = dyn_cast<LoadInst>(&I)) {
    auto [Kind, Array] = baseOf(L->getPointerOperand());
    if (Kind == Base::Elsewhere)
      return;
    needStoresTo(nullptr);
    if (Kind == Base::Local)
      return needStoresTo(Array);
    for (const auto &[Other, Stores] : LocalStores)
      needStoresTo(Other);
    return;
  }
  for (const Use &U : I.operands())
    need(U.get());
}

bool ValueSlice::executes(const Instruction &I) const {
  if (needs(I) || isa<StoreInst, LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && !isPureCall(*Call);
}

} // namespace warplint
