//===- RealCalls.cpp - Calls that nvcc leaves as calls --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A virtual call on the device reaches a function of the same module: the
/// tables hold numbers of its functions. Which ones, the tables of the classes
/// that are made in the module tell, by the type identifiers that clang writes
/// for whole-program devirtualisation. The call becomes a comparison of the
/// loaded function with each, and a direct call that can be inlined.
///
/// nvcc leaves a call of it, as of what is `__noinline__`, and across a call it
/// knows nothing of memory. An empty piece of assembly that takes the pointers
/// passed stands for that on either side. That of a virtual call goes when the
/// function turns out to be known (the object was made in sight): nvcc inlines
/// then.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TypeMetadataUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warplint {
namespace {

/// A call that may reach more functions than this stays opaque: the caller
/// would grow by each of them.
constexpr size_t MaxCandidates = 8;

constexpr StringLiteral BoundaryMetadata = "warplint.call";

struct VirtualCall {
  CallInst *Call;
  SmallVector<Function *, 4> Candidates;
};

/// The functions that the tables of \p TypeId's classes have \p Offset bytes
/// behind their address point. Empty: one of them cannot be told.
SmallVector<Function *, 4> candidatesFor(Module &M, const Metadata *TypeId,
                                         uint64_t Offset) {
  SmallSetVector<Function *, 4> Found;
  SmallVector<MDNode *, 4> Types;
  for (GlobalVariable &Table : M.globals()) {
    if (!Table.hasInitializer())
      continue;
    Types.clear();
    Table.getMetadata(LLVMContext::MD_type, Types);
    for (const MDNode *Type : Types) {
      if (Type->getOperand(1).get() != TypeId)
        continue;
      uint64_t AddressPoint =
          mdconst::extract<ConstantInt>(Type->getOperand(0))->getZExtValue();
      const Constant *Entry = getPointerAtOffset(
          Table.getInitializer(), AddressPoint + Offset, M, &Table);
      auto *F = Entry ? dyn_cast<Function>(
                            const_cast<Constant *>(Entry)->stripPointerCasts())
                      : nullptr;
      if (F && F->getName() == "__cxa_pure_virtual")
        continue; // of an abstract class
      if (!F || F->isDeclaration())
        return {};
      Found.insert(F);
    }
  }
  return Found.takeVector();
}

bool fits(const CallInst &Call, const Function &F) {
  return F.getFunctionType() == Call.getFunctionType();
}

std::vector<VirtualCall> findVirtualCalls(Module &M) {
  std::vector<VirtualCall> Found;
  DenseSet<const CallInst *> Seen;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    std::optional<DominatorTree> DT;
    for (Instruction &I : instructions(F)) {
      auto *Test = dyn_cast<IntrinsicInst>(&I);
      if (!Test || (Test->getIntrinsicID() != Intrinsic::type_test &&
                    Test->getIntrinsicID() != Intrinsic::public_type_test))
        continue;
      if (!DT)
        DT.emplace(F);
      const Metadata *TypeId =
          cast<MetadataAsValue>(Test->getArgOperand(1))->getMetadata();
      SmallVector<DevirtCallSite, 1> Sites;
      SmallVector<CallInst *, 1> Assumes;
      findDevirtualizableCallsForTypeTest(Sites, Assumes, Test, *DT);
      for (const DevirtCallSite &Site : Sites) {
        auto *Call = dyn_cast<CallInst>(&Site.CB);
        if (!Call || !Seen.insert(Call).second)
          continue;
        auto Candidates = candidatesFor(M, TypeId, Site.Offset);
        if (!Candidates.empty() && Candidates.size() <= MaxCandidates &&
            all_of(Candidates,
                   [&](const Function *C) { return fits(*Call, *C); }))
          Found.push_back({Call, std::move(Candidates)});
      }
    }
  }
  return Found;
}

/// What \p Call passes pointers to is in memory. Records passed by value are
/// not: they go in registers.
SmallVector<Value *, 8> passedPointers(const CallInst &Call) {
  SmallVector<Value *, 8> Pointers;
  for (unsigned I = 0; I != Call.arg_size(); ++I)
    if (Call.getArgOperand(I)->getType()->isPointerTy() &&
        !Call.paramHasAttr(I, Attribute::ByVal) &&
        !Call.paramHasAttr(I, Attribute::StructRet))
      Pointers.push_back(Call.getArgOperand(I));
  return Pointers;
}

/// Stands for a call at \p B: memory that \p Operands lead to may be another
/// afterwards. Of a virtual call the first operand is the function.
void insertBoundary(IRBuilder<> &B, ArrayRef<Value *> Operands, bool Virtual) {
  SmallVector<Type *, 8> Types;
  std::string Constraints;
  for (Value *V : Operands) {
    Types.push_back(V->getType());
    Constraints += "l,";
  }
  FunctionType *T = FunctionType::get(B.getVoidTy(), Types, false);
  CallInst *Asm = B.CreateCall(
      InlineAsm::get(T, "", Constraints + "~{memory}", /*hasSideEffects=*/true),
      Operands);
  Asm->setDoesNotThrow();
  Metadata *Kind = MDString::get(B.getContext(), Virtual ? "virtual" : "");
  Asm->setMetadata(BoundaryMetadata, MDNode::get(B.getContext(), Kind));
}

