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
/// nor do atomics elsewhere; global words they do part.
///
/// What ptxas does not ask is whether two shared accesses can meet: loads are
/// joined while no shared store or atomic stands between them, stores while
/// nothing shared does that is not their neighbour. (With an alignment that the
/// program declares LLVM has joined them before, across what is elsewhere.)
/// Seen in nvcc 13.0's code for sm_90.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ValueHandle.h"
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

/// How far from the stores before it a store may lie to be their neighbour.
static constexpr int64_t WidestGap = 8;

/// Puts fences where ptxas stops joining.
static void fenceRuns(BasicBlock &BB, SmallVectorImpl<Instruction *> &Fences) {
  enum { Nothing, Loads, Stores, Atomics } Run = Nothing;
  const DataLayout &DL = BB.getDataLayout();
  const Value *Base = nullptr; // of the run of stores
  int64_t Lo = 0, Hi = 0;
  for (Instruction &I : BB) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    const bool Atomic = isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
    if (Atomic)
      Pointer = I.getOperand(0);
    if (!Pointer || Pointer->getType()->getPointerAddressSpace() !=
                        NVPTXAS::ADDRESS_SPACE_SHARED)
      continue;
    const auto Was = Run;
    Run = Atomic ? Atomics : isa<LoadInst>(I) ? Loads : Stores;
    bool Ends = Was != Nothing && (Run != Was || Run == Atomics);
    if (Run == Stores) {
      int64_t At = 0;
      const Value *Here = GetPointerBaseWithConstantOffset(Pointer, At, DL);
      const int64_t End =
          At + int64_t(DL.getTypeStoreSize(getLoadStoreType(&I)));
      Ends |= Was == Stores &&
              (Here != Base || At > Hi + WidestGap || End < Lo - WidestGap);
      Lo = Ends || Was != Stores ? At : std::min(Lo, At);
      Hi = Ends || Was != Stores ? End : std::max(Hi, End);
      Base = Here;
    }
    if (Ends)
      Fences.push_back(new FenceInst(BB.getContext(),
                                     AtomicOrdering::SequentiallyConsistent,
                                     SyncScope::SingleThread, I.getIterator()));
  }
}

PreservedAnalyses JoinSharedPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  SmallVector<std::pair<CallBase *, AttributeList>, 16> Calls;
  SmallVector<std::pair<AtomicRMWInst *, AtomicOrdering>, 16> Atomics;
  SmallVector<std::pair<WeakVH, Align>, 64> Others;
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
    // The vectoriser leaves alone what is not aligned. (What is volatile too,
    // but that would part shared words.)
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (Pointer && Pointer->getType()->getPointerAddressSpace() !=
                       NVPTXAS::ADDRESS_SPACE_SHARED) {
      Others.push_back({&I, getLoadStoreAlignment(&I)});
      setLoadStoreAlignment(I, Align(1));
    }
  }
  alignSharedAccesses(F, AM.getResult<ScalarEvolutionAnalysis>(F));
  SmallVector<Instruction *, 16> Fences;
  for (BasicBlock &BB : F)
    fenceRuns(BB, Fences);
  PreservedAnalyses PA = LoadStoreVectorizerPass().run(F, AM);
  for (Instruction *Fence : Fences)
    Fence->eraseFromParent();
  for (auto &[Call, Attributes] : Calls)
    Call->setAttributes(Attributes);
  for (auto [Atomic, Ordering] : Atomics)
    Atomic->setOrdering(Ordering);
  for (const auto &[Other, Alignment] : Others)
    if (auto *I = dyn_cast_or_null<Instruction>(Other))
      setLoadStoreAlignment(*I, Alignment);
  return PA;
}

} // namespace warplint
