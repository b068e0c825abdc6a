//===- JoinShared.cpp - Shared words that ptxas reads as one --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Neighbours in shared memory are joined by ptxas, those in global memory by
/// nvcc's LLVM. Both use what stands between two accesses; but where LLVM asks
/// what an instruction may do, ptxas sees the instruction itself. Inline PTX
/// that computes (`__hfma2`, an `mma`) and the exchange of registers between
/// lanes part no shared words, not even `asm volatile` with a memory clobber,
/// nor do atomics elsewhere; global words they do part. Seen in nvcc 13.0's
/// code for sm_90.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace warplint {

/// PTX that touches memory, waits for others or leaves: by the word before the
/// first point of an instruction.
static bool mayTouchMemory(StringRef Ptx) {
  static constexpr StringLiteral Words[] = {"applypriority",
                                            "atom",
                                            "bar",
                                            "barrier",
                                            "bra",
                                            "brx",
                                            "call",
                                            "cp",
                                            "discard",
                                            "exit",
                                            "fence",
                                            "griddepcontrol",
                                            "ld",
                                            "ldmatrix",
                                            "ldu",
                                            "mbarrier",
                                            "membar",
                                            "multimem",
                                            "nanosleep",
                                            "prefetch",
                                            "prefetchu",
                                            "red",
                                            "ret",
                                            "st",
                                            "stmatrix",
                                            "suld",
                                            "suq",
                                            "sured",
                                            "sust",
                                            "tcgen05",
                                            "tensormap",
                                            "tex",
                                            "tld4",
                                            "trap",
                                            "txq",
                                            "wgmma"};
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  while (!Ptx.empty()) {
    StringRef Word = Ptx.take_while(IsWord);
    if (is_contained(Words, Word))
      return true;
    // What follows a point modifies: the `red` of `barrier.red` came with it.
    Ptx = Ptx.drop_front(Word.size());
    if (Ptx.consume_front("."))
      Ptx = Ptx.drop_while(IsWord);
    else
      Ptx = Ptx.drop_while([&](char C) { return !IsWord(C) && C != '.'; });
  }
  return false;
}

/// Computes in registers only, as far as the hardware is concerned.
static bool staysInRegisters(const CallBase &Call) {
  if (const auto *Ptx = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return !mayTouchMemory(Ptx->getAsmString());
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (!Intrinsic)
    return false;
  StringRef Name = Intrinsic->getCalledFunction()->getName();
  return any_of(
      ArrayRef<StringRef>{"shfl.", "vote.", "match.", "redux.", "activemask"},
      [&](StringRef Exchange) {
        return Name.starts_with(("llvm.nvvm." + Exchange).str());
      });
}

static void setVolatile(Instruction &I, bool Volatile) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    Load->setVolatile(Volatile);
  else
    cast<StoreInst>(I).setVolatile(Volatile);
}

PreservedAnalyses JoinSharedPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  SmallVector<std::pair<CallBase *, AttributeList>, 16> Calls;
  SmallVector<std::pair<AtomicRMWInst *, AtomicOrdering>, 16> Atomics;
  SmallVector<Instruction *, 64> Others;
  for (Instruction &I : instructions(F)) {
    if (auto *Call = dyn_cast<CallBase>(&I); Call && staysInRegisters(*Call)) {
      Calls.push_back({Call, Call->getAttributes()});
      Call->setMemoryEffects(MemoryEffects::none());
      Call->addFnAttr(Attribute::WillReturn);
      Call->addFnAttr(Attribute::NoUnwind);
    }
    // atomicAdd orders nothing, which clang does not say.
    if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I)) {
      Atomics.push_back({Atomic, Atomic->getOrdering()});
      Atomic->setOrdering(AtomicOrdering::Monotonic);
    }
    // The vectoriser leaves what is volatile alone.
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (Pointer && !I.isVolatile() &&
        Pointer->getType()->getPointerAddressSpace() !=
            NVPTXAS::ADDRESS_SPACE_SHARED) {
      Others.push_back(&I);
      setVolatile(I, true);
    }
  }
  PreservedAnalyses PA = LoadStoreVectorizerPass().run(F, AM);
  for (auto &[Call, Attributes] : Calls)
    Call->setAttributes(Attributes);
  for (auto [Atomic, Ordering] : Atomics)
    Atomic->setOrdering(Ordering);
  for (Instruction *I : Others)
    setVolatile(*I, false);
  return PA;
}

} // namespace warplint
