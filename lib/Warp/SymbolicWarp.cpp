//===- SymbolicWarp.cpp - Run the warps of one block ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Warp/SymbolicWarp.h"
#include "WarpRun.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace warplint {

/// Warps of a block that are run one by one; of larger blocks a sample.
static constexpr unsigned MaxWarps = 32;

/// Accesses that the run did not come to: they must not look fine.
static void addUnreached(const Function &F, const WarpOptions &Options,
                         std::vector<Access> &Accesses) {
  auto Seen = [&](const Access &New) {
    return any_of(Accesses, [&](const Access &A) {
      return A.Instruction == New.Instruction && A.Op == New.Op &&
             A.InlinedAt == New.InlinedAt;
    });
  };
  for (const Instruction &I : instructions(F)) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    Access A;
    A.Op = isa<StoreInst>(I) ? MemoryOp::Store : MemoryOp::Load;
    if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
      Pointer = RMW->getPointerOperand();
      A.Op = MemoryOp::Atomic;
    }
    if (!Pointer)
      continue;
    switch (Pointer->getType()->getPointerAddressSpace()) {
    case 1:
      A.Space = MemorySpace::Global;
      break;
    case 3:
      A.Space = MemorySpace::Shared;
      break;
    default:
      A.Space = MemorySpace::Generic;
    }
    setPlaces(A, I, Options.IsUserFile);
    if (Seen(A))
      continue;
    Type *T = isa<StoreInst>(I) ? I.getOperand(0)->getType() : I.getType();
    A.Bytes = F.getDataLayout().getTypeStoreSize(T).getFixedValue();
    A.Reason = UnknownReason::BudgetExceeded;
    A.ReasonDetail = "the run was cut short before it came here";
    A.Predicted = {1, 1, double(WarpLanes)};
    A.Ideal = 1;
    Accesses.push_back(std::move(A));
  }
}

WarpResult runKernel(Function &Kernel, const LaunchConfig &Config,
                     const MachineModel &Machine, const WarpOptions &Options) {
  WarpResult Result;
  KernelShape Shape(Kernel);
  // The trace of a run that starts over must not be printed.
  std::string Trace;
  raw_string_ostream TraceStream(Trace);
  WarpOptions Mine = Options;
  if (Options.Trace)
    Mine.Trace = &TraceStream;
  Recorder Out(Config, Mine);

  double Warps = 1;
  WarpRun Symbolic(Shape, Config, Machine, Mine, Out, std::nullopt,
                   Options.StepBudget);
  Symbolic.run();
  Result.Incomplete = Symbolic.incomplete();
  if (Symbolic.needsEachWarp()) {
    Out.clear();
    Trace.clear();
    Result.Incomplete.clear();
    uint64_t Threads =
        uint64_t(Config.Block[0]) * Config.Block[1] * Config.Block[2];
    unsigned All = unsigned((Threads + WarpLanes - 1) / WarpLanes);
    unsigned Count = std::min(All, MaxWarps);
    Warps = 0;
    for (unsigned I = 0; I < Count; ++I) {
      WarpRun One(Shape, Config, Machine, Mine, Out, I * All / Count,
                  std::max<uint64_t>(Options.StepBudget / Count, 20000));
      One.run();
      Warps += 1;
      if (!One.incomplete().empty())
        Result.Incomplete = One.incomplete();
    }
  }
  Result.Accesses = Out.take(Kernel, Warps);
  if (!Result.Incomplete.empty())
    addUnreached(Kernel, Options, Result.Accesses);
  if (Options.Trace)
    *Options.Trace << Trace;
  return Result;
}

} // namespace warplint
