//===- Setup.cpp - What a warp knows when it starts ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warplint {

KernelShape::KernelShape(Function &F) : F(F), DT(F), LI(DT), Slice(F) {
  ReversePostOrderTraversal<Function *> RPO(&F);
  for (const BasicBlock *B : RPO) {
    Order[B] = Blocks.size();
    Blocks.push_back(B);
    bool Touches = false;
    for (const Instruction &I : *B)
      Touches |= !I.isDebugOrPseudoInst() && I.mayReadOrWriteMemory() &&
                 !isa<AssumeInst>(I) && !I.isLifetimeStartOrEnd();
    if (Touches)
      Touching.push_back(B);
  }
  for (const BasicBlock *B : Blocks)
    if (!B->getUniquePredecessor() && !LI.isLoopHeader(B))
      if (const BasicBlock *Opener = openerOf(B))
        OpenedBy[B] = Opener;
}

bool KernelShape::dies(const BasicBlock *B) const {
  // As far as one block leads to the next.
  for (unsigned I = 0; B && I < 8; ++I, B = B->getSingleSuccessor())
    if (isa<UnreachableInst>(B->getTerminator()))
      return true;
  return false;
}

/// The immediate dominator, if all that leave it alive come to \p B. A loop in
/// between is left as a whole: then it is what dominates the loop.
const BasicBlock *KernelShape::openerOf(const BasicBlock *B) const {
  const DomTreeNode *Node = DT.getNode(B);
  if (!Node || !Node->getIDom())
    return nullptr;
  const BasicBlock *Opener = Node->getIDom()->getBlock();
  for (const Loop *L = LI.getLoopFor(Opener); L && !L->contains(B);
       L = LI.getLoopFor(Opener)) {
    Node = DT.getNode(L->getHeader())->getIDom();
    if (!Node)
      return nullptr;
    Opener = Node->getBlock();
  }
  SmallPtrSet<const BasicBlock *, 32> Seen = {B};
  SmallVector<const BasicBlock *, 16> Work = {Opener};
  while (!Work.empty()) {
    const BasicBlock *Next = Work.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    if (isa<ReturnInst>(Next->getTerminator()))
      return nullptr;
    // Round the loop: the next iteration comes to B, this one did not.
    const Loop *L = LI.getLoopFor(B);
    for (const BasicBlock *S : successors(Next)) {
      if (L && S == L->getHeader())
        return nullptr;
      Work.push_back(S);
    }
  }
  return Opener;
}

bool KernelShape::hasAccesses(const BasicBlock *From,
                              const BasicBlock *To) const {
  auto [At, New] = AccessesBeyond.try_emplace({From, To}, false);
  if (New) {
    BasicBlockEdge Edge(From, To);
    At->second = any_of(
        Touching, [&](const BasicBlock *B) { return DT.dominates(Edge, B); });
  }
  return At->second;
}

WarpRun::WarpRun(const KernelShape &Shape, const LaunchConfig &Config,
                 const MachineModel &Machine, const WarpOptions &Options,
                 Recorder &Out, std::optional<unsigned> Warp, RunBudget Budget,
                 LoopSizes &Sizes)
    : Shape(Shape), Config(Config), Machine(Machine), Options(Options),
      Out(Out), Warp(Warp), Budget(Budget), Sizes(Sizes) {
  Symbol U;
  U.Name = "float";
  U.Origin = SymbolOrigin::Float;
  FloatUniform = D.fresh(U);
  U.Varying = true;
  FloatVarying = D.fresh(U);
  U.Name = "not followed";
  U.Origin = SymbolOrigin::Call;
  Ignored = LaneInt::symbol(D.fresh(U));
  setUpThread();
  setUpArguments();
}

/// Counts from 0 to \p Count - 1; \p Count <= 0: without a known end.
LaneInt WarpRun::counter(StringRef Name, SymbolOrigin O, int64_t Count) {
  if (Count == 1)
    return LaneInt();
  Symbol S;
  S.Name = Name.str();
  S.Origin = O;
  S.Lo = 0;
  S.Hi = Count > 0 ? Count - 1 : INT32_MAX;
  SymbolId Id = D.fresh(std::move(S));
  if (Count > 0)
    Positions.push_back({Id, Count});
  return LaneInt::symbol(Id);
}