/// Turns \p Virtual into direct calls. \p Closed: no other function can be
/// reached; else the call stays as the last choice.
void expand(const VirtualCall &Virtual, bool Closed) {
  CallInst *Call = Virtual.Call;
  Value *Callee = Call->getCalledOperand();
  SmallVector<Value *, 8> Operands = {Callee};
  append_range(Operands, passedPointers(*Call));
  IRBuilder<> B(Call);
  insertBoundary(B, Operands, /*Virtual=*/true);
  BasicBlock *Head = Call->getParent();
  BasicBlock *Tail = Head->splitBasicBlock(Call->getIterator());
  Head->getTerminator()->eraseFromParent();
  auto GoTo = [&](BasicBlock *BB, BasicBlock::iterator At) {
    B.SetInsertPoint(BB, At);
    B.SetCurrentDebugLocation(Call->getDebugLoc());
  };
  GoTo(Tail, Tail->begin());
  PHINode *Result = nullptr;
  if (!Call->getType()->isVoidTy()) {
    Result = B.CreatePHI(Call->getType(), Virtual.Candidates.size());
    Call->replaceAllUsesWith(Result);
  }
  Call->removeFromParent();
  GoTo(Tail, Tail->getFirstInsertionPt());
  insertBoundary(B, Operands, /*Virtual=*/true);

  auto EndWith = [&](CallInst *C) {
    B.Insert(C);
    if (Result)
      Result->addIncoming(C, B.GetInsertBlock());
    B.CreateBr(Tail);
  };
  GoTo(Head, Head->end());
  ArrayRef<Function *> Compared = Virtual.Candidates;
  if (Closed)
    Compared = Compared.drop_back();
  for (Function *F : Compared) {
    auto NewBlock = [&] {
      return BasicBlock::Create(B.getContext(), "", Head->getParent(), Tail);
    };
    BasicBlock *Then = NewBlock(), *Else = NewBlock();
    B.CreateCondBr(B.CreateICmpEQ(Callee, F), Then, Else);
    auto *Direct = cast<CallInst>(Call->clone());
    Direct->setCalledFunction(F);
    GoTo(Then, Then->end());
    EndWith(Direct);
    GoTo(Else, Else->end());
  }
  if (Closed)
    Call->setCalledFunction(Virtual.Candidates.back());
  EndWith(Call);
}

/// nvcc heeds `__noinline__`.
void boundCallsOfFunctions(Module &M) {
  SmallVector<CallInst *, 16> Calls;
  for (Function &F : M)
    if (F.hasFnAttribute(Attribute::NoInline) && !F.isDeclaration() &&
        !isKernel(F))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && Call->getCalledFunction() == &F)
          Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    IRBuilder<> B(Call);
    SmallVector<Value *, 8> Pointers = passedPointers(*Call);
    insertBoundary(B, Pointers, /*Virtual=*/false);
    B.SetInsertPoint(Call->getNextNode());
    B.SetCurrentDebugLocation(Call->getDebugLoc());
    insertBoundary(B, Pointers, /*Virtual=*/false);
  }
}

void forgetTypeTests(Module &M) {
  for (Intrinsic::ID Id : {Intrinsic::type_test, Intrinsic::public_type_test}) {
    Function *Declared = Intrinsic::getDeclarationIfExists(&M, Id);
    if (!Declared)
      continue;
    for (User *U : make_early_inc_range(Declared->users())) {
      auto *Test = cast<CallInst>(U);
      for (User *V : make_early_inc_range(Test->users()))
        if (auto *Assume = dyn_cast<AssumeInst>(V))
          Assume->eraseFromParent();
      Test->replaceAllUsesWith(ConstantInt::getTrue(M.getContext()));
      Test->eraseFromParent();
    }
  }
}

} // namespace

void boundCalls(Module &M, bool Closed) {
  boundCallsOfFunctions(M);
  for (const VirtualCall &Virtual : findVirtualCalls(M))
    expand(Virtual, Closed);
  forgetTypeTests(M);
}

bool isCallBoundary(const Instruction &I) {
  return I.hasMetadata(BoundaryMetadata);
}

static bool isVirtual(const Instruction &I) {
  const MDNode *Kind = I.getMetadata(BoundaryMetadata);
  return Kind && cast<MDString>(Kind->getOperand(0))->getString() == "virtual";
}

bool hasVirtualCalls(const Function &F) {
  return any_of(instructions(F), isVirtual);
}

bool forgetKnownCalls(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isVirtual(I) ||
        !isa<Function>(cast<CallInst>(I).getArgOperand(0)->stripPointerCasts()))
      continue;
    I.eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace warplint
