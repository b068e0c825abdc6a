//===- WarpRun.h - One warp executing one kernel -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// The state of a run and its parts, one file each:
///   Blocks.cpp      blocks in order, branches, lanes meeting again
///   Loops.cpp       loops run through or summarised
///   Recurrences.cpp what a loop does to its variables, and how often it runs
///   LoopSizes.cpp   sizes that a tree's loop hangs on
///   Values.cpp      instructions that compute
///   Memory.cpp      loads, stores, atomics, copies
///   Intrinsics.cpp  special registers, shuffles, votes, assumptions
///   CopyIntrinsics.cpp  built-ins that move memory
///   InlinePtx.cpp   the few inline PTX instructions that are understood
///   Recorder.cpp    requests into Access records
///   ValueSlice.cpp  which values are computed at all
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_WARP_WARPRUN_H
#define WARPLINT_LIB_WARP_WARPRUN_H

#include "Flow.h"
#include "LocalMemory.h"
#include "LoopSizes.h"
#include "MemoryObjects.h"
#include "Recorder.h"
#include "ValueSlice.h"
#include "warplint/Warp/SymbolicWarp.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <map>

namespace warplint {

/// What does not change between the warps of a kernel configuration.
struct KernelShape {
  explicit KernelShape(llvm::Function &F);
  llvm::Function &F;
  llvm::DominatorTree DT;
  llvm::LoopInfo LI;
  ValueSlice Slice;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Order; ///< reverse post
  std::vector<const llvm::BasicBlock *> Blocks;             ///< in that order
  /// Memory is accessed in blocks that only the edge From -> To leads to.
  bool hasAccesses(const llvm::BasicBlock *From,
                   const llvm::BasicBlock *To) const;
  /// Ends in `unreachable` (a failed assert, a trap): no lane goes on.
  bool dies(const llvm::BasicBlock *B) const;
  /// For a block where paths meet: the block from which every lane that lives
  /// comes to it, in the same iteration of the loops around both; or null.
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> OpenedBy;

private:
  std::vector<const llvm::BasicBlock *> Touching; ///< blocks that use memory
  mutable llvm::DenseMap<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, bool>
      AccessesBeyond;
  const llvm::BasicBlock *openerOf(const llvm::BasicBlock *B) const;
};

/// What one warp may use up.
struct RunBudget {
  uint64_t Steps; ///< then loops are summarised
  uint64_t Work;  ///< then the run is cut short
};

class WarpRun {
public:
  /// \p Warp: index in the block, or nullopt for a symbolic one. \p Sizes:
  /// what is taken for some sizes; the run adds those it finds open.
  WarpRun(const KernelShape &Shape, const LaunchConfig &Config,
          const MachineModel &Machine, const WarpOptions &Options,
          Recorder &Out, std::optional<unsigned> Warp, RunBudget Budget,
          LoopSizes &Sizes);

  void run();

  /// A decision hung on which warp this is: every warp must run by itself.
  bool needsEachWarp() const { return EachWarp; }
  const std::string &incomplete() const { return Stopped; }
  uint64_t work() const { return D.work(); }
  /// Instructions of IR that the warp executes, those of summarised loops as
  /// often as they run.
  double instructions() const { return Issued; }
  /// Of a run that was cut short: the blocks of which not every execution was
  /// seen before.
  bool sawPartOf(const llvm::BasicBlock *B) const {
    return Unfinished && Unfinished->contains(B);
  }

private:
  const KernelShape &Shape;
  const LaunchConfig &Config;
  const MachineModel &Machine;
  const WarpOptions &Options;
  Recorder &Out;
  std::optional<unsigned> Warp;
  RunBudget Budget;
  LoopSizes &Sizes;

  LaneDomain D;
  MemoryObjects Objects{D};
  Conditions Conds{D};
  LocalMemory Locals;
  llvm::DenseMap<const llvm::Value *, Parts> Registers;
  llvm::DenseMap<const llvm::Value *, SymbolId> GlobalObjects;
  std::map<std::pair<unsigned, uint64_t>, LaneInt> ParameterFields;
  llvm::DenseMap<SymbolId, SizeSource> SizeSources;
  SymbolId FloatUniform, FloatVarying;
  LaneInt Ignored; ///< of every value that is not in the slice
  std::array<LaneInt, 3> ThreadIdx, BlockIdx, BlockDim, GridDim;
  LaneInt LinearThread;
  LaneMask Present = AllLanes; ///< lanes that exist in this warp

