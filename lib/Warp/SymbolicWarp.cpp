//===- SymbolicWarp.cpp - Run the warps of one block ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Warp/SymbolicWarp.h"
#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

/// Warps of a block that are run one by one; of larger blocks a sample.
static constexpr unsigned MaxWarps = 32;

/// A request an instruction would make.
struct Unmade {
  MemoryOp Op;
  const Value *Pointer;
  Type *Moved;
};

static SmallVector<Unmade, 2> requestsOf(const Instruction &I) {
  if (const auto *L = dyn_cast<LoadInst>(&I))
    return {{MemoryOp::Load, L->getPointerOperand(), L->getType()}};
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return {{MemoryOp::Store, S->getPointerOperand(),
             S->getValueOperand()->getType()}};
  if (const auto *A = dyn_cast<AtomicRMWInst>(&I))
    return {{MemoryOp::Atomic, A->getPointerOperand(), A->getType()}};
  if (const auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    return {{MemoryOp::Atomic, A->getPointerOperand(),
             A->getNewValOperand()->getType()}};
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  StringRef Name = F ? F->getName() : "";
  if (!Name.consume_front("llvm.nvvm."))
    return {};
  Type *Widest = IntegerType::get(I.getContext(), 128);
  if (Name.starts_with("ldg.") || Name.starts_with("ldu."))
    return {{MemoryOp::Load, Call->getArgOperand(0), I.getType()}};
  if (Name.starts_with("ldmatrix."))
    return {{MemoryOp::Load, Call->getArgOperand(0), Widest}};
  if (Name.starts_with("cp.async.c") && Call->arg_size() >= 2)
    return {{MemoryOp::Load, Call->getArgOperand(1), Widest},
            {MemoryOp::Store, Call->getArgOperand(0), Widest}};
  return {};
}

/// The space of a request that was not made; nullopt for none: parameters are
/// operands of other instructions.
static std::optional<MemorySpace> spaceOfUnmade(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (const auto *A = dyn_cast<Argument>(Object); A && A->hasByValAttr())
    return std::nullopt;
  if (isa<AllocaInst>(Object))
    return MemorySpace::Local;
  for (const Value *V : {Pointer, Object})
    switch (V->getType()->isPointerTy() ? V->getType()->getPointerAddressSpace()
                                        : 0) {
    case 1:
      return MemorySpace::Global;
    case 3:
      return MemorySpace::Shared;
    case 4:
      return MemorySpace::Constant;
    }
  return MemorySpace::Generic;
}

/// The memory instructions of \p F that are none of \p Accesses, in the spaces
/// that \p Which says yes to.
static std::vector<Access> unreached(const Function &F,
                                     const WarpOptions &Options,
                                     ArrayRef<Access> Accesses,
                                     function_ref<bool(MemorySpace)> Which) {
  auto KeyOf = [](const Access &A) {
    std::string Key;
    raw_string_ostream OS(Key);
    OS << opName(A.Op);
    auto Add = [&](const SourcePlace &P) {
      OS << '\n' << P.File << ':' << P.Line << ':' << P.Column;
    };
    Add(A.Instruction);
    for_each(A.InlinedAt, Add);
    return Key;
  };
  StringSet<> Seen;
  for (const Access &A : Accesses)
    Seen.insert(KeyOf(A));
  std::vector<Access> All;
  for (const Instruction &I : instructions(F))
    for (const Unmade &R : requestsOf(I)) {
      std::optional<MemorySpace> Space = spaceOfUnmade(R.Pointer);
      if (!Space || !Which(*Space))
        continue;
      Access A;
      A.Op = R.Op;
      A.Space = *Space;
      setPlaces(A, I, Options.IsUserFile);
      if (!Seen.insert(KeyOf(A)).second)
        continue;
      A.Bytes = F.getDataLayout().getTypeStoreSize(R.Moved).getFixedValue();
      const Value *Object = getUnderlyingObject(R.Pointer, /*MaxLookup=*/0);
      if (const auto *Global = dyn_cast<GlobalVariable>(Object))
        A.ObjectMangled = Global->getName().str();
      All.push_back(std::move(A));
    }
  return All;
}

/// Accesses that a run which was cut short did not come to: they must not look
/// fine.
static void addUnreached(const Function &F, const WarpOptions &Options,
                         std::vector<Access> &Accesses) {
  for (Access &A :
       unreached(F, Options, Accesses, [](MemorySpace) { return true; })) {
    A.Reason = UnknownReason::BudgetExceeded;
    A.ReasonDetail = "the run was cut short before it came here";
    A.Predicted = {1, 1, double(WarpLanes)};
    A.Ideal = A.Fewest = 1;
    A.ObjectMangled.clear();
    Accesses.push_back(std::move(A));
  }
}

/// Makes facts of guesses; false: there are none.
static bool believeGuesses(std::vector<ArgumentFact> &Arguments) {
  bool Any = false;
  auto Believe = [&](ArgumentFact &F) {
    if (!F.Guess)
      return;
    F.K = ArgumentFact::Integer;
    F.Value = *F.Guess;
    F.Guess.reset();
    Any = true;
  };
  for (ArgumentFact &F : Arguments) {
    Believe(F);
    for (auto &[At, Field] : F.Fields)
      Believe(Field);
  }
  return Any;
}

/// \p Likely: \p A as it is when the guesses at arguments are right.
static void guessBy(const Access &Likely, Access &A) {
  const double Mean = Likely.Predicted.Mean;
  if (A.Exact) {
    // What it takes for granted (a row of whole sectors) must not be what the
    // host's own value denies.
    bool Denied = Likely.Exact && Likely.Active == A.Active &&
                  Likely.ActiveLanes == A.ActiveLanes &&
                  (Mean < A.Predicted.Min || Mean > A.Predicted.Max);
    if (!Denied)
      return;
    A.Exact = false;
    A.Reason = UnknownReason::SymbolicStride;
    A.ReasonDetail = "an argument that varies may have other values";
  }
  A.Predicted.Mean = Mean;
  A.Predicted.Min = std::min(A.Predicted.Min, Likely.Predicted.Min);
  A.Predicted.Max = std::max(A.Predicted.Max, Likely.Predicted.Max);
  A.Ideal = Likely.Ideal;
  A.Fewest = Likely.Fewest;
  A.ActiveLanes = Likely.ActiveLanes;
  A.Weight = Likely.Weight;
  A.Offsets = Likely.Offsets;
  A.Active = Likely.Active;
  A.Typical = Likely.Typical;
}

static WarpResult runOnce(const KernelShape &Shape, Function &Kernel,
                          const LaunchConfig &Config,
                          const MachineModel &Machine,
                          const WarpOptions &Options, LoopSizes &Sizes,
                          std::vector<Recorder::Key> &Keys) {
  WarpResult Result;
  // The trace of a run that starts over must not be printed.
  std::string Trace;
  raw_string_ostream TraceStream(Trace);
  WarpOptions Mine = Options;
  if (Options.Trace)
    Mine.Trace = &TraceStream;
  Recorder Out(Config, Mine);

  double Warps = 1;
  WarpRun Symbolic(Shape, Config, Machine, Mine, Out, std::nullopt,
                   {Options.StepBudget, Options.WorkBudget}, Sizes);
  Symbolic.run();
  Result.Work = Symbolic.work();
  Result.Instructions = Symbolic.instructions();
  Result.Incomplete = Symbolic.incomplete();
  if (!Result.Incomplete.empty())
    Out.doubt([&](const Instruction &I) {
      return Symbolic.sawPartOf(I.getParent());
    });
  if (Symbolic.needsEachWarp()) {
    Out.clear();
    Trace.clear();
    Result.Incomplete.clear();
    uint64_t Threads =
        uint64_t(Config.Block[0]) * Config.Block[1] * Config.Block[2];
    unsigned All = unsigned((Threads + WarpLanes - 1) / WarpLanes);
    unsigned Count = std::min(All, MaxWarps);
    Warps = 0;
    Result.Instructions = 0;
    for (unsigned I = 0; I < Count && Result.Incomplete.empty(); ++I) {
      // What one warp leaves over the others may use.
      uint64_t Left =
          Options.WorkBudget - std::min(Options.WorkBudget, Result.Work);
      WarpRun One(Shape, Config, Machine, Mine, Out, I * All / Count,
                  {std::max<uint64_t>(Options.StepBudget / Count, 20000), Left},
                  Sizes);
      One.run();
      Result.Work += One.work();
      Warps += 1;
      Result.Instructions += One.instructions();
      Result.Incomplete = One.incomplete();
    }
    // A mean over some of the warps is not the block's.
    if (!Result.Incomplete.empty())
      Out.doubt([](const Instruction &) { return true; });
  }
  if (Warps > 1)
    Result.Instructions /= Warps;
  Keys = Out.keys(Kernel);
  Result.Accesses = Out.take(Kernel, Warps);
  if (Options.KeepReach)
    for (Access &A :
         unreached(Kernel, Options, Result.Accesses, [](MemorySpace Space) {
           return Space == MemorySpace::Shared;
         }))
      Result.Unreached.push_back({A.Place, std::move(A.ObjectMangled)});
  if (!Result.Incomplete.empty()) {
    addUnreached(Kernel, Options, Result.Accesses);
    size_t Without = count_if(Result.Accesses, [](const Access &A) {
      return A.Reason == UnknownReason::BudgetExceeded;
    });
    Result.Incomplete += formatv(", which leaves {0} of its {1} accesses "
                                 "without a number; a larger --budget goes on",
                                 Without, Result.Accesses.size());
  }
  if (Options.Trace)
    *Options.Trace << Trace;
  return Result;
}

namespace {
/// The kernel run again under guesses, which make no number exact.
struct GuessedRun {
  std::vector<Recorder::Key> Keys;
  std::vector<Access> Accesses;

  /// What the run says of the accesses of \p Result, which \p Keys are of and
  /// \p Which says yes to.
  void apply(WarpResult &Result, ArrayRef<Recorder::Key> ResultKeys,
             function_ref<bool(size_t)> Which) const {
    DenseMap<Recorder::Key, size_t> At;
    for (size_t I = 0; I < Keys.size(); ++I)
      At[Keys[I]] = I;
    for (size_t I = 0; I < ResultKeys.size(); ++I)
      if (auto Found = At.find(ResultKeys[I]); Found != At.end() && Which(I))
        guessBy(Accesses[Found->second], Result.Accesses[I]);
  }
};
} // namespace

WarpResult runKernel(Function &Kernel, const LaunchConfig &Config,
                     const MachineModel &Machine, const WarpOptions &Options) {
  KernelShape Shape(Kernel);
  std::vector<Recorder::Key> Keys;
  LoopSizes Sizes;
  WarpResult Result =
      runOnce(Shape, Kernel, Config, Machine, Options, Sizes, Keys);
  if (!Result.Incomplete.empty())
    return Result;
  auto RunAgain = [&](const LaunchConfig &Likely,
                      LoopSizes &Taken) -> std::optional<GuessedRun> {
    WarpOptions Rest = Options;
    Rest.Trace = nullptr;
    Rest.WorkBudget -= std::min(Rest.WorkBudget, Result.Work);
    GuessedRun Run;
    WarpResult Guess =
        runOnce(Shape, Kernel, Likely, Machine, Rest, Taken, Run.Keys);
    Result.Work += Guess.Work;
    if (!Guess.Incomplete.empty())
      return std::nullopt;
    Run.Accesses = std::move(Guess.Accesses);
    return Run;
  };
  // What the kernel does with the values that arguments have at first...
  LaunchConfig Likely = Config;
  if (believeGuesses(Likely.Arguments)) {
    Sizes = LoopSizes();
    if (auto Run = RunAgain(Likely, Sizes))
      Run->apply(Result, Keys, [](size_t) { return true; });
  }
  // ... and what trees of a size that is still open then do.
  if (!Sizes.Open.empty()) {
    const int64_t Size = LoopSizes::typical(uint64_t(Config.Block[0]) *
                                            Config.Block[1] * Config.Block[2]);
    LoopSizes Guess = Sizes.guess(Size);
    auto InTree = [&](size_t I) {
      return !Result.Accesses[I].Exact && Sizes.covers(*Keys[I].first);
    };
    if (auto Run = RunAgain(Likely, Guess)) {
      Run->apply(Result, Keys, InTree);
      for (size_t I = 0; I < Keys.size(); ++I)
        if (InTree(I))
          Result.Accesses[I].ReasonDetail =
              formatv("how often the loop runs is not known here; the guess "
                      "is for {0} elements",
                      Size);
    }
  }
  return Result;
}

} // namespace warplint