void WarpRun::setUpThread() {
  const auto [X, Y, Z] = Config.Block;
  const int64_t Threads = int64_t(X) * Y * Z;
  const int64_t Warps = (Threads + WarpLanes - 1) / WarpLanes;
  Lanes Lane;
  for (unsigned L = 0; L < WarpLanes; ++L)
    Lane[L] = L;

  if (!Warp && Warps == 1)
    Warp = 0;
  if (!Warp && X % WarpLanes == 0) {
    LaneInt WX = counter("warp.x", SymbolOrigin::WarpIndex, X / WarpLanes);
    ThreadIdx[0] = D.add(LaneInt(Lane), D.scale(WX, WarpLanes));
    ThreadIdx[1] = counter("warp.y", SymbolOrigin::WarpIndex, Y);
    ThreadIdx[2] = counter("warp.z", SymbolOrigin::WarpIndex, Z);
  } else if (!Warp && WarpLanes % X == 0 && int64_t(X) * Y % WarpLanes == 0) {
    const unsigned Rows = WarpLanes / X;
    Lanes Column, Row;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      Column[L] = L % X;
      Row[L] = L / X;
    }
    LaneInt WY = counter("warp.y", SymbolOrigin::WarpIndex, Y / Rows);
    ThreadIdx[0] = LaneInt(Column);
    ThreadIdx[1] = D.add(LaneInt(Row), D.scale(WY, Rows));
    ThreadIdx[2] = counter("warp.z", SymbolOrigin::WarpIndex, Z);
  } else if (Warp) {
    Lanes T[3];
    Present = 0;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      int64_t Linear = int64_t(*Warp) * WarpLanes + L;
      if (Linear < Threads)
        Present |= LaneMask(1) << L;
      T[0][L] = Linear % X;
      T[1][L] = Linear / X % Y;
      T[2][L] = Linear / (int64_t(X) * Y);
    }
    for (unsigned I = 0; I < 3; ++I)
      ThreadIdx[I] = LaneInt(T[I]);
  } else {
    EachWarp = true; // rows of the block do not fall on lanes evenly
  }
  LinearThread =
      D.add(ThreadIdx[0], D.add(D.scale(ThreadIdx[1], X),
                                D.scale(ThreadIdx[2], int64_t(X) * Y)));

  static const char *const Axis[] = {"x", "y", "z"};
  for (unsigned I = 0; I < 3; ++I) {
    std::optional<uint32_t> Extent = Config.GridExtent[I];
    if (Config.Grid)
      Extent = (*Config.Grid)[I];
    BlockDim[I] = LaneInt::constant(Config.Block[I]);
    BlockIdx[I] = counter(std::string("blockIdx.") + Axis[I],
                          SymbolOrigin::BlockIndex, Extent ? *Extent : 0);
    if (Extent) {
      GridDim[I] = LaneInt::constant(*Extent);
    } else {
      Symbol S;
      S.Name = std::string("gridDim.") + Axis[I];
      S.Origin = SymbolOrigin::Launch;
      S.Lo = 1;
      S.Hi = INT32_MAX;
      GridDim[I] = LaneInt::symbol(D.fresh(std::move(S)));
    }
  }
}

LaneInt WarpRun::unknownArgument(StringRef Name, unsigned Bits,
                                 const ArgumentFact &Fact) {
  const int64_t Divisor = std::max<int64_t>(Fact.Align, 1);
  LaneInt A = unknown(SymbolOrigin::Argument, Name, false, Bits, Divisor);
  const Interval Range = D.range(A);
  auto Fits = [&](int64_t V) { return Range.Lo <= V && V <= Range.Hi; };
  if (Fact.Values.empty() || !all_of(Fact.Values, Fits))
    return A;
  Symbol S;
  S.Name = Name.str();
  S.Origin = SymbolOrigin::Argument;
  S.Lo = Fact.Values.front();
  S.Hi = Fact.Values.back();
  S.Divisor = Divisor;
  S.Values = Fact.Values;
  return LaneInt::symbol(D.fresh(std::move(S)));
}

void WarpRun::setUpArguments() {
  for (const Argument &A : Shape.F.args()) {
    unsigned No = A.getArgNo();
    ArgumentFact Fact;
    if (No < Config.Arguments.size())
      Fact = Config.Arguments[No];
    std::string Name =
        A.hasName() ? A.getName().str() : "arg" + std::to_string(No);
    Type *T = A.getType();
    if (T->isPointerTy()) {
      MemoryObject O;
      O.Name = Name;
      O.Parameter = No;
      if (A.hasByValAttr()) {
        O.Space = MemorySpace::Constant;
        O.IsParameterMemory = true;
        O.Align = 16;
        Registers[&A] = {LaneInt::symbol(Objects.create(std::move(O)))};
        continue;
      }
      O.Space = MemorySpace::Global;
      O.Align = Fact.Align ? Fact.Align : Machine.allocationAlignment();
      if (!Fact.Align)
        O.Assumption = Name + " is aligned to " + std::to_string(O.Align) +
                       " bytes, " + Machine.allocationAlignmentSource().str();
      if (MaybeAlign Promised = A.getParamAlign())
        O.Align = std::max<uint64_t>(O.Align, Promised->value());
      LaneInt P = LaneInt::symbol(Objects.create(std::move(O)));
      if (Fact.K == ArgumentFact::Pointer)
        P = D.add(P, LaneInt::constant(Fact.Value));
      Registers[&A] = {P};
      continue;
    }
    if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64) {
      unsigned Bits = T->getIntegerBitWidth();
      if (Fact.K == ArgumentFact::Integer) {
        // Truth values are 0 and 1, not 0 and -1.
        Registers[&A] = {Bits == 1
                             ? LaneInt::constant(Fact.Value != 0)
                             : D.wrap(LaneInt::constant(Fact.Value), Bits)};
        continue;
      }
      if (auto Taken = Sizes.taken({&A, 0})) {
        Registers[&A] = {D.wrap(LaneInt::constant(*Taken), Bits)};
        continue;
      }
      Registers[&A] = {unknownArgument(Name, Bits, Fact)};
      noteSize(Registers[&A][0], {&A, 0});
      continue;
    }
    Registers[&A] = unknownOf(T, SymbolOrigin::Argument, Name, false);
  }
}

void WarpRun::run() {
  if (stopped())
    return;
  RegionContext Function;
  Arrival Start;
  Start.F.Lanes = Present;
  Function.Work[0].push_back(std::move(Start));
  runRegion(Function);
}

} // namespace warplint