  /// The indices of warp and block, with the number of their values.
  llvm::SmallVector<std::pair<SymbolId, int64_t>, 6> Positions;

  uint64_t Steps = 0;
  double Issued = 0;
  unsigned Dry = 0;  ///< > 0: nothing is recorded
  double Weight = 1; ///< times a summarised loop around runs, multiplied
  const llvm::Loop *Unfinished = nullptr; ///< outermost one being run through
  bool EachWarp = false;
  std::string Stopped;
  /// Of the loop that an update of shared memory is.
  struct {
    unsigned Round = 0;
    bool Known = true; ///< which lanes take part in it
  } Spin;
  Flow Now; ///< of the block being executed
  /// ... and of each block when it was last entered.
  llvm::DenseMap<const llvm::BasicBlock *, Flow> FlowAt;
  unsigned Fresh = 0;

  bool stopped() const { return EachWarp || !Stopped.empty(); }
  /// The work budget has run out: the run is cut short.
  bool outOfWork();

  // Setup.cpp
  void setUpThread();
  void setUpArguments();
  LaneInt counter(llvm::StringRef Name, SymbolOrigin O, int64_t Count);

  // Blocks.cpp
  using Pending = std::map<unsigned, llvm::SmallVector<Arrival, 2>>;
  using Exits =
      llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<Arrival, 2>>;
  /// Conditions of the branches that leave the loop being dry-run.
  struct ExitTest {
    LaneInt Cond;  ///< truth value
    bool LeavesOn; ///< the loop is left when Cond is this
    bool AtHeader;
  };
  struct RegionContext {
    const llvm::Loop *L = nullptr; ///< null: the function
    bool Summary = false;          ///< body stands for all iterations
    std::vector<ExitTest> *Tests = nullptr;
    Pending Work;
    Exits Leaving;
    llvm::SmallVector<Arrival, 2> Latches;
  };
  void runRegion(RegionContext &R);
  Arrival merge(const llvm::BasicBlock *B, llvm::ArrayRef<Arrival> From);
  struct Choice {
    LaneMask Overlap; ///< lanes that are among those before, too
    bool TakeNew, TakeOld;
    LaneInt Selector; ///< else: 1 where the new value holds
    llvm::SmallVector<SymbolId, 4> Assumed; ///< by taking one of them
  };
  std::vector<Choice> choose(llvm::ArrayRef<Arrival> From, const Guard &Common);
  void enter(const llvm::BasicBlock *B, const Arrival &A);
  void deliver(RegionContext &R, const llvm::BasicBlock *From,
               const llvm::BasicBlock *To, Flow F);
  void route(RegionContext &R, const llvm::BasicBlock *To, Arrival A);
  void executeBlock(const llvm::BasicBlock *B);
  void terminate(RegionContext &R, const llvm::BasicBlock *B);
  void branchOn(RegionContext &R, const llvm::BasicBlock *B,
                const LaneInt &Cond, const llvm::BasicBlock *True,
                const llvm::BasicBlock *False);
  bool restsOnData(const LaneInt &A) const;
  bool restsOnPosition(const LaneInt &A) const;
  void settleByShape(const llvm::BasicBlock *B, Literal L, const LaneInt &Cond,
                     const llvm::BasicBlock *True,
                     const llvm::BasicBlock *False);
  void noteUndecided(const LaneInt &Cond, LaneMask Lanes);
  void noteWarpDependence(const LaneInt &A);

  // Loops.cpp
  struct Recurrence {
    enum Kind { Invariant, Affine, Geometric, Unknown, Ignored } K = Unknown;
    LaneInt Start;
    LaneInt Step;         ///< Affine
    int64_t Ratio = 1;    ///< Geometric; negative: divides
    bool Varying = false; ///< Unknown: differs between lanes
    bool Float = false;
    int64_t Divisor = 1; ///< Unknown: of what is added to Start
    SymbolId Delta = 0;  ///< stands for value - Start in the dry run
    bool hasPlaceholder() const { return !Float && K != Ignored; }
  };
  struct LoopPlan {
    std::vector<std::vector<Recurrence>> Phis; ///< by phi, by part
    std::vector<ExitTest> Tests;
    uint64_t BodySteps = 0;
    /// Executions of the body by the slowest lane, when known.
    std::optional<uint64_t> Trips;
    /// ... as a value, when only that is known.
    std::optional<LaneInt> SymbolicTrips;
  };
  void runLoop(RegionContext &Outer, const llvm::Loop *L,
               llvm::ArrayRef<Arrival> Entry);
  void runBody(RegionContext &Body, const Arrival &AtHeader);
  void runThrough(const llvm::Loop *L, Arrival A, const LoopPlan &Plan,
                  Exits &Out);
  void summarise(const llvm::Loop *L, const Arrival &A, const LoopPlan &Plan,
                 Exits &Out);
  bool forEachPlace(
      const LaneInt &Trips, LaneMask In, unsigned Places,
      llvm::function_ref<void(int64_t Least, int64_t Most)> Visit) const;
  int64_t mostTrips(const LaneInt &Trips, LaneMask In) const;
  bool leaveApart(const LaneInt &Trips, LaneMask In) const;
  std::optional<Literal> stillIn(const LoopPlan &Plan, const LaneInt &Iteration,
                                 const Arrival &A);
  void leaveLoop(RegionContext &Outer, const llvm::Loop *L, const Flow &Entry,
                 Exits &Out);

  // Recurrences.cpp
  LoopPlan planLoop(const llvm::Loop *L, const Arrival &A);
  void classify(std::vector<Recurrence> &Rs, const Parts &Last,
                SymbolId FirstNew, LaneMask In);
  void countTrips(LoopPlan &Plan, LaneMask In);
  std::optional<uint64_t> countLinear(LoopPlan &Plan, const ExitTest &Test,
                                      LaneOp Op, const LaneInt &Tested,
                                      bool LeavesOn, LaneMask In);
  std::optional<uint64_t> countByTrying(const LoopPlan &Plan,
                                        const ExitTest &Test, LaneOp Op,
                                        const LaneInt &Tested, bool LeavesOn,
                                        LaneMask In);
  LaneInt valueAt(const Recurrence &R, const LaneInt &Iteration);

  // LoopSizes.cpp
  /// \p Value, one symbol for all lanes, is what \p Source gives.
  void noteSize(const LaneInt &Value, SizeSource Source);
  /// Notes what decides how often \p L runs, when its variable doubles or
  /// halves and the number of its iterations is not known.
  void noteOpenSizes(const llvm::Loop *L, const LoopPlan &Plan);

  // Values.cpp
  Parts &reg(const llvm::Value *V) { return Registers[V]; }
  Parts get(const llvm::Value *V);
  /// The value has an influence on an address or on what is executed.
  bool matters(const llvm::Instruction &I) const {
    return Shape.Slice.needs(I);
  }
  LaneInt scalar(const llvm::Value *V) { return get(V)[0]; }
  Parts constant(const llvm::Constant *C);
  LaneInt addressOf(const llvm::GlobalVariable *G);
  void execute(const llvm::Instruction &I);
  LaneInt binary(const llvm::Instruction &I, const LaneInt &A,
                 const LaneInt &B);
  LaneInt compare(llvm::CmpInst::Predicate P, LaneInt A, LaneInt B,
                  unsigned Bits);
  LaneInt convert(const llvm::Instruction &I, const LaneInt &A,
                  llvm::Type *From, llvm::Type *To);
  LaneInt elementAddress(const llvm::GEPOperator &G);
  /// A number nothing is known of. \p Bits: width, for its range.
  LaneInt unknown(SymbolOrigin O, llvm::StringRef Name, bool Varying,
                  unsigned Bits, int64_t Divisor = 1);
  /// The argument \p Name of \p Bits, an integer of which \p Fact is known.
  LaneInt unknownArgument(llvm::StringRef Name, unsigned Bits,
                          const ArgumentFact &Fact);
  /// The value of type \p T that nothing is known of.
  Parts unknownOf(llvm::Type *T, SymbolOrigin O, llvm::StringRef Name,
                  bool Varying);
  /// The result of an instruction that cannot be followed: data where its
  /// operands are, else what \p Name says.
  Parts unknownResult(const llvm::Instruction &I, llvm::StringRef Name,
                      bool Varying);
  LaneInt floating(bool Varying) const {
    return LaneInt::symbol(Varying ? FloatVarying : FloatUniform);
  }
  bool varies(const llvm::Value *V);

  /// The conditions of a path that were gone through place by place.
  struct PathCases {
    Guard Settled;
    LaneCases Cases;
  };
  /// By what of a path's guard hangs on positions; none: no cases.
  std::map<std::pair<Guard, LaneMask>, std::optional<PathCases>> CasesBySettled;
  std::map<std::pair<Guard, LaneMask>, const PathCases *> Paths; ///< by guard

  // PathCases.cpp
  const PathCases *casesOfPath();

  // Memory.cpp
  void load(const llvm::LoadInst &I);
  void store(const llvm::StoreInst &I);
  void spinUpdate(const llvm::Instruction &I, const LaneInt &Address,
                  unsigned Bytes);
  void atomic(const llvm::Instruction &I, const llvm::Value *Pointer,
              llvm::Type *T);
  bool reducedFirst(const llvm::AtomicRMWInst &I, const LaneInt &Address,
                    unsigned Bytes);
  Parts readMemory(const llvm::Instruction &I, llvm::Type *T,
                   const LaneInt &Address);
  void writeMemory(const llvm::Value *V, const LaneInt &Address);
  /// How many warps and blocks make a request at \p Offset.
  void countAlike(const LaneInt &Offset, Recorder::Request &Q) const;
  /// "i < n in every lane", of the truth value \p S; the text stays.
  llvm::StringRef inEveryLane(SymbolId S, bool Holds);
  std::map<std::pair<SymbolId, bool>, std::string> ConditionTexts;
  void request(const llvm::Instruction &I, unsigned Part,
               const LaneInt &Address, MemoryOp Op, unsigned Bytes,
               unsigned Align, std::optional<MemorySpace> Space,
               unsigned Matrices = 0);
  void requestAligned(const llvm::Instruction &I, const LaneInt &Address,
                      MemoryOp Op, llvm::Type *T, uint64_t Align,
                      std::optional<MemorySpace> Space);
  /// An access whose addresses cannot be followed, so that it is accounted
  /// for.
  void unrequested(const llvm::Instruction &I, const LaneInt &Address,
                   MemoryOp Op, unsigned Bytes, UnknownReason Reason,
                   llvm::StringRef Detail);
  void escape(const llvm::Value *Pointer);
  std::optional<Parts> foldConstantLoad(const MemoryObjects::Resolved &R,
                                        llvm::Type *T);
  Parts parameterField(const MemoryObjects::Resolved &R, llvm::Type *T);

  // Intrinsics.cpp
  void call(const llvm::CallInst &I);
  bool intrinsic(const llvm::CallInst &I, llvm::Intrinsic::ID Id);
  bool specialRegister(const llvm::CallInst &I, llvm::StringRef Name);
  bool warpWide(const llvm::CallInst &I, llvm::StringRef Name);
  void shuffle(const llvm::CallInst &I, llvm::StringRef Mode);
  void assume(const llvm::Value *Cond);
  void assumeAligned(const llvm::Value *Pointer, const LaneInt &P,
                     int64_t Align);

  // CopyIntrinsics.cpp
  bool memoryIntrinsic(const llvm::CallInst &I, llvm::StringRef Name);

  // InlinePtx.cpp
  void inlinePtx(const llvm::CallInst &I);
};

/// What a special register that differs between lanes holds ("laneid",
/// "lanemask_lt"), or nullopt.
std::optional<LaneInt> laneRegister(llvm::StringRef Name);

/// Leaves of a type: 1 for a scalar, elements of a vector, leaves of members.
unsigned partsOf(llvm::Type *T);
/// Index of the first leaf that \p Indices select in an aggregate.
unsigned partIndex(llvm::Type *T, llvm::ArrayRef<unsigned> Indices);

} // namespace warplint

#endif // WARPLINT_LIB_WARP_WARPRUN_H
