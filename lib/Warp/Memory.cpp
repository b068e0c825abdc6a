//===- Memory.cpp - Loads, stores, atomics -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "warplint/Driver/DeviceModule.h"
#include "warplint/Driver/SourceNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace warplint {

static std::optional<MemorySpace> spaceOf(const Type *Pointer) {
  switch (Pointer->getPointerAddressSpace()) {
  case 1:
    return MemorySpace::Global;
  case 3:
  case 7: // of the cluster
    return MemorySpace::Shared;
  case 4:
  case 101: // kernel parameters
    return MemorySpace::Constant;
  case 5:
    return MemorySpace::Local;
  default:
    return std::nullopt;
  }
}

/// "256*blockIdx.x + lane <= n - 1", out of the truth value's definition.
static std::string conditionText(const LaneDomain &D, SymbolId S, bool Holds) {
  const Symbol &Sym = D[S];
  if (Sym.Op != LaneOp::IsGE0 && Sym.Op != LaneOp::IsEQ0)
    return Sym.Name.empty() ? "a condition" : Sym.Name;
  LaneInt A = Sym.Operands[0];
  if (Sym.Op == LaneOp::IsGE0 && !Holds)
    A = D.sub(LaneInt::constant(-1), A);
  // n - i - 1 >= 0 reads i < n.
  bool Strict = Sym.Op == LaneOp::IsGE0 &&
                A.constant().all([](int64_t C) { return C < 0; });
  if (Strict)
    A = D.add(A, LaneInt::constant(1));
  LaneInt Left, Right;
  for (const Term &T : A.terms()) {
    bool Negative = T.K.any([](int64_t K) { return K < 0; });
    LaneInt One(Lanes(), {T});
    (Negative ? Left : Right) = Negative ? D.sub(Left, One) : D.add(Right, One);
  }
  // The constant: what all lanes have, and what grows or falls with the lane.
  int64_t All = A.constant()[0];
  LaneInt OfLane = D.sub(LaneInt(A.constant()), LaneInt::constant(All));
  if (OfLane.constant().any([](int64_t C) { return C < 0; }))
    Left = D.sub(Left, OfLane);
  else
    Right = D.add(Right, OfLane);
  if (All < 0)
    Left = D.sub(Left, LaneInt::constant(All));
  else
    Right = D.add(Right, LaneInt::constant(All));
  const char *Op = Sym.Op == LaneOp::IsEQ0 ? (Holds ? " == " : " != ")
                   : Strict                ? " < "
                                           : " <= ";
  return D.str(Left) + Op + D.str(Right);
}

/// What the truth value \p Cond hangs on, in a word.
static std::string deciderOf(const LaneDomain &D, const LaneInt &Cond) {
  std::string Name = "a condition that is not known";
  D.anySymbol(Cond, [&](const Symbol &S) {
    if (S.Origin == SymbolOrigin::Float)
      Name = "a floating-point comparison";
    else if (S.Origin == SymbolOrigin::Loaded || S.Origin == SymbolOrigin::Call)
      Name = S.Name;
    else
      return false;
    return true;
  });
  return Name;
}

/// Which of shared memory's operations an instruction becomes.
static SharedOp sharedOp(const Instruction &I, MemoryOp Op, unsigned Bytes) {
  if (Op == MemoryOp::Load)
    return SharedOp::Load;
  if (Op == MemoryOp::Store)
    return SharedOp::Store;
  const auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  if (!RMW)
    return SharedOp::CompareAndSwap;
  // Seen in nvcc 13's SASS for sm_90: exchange is an instruction of any width.
  if (RMW->getOperation() != AtomicRMWInst::Xchg &&
      (Bytes > 4 || RMW->isFloatingPointOperation()))
    return SharedOp::SpinRound;
  const auto *By = dyn_cast<ConstantInt>(RMW->getValOperand());
  return RMW->getOperation() == AtomicRMWInst::Add && By && By->isOne() &&
                 I.use_empty()
             ? SharedOp::Count
             : SharedOp::Update;
}

StringRef WarpRun::inEveryLane(SymbolId S, bool Holds) {
  std::string &Text = ConditionTexts[{S, Holds}];
  if (Text.empty())
    Text = conditionText(D, S, Holds) + " in every lane";
  return Text;
}

void WarpRun::countAlike(const LaneInt &Offset, Recorder::Request &Q) const {
  SmallVector<SymbolId> Bases;
  D.baseSymbols(Offset, Bases);
  // Loaded data differs from warp to warp, whatever it rests on.
  if (any_of(Bases,
             [&](SymbolId S) { return originBit(D[S].Origin) & DataOrigins; }))
    return;
  for (auto [Counter, Extent] : Positions)
    if (!is_contained(Bases, Counter))
      (D[Counter].Origin == SymbolOrigin::WarpIndex ? Q.WarpsAlike
                                                    : Q.BlocksAlike) *= Extent;
}

void WarpRun::request(const Instruction &I, unsigned Part,
                      const LaneInt &Address, MemoryOp Op, unsigned Bytes,
                      unsigned Align, std::optional<MemorySpace> Space,
                      unsigned Matrices) {
  if (Dry || !Now.Lanes)
    return;
  MemoryObjects::Resolved To = Objects.resolve(Address, Now.Lanes);
  Recorder::Request Q;
  Q.I = &I;
  Q.Part = Part;
  Q.Op = Op;
  Q.R.Space = Space ? *Space : To.Space ? *To.Space : MemorySpace::Generic;
  Q.R.Op = Op;
  Q.R.Shared = sharedOp(I, Op, Bytes);
  Q.R.Bytes = Bytes;
  Q.R.Align = std::max(1u, std::min(Align, 16u));
  // What ptxas knows of the place of a shared array is not told by offsets in
  // it; where in a word it begins is.
  if (Q.R.Space == MemorySpace::Shared && To.Object)
    Q.R.Align = unsigned(std::min<uint64_t>(
        Q.R.Align, std::max<uint64_t>(To.Object->Align, Machine.bankBytes())));
  Q.R.Matrices = Matrices;
  Q.R.Offset = To.Offset;
  Q.R.Object = To.Object;
  Q.R.Several = To.Several;
  Q.R.Active = Now.Lanes;
  Q.Weight = Weight;
  const PathCases *Path = casesOfPath();
  if (Path) {
    if (Path->Cases.Cases.empty())
      return; // no warp comes here
    Q.R.Cases = &Path->Cases;
    Q.Weight *= Path->Cases.Share;
  }
  for (Literal L : Now.G) {
    if (Path && is_contained(Path->Settled, L))
      continue;
    if (Conds.isRound(L) && !Conds.isVarying(L))
      continue;
    int Likely = Conds.likely(L);
    if (Likely == 1) {
      // A product of truth values holds when each does; 1 - s, or 1 in the
      // lanes that are decided and -s in the others, when s does not.
      LaneInt Value = Conds.value(L);
      for (const Term &T : Value.terms()) {
        const bool Positive = T.K.any([](int64_t K) { return K > 0; });
        for (SymbolId S : T.M)
          if (D[S].Op != LaneOp::None)
            Q.Assumptions.push_back(inEveryLane(
                S, Value.terms().size() == 1 ? Positive : D[S].Likely != 0));
      }
      continue;
    }
    if (Likely == 0)
      Q.Weight /= WarpLanes; // the border of the grid
    if (!Conds.isVarying(L))
      continue;
    Q.R.LanesLeave |= Conds.isLeaving(L);
    if (Q.R.DecidedByData.empty())
      Q.R.DecidedByData = deciderOf(D, Conds.value(L));
  }
  Q.Again = Spin.Round > 0;
  Q.FewerAgain = !Q.R.DecidedByData.empty();
  if (!Spin.Known && !Q.FewerAgain)
    Q.R.DecidedByData = "the order in which lanes succeed";
  for (SymbolId S : Address.assumed())
    if (D[S].isTruth() && D[S].Op != LaneOp::None)
      Q.Assumptions.push_back(inEveryLane(S, D[S].Likely != 0));
  if (To.Object && !To.Object->Assumption.empty())
    Q.Assumptions.push_back(To.Object->Assumption);
  countAlike(To.Offset, Q);
  auto AddressText = [&] { return D.str(Address); };
  Q.Address = AddressText;
  RequestEstimate E = RequestCoster(D, Machine).estimate(Q.R);
  Steps += E.Work;
  if (Options.KeepReach && Q.R.Space == MemorySpace::Shared)
    E.Reach = To.Several ? Interval() : D.range(To.Offset, Now.Lanes);
  Out.add(Q, E);
}

void WarpRun::unrequested(const Instruction &I, const LaneInt &Address,
                          MemoryOp Op, unsigned Bytes, UnknownReason Reason,
                          StringRef Detail) {
  if (Dry || !Now.Lanes)
    return;
  MemoryObjects::Resolved To = Objects.resolve(Address, Now.Lanes);
  Recorder::Request Q;
  Q.I = &I;
  Q.Op = Op;
  Q.R.Space = To.Space.value_or(MemorySpace::Generic);
  Q.R.Bytes = Bytes;
  Q.R.Object = To.Object;
  Q.R.Active = Now.Lanes;
  Q.Weight = Weight;
  auto AddressText = [&] { return D.str(Address); };
  Q.Address = AddressText;
  RequestEstimate E;
  E.Active = Now.Lanes;
  E.ActiveLanes = popcount(Now.Lanes);
  E.Reason = Reason;
  E.Detail = Detail.str();
  E.Min = 1;
  E.Max = WarpLanes;
  E.Reach = {};
  // The best guess is the good case: no number is claimed.
  E.Fewest = E.Ideal = E.Mean =
      std::max(1u, popcount(Now.Lanes) * Bytes / Machine.granuleBytes());
  E.Max = std::max(E.Max, E.Mean);
  Out.add(Q, E);
}

/// A load from an array whose contents are part of the program.
std::optional<Parts> WarpRun::foldConstantLoad(const MemoryObjects::Resolved &R,
                                               Type *T) {
  if (!R.Object || !R.Object->Global || !R.Offset.isConstant() ||
      !T->isIntegerTy() || T->getIntegerBitWidth() > 64)
    return std::nullopt;
  const GlobalVariable *G = R.Object->Global;
  if (!G->isConstant() || !G->hasDefinitiveInitializer())
    return std::nullopt;
  const DataLayout &DL = Shape.F.getDataLayout();
  Lanes V;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    if (!(Now.Lanes >> L & 1))
      continue;
    Constant *C = ConstantFoldLoadFromConst(
        const_cast<Constant *>(G->getInitializer()), T,
        APInt(64, uint64_t(R.Offset.constant()[L])), DL);
    auto *I = dyn_cast_or_null<ConstantInt>(C);
    if (!I)
      return std::nullopt;
    V[L] =
        I->getBitWidth() == 1 ? int64_t(I->getZExtValue()) : I->getSExtValue();
  }
  return Parts{LaneInt(V)};
}

/// A field of a struct passed by value: one symbol a field, the same at every
/// load; facts of the launch come in here.
Parts WarpRun::parameterField(const MemoryObjects::Resolved &R, Type *T) {
  unsigned No = R.Object->Parameter.value_or(0);
  std::string Name = R.Object->Name;
  auto At = R.Offset.uniformConstant();
  if (!At)
    return unknownOf(T, SymbolOrigin::Argument, Name + "[...]",
                     !D.isUniform(R.Offset));
  Parts P;
  const DataLayout &DL = Shape.F.getDataLayout();
  Type *E = T->getScalarType();
  uint64_t Size = DL.getTypeStoreSize(E).getFixedValue();
  for (unsigned I = 0, N = partsOf(T); I < N; ++I) {
    uint64_t Offset = uint64_t(*At) + I * Size;
    auto [Slot, New] =
        ParameterFields.try_emplace({No, Offset * 16 + Size % 16}, LaneInt());
    if (New) {
      ArgumentFact Fact;
      if (No < Config.Arguments.size())
        for (auto &[Where, F] : Config.Arguments[No].Fields)
          if (Where == Offset)
            Fact = F;
      std::string Field = Name + "+" + std::to_string(Offset);
      if (E->isPointerTy()) {
        MemoryObject O;
        O.Name = Field;
        O.Space = MemorySpace::Global;
        O.Parameter = No;
        O.Align = Fact.Align ? Fact.Align : Machine.allocationAlignment();
        if (!Fact.Align)
          O.Assumption = "the pointer in " + Name + " at byte " +
                         std::to_string(Offset) + " is aligned to " +
                         std::to_string(O.Align) + " bytes, " +
                         Machine.allocationAlignmentSource().str();
        Slot->second = LaneInt::symbol(Objects.create(std::move(O)));
        if (Fact.K == ArgumentFact::Pointer)
          Slot->second = D.add(Slot->second, LaneInt::constant(Fact.Value));
      } else if (E->isIntegerTy() && Fact.K == ArgumentFact::Integer) {
        Slot->second = LaneInt::constant(Fact.Value);
      } else if (auto Taken = Sizes.taken({Shape.F.getArg(No), Offset});
                 Taken && E->isIntegerTy()) {
        Slot->second = LaneInt::constant(*Taken);
      } else {
        Slot->second =
            E->isIntegerTy()
                ? unknownArgument(Field, E->getIntegerBitWidth(), Fact)
                : unknownOf(E, SymbolOrigin::Argument, Field, false)[0];
        if (E->isIntegerTy())
          noteSize(Slot->second, {Shape.F.getArg(No), Offset});
      }
    }
    P.push_back(Slot->second);
  }
  return P;
}

/// Narrower integers are data, not the numbers of elements.
static constexpr unsigned IndexBits = 32;

Parts WarpRun::readMemory(const Instruction &I, Type *T,
                          const LaneInt &Address) {
  MemoryObjects::Resolved R = Objects.resolve(Address, Now.Lanes);
  const DataLayout &DL = Shape.F.getDataLayout();
  if (R.Object && R.Object->IsParameterMemory && !T->isAggregateType())
    return parameterField(R, T);
  if (R.Object && R.Object->IsLocal && !T->isAggregateType()) {
    Parts P;
    uint64_t Size = DL.getTypeStoreSize(T->getScalarType()).getFixedValue();
    for (unsigned K = 0, N = partsOf(T); K < N; ++K) {
      LaneInt At = D.add(R.Offset, LaneInt::constant(int64_t(K * Size)));
      auto V = Locals.load(D, R.Address, At, Size, Now.Lanes);
      if (!V)
        break;
      P.push_back(*V);
    }
    if (P.size() == partsOf(T))
      return P;
    return unknownOf(T, SymbolOrigin::Loaded, "a local array", true);
  }
  if (auto Folded = foldConstantLoad(R, T))
    return *Folded;
  // One address, one value; else one in each lane.
  bool Varying = !D.isUniform(Address, Now.Lanes);
  if (auto Taken = Sizes.taken({&I, 0}); Taken && !Varying)
    return {LaneInt::constant(*Taken)};
  std::string Name =
      R.Object ? sourceName(R.Object->Name) + "[...]" : "loaded value";
  Parts P = unknownOf(T, SymbolOrigin::Loaded, Name, Varying);
  if (Varying && T->isIntegerTy() && T->getIntegerBitWidth() >= IndexBits &&
      R.Object && R.Object->Space == MemorySpace::Global)
    if (auto S = P[0].singleSymbol())
      D.noteRead(*S, R.Offset, T->getIntegerBitWidth() / 8);
  if (!Varying && T->isIntegerTy())
    noteSize(P[0], {&I, 0});
  return P;
}

/// The hardware wants natural alignment: an access with less is made of as many
/// as its alignment asks for (packed records).
void WarpRun::requestAligned(const Instruction &I, const LaneInt &Address,
                             MemoryOp Op, Type *T, uint64_t Align,
                             std::optional<MemorySpace> Space) {
  unsigned Bytes = Shape.F.getDataLayout().getTypeStoreSize(T).getFixedValue();
  constexpr unsigned Widest = 16;
  unsigned Chunk = unsigned(
      std::min<uint64_t>({uint64_t(bit_ceil(Bytes)), Align, uint64_t(Widest)}));
  if (Chunk >= Bytes || Bytes / Chunk > Recorder::MaxParts)
    return request(I, 0, Address, Op, Bytes, unsigned(Align), Space);
  for (unsigned K = 0; K * Chunk < Bytes; ++K)
    request(I, K, D.add(Address, LaneInt::constant(K * Chunk)), Op,
            std::min(Chunk, Bytes - K * Chunk), Chunk, Space);
}

void WarpRun::load(const LoadInst &I) {
  LaneInt Address = scalar(I.getPointerOperand());
  Type *T = I.getType();
  MemoryObjects::Resolved R = Objects.resolve(Address, Now.Lanes);
  // Kernel parameters stand in a constant bank of their own; read by one
  // address for the warp they are operands of other instructions.
  bool Operand = R.Object && R.Object->IsParameterMemory &&
                 D.isUniform(Address, Now.Lanes);
  if (!Operand)
    requestAligned(I, Address, MemoryOp::Load, T, I.getAlign().value(),
                   spaceOf(I.getPointerOperandType()));
  if (matters(I))
    reg(&I) = readMemory(I, T, Address);
}

void WarpRun::writeMemory(const Value *V, const LaneInt &Address) {
  MemoryObjects::Resolved R = Objects.resolve(Address, Now.Lanes);
  if (!R.Object || !R.Object->IsLocal) {
    if (R.Several)
      Locals.forgetAll();
    return;
  }
  if (const auto *I = dyn_cast<Instruction>(V); I && !matters(*I))
    return; // no load looks at it
  // A path that may not be taken: the old contents stay possible.
  std::optional<LaneInt> Certain;
  for (Literal L : Now.G)
    if (Conds.likely(L) != 1)
      Certain = Certain ? D.mul(*Certain, Conds.value(L)) : Conds.value(L);
  Type *E = V->getType()->getScalarType();
  if (V->getType()->isAggregateType())
    return Locals.forget(R.Address);
  uint64_t Size = Shape.F.getDataLayout().getTypeStoreSize(E).getFixedValue();
  Parts P = get(V);
  for (unsigned K = 0; K < P.size(); ++K)
    Locals.store(D, R.Address,
                 D.add(R.Offset, LaneInt::constant(int64_t(K * Size))), Size,
                 P[K], Now.Lanes, Certain ? &*Certain : nullptr);
}

void WarpRun::store(const StoreInst &I) {
  LaneInt Address = scalar(I.getPointerOperand());
  Type *T = I.getValueOperand()->getType();
  requestAligned(I, Address, MemoryOp::Store, T, I.getAlign().value(),
                 spaceOf(I.getPointerOperandType()));
  escape(I.getValueOperand());
  writeMemory(I.getValueOperand(), Address);
}

/// Integers that all lanes bring to one address are put together by the
/// compiler, and one lane goes to memory. Seen in nvcc 13's SASS for sm_90:
/// VOTE and POPC for one amount, REDUX for different ones whose result is not
/// used; not for floating point, nor where a shared counter is counted by the
/// hardware (ATOMS.POPC.INC).
bool WarpRun::reducedFirst(const AtomicRMWInst &I, const LaneInt &Address,
                           unsigned Bytes) {
  if (I.isFloatingPointOperation() || Bytes != 4 ||
      I.hasMetadata(ApartMetadata) || !D.isUniform(Address, Now.Lanes) ||
      sharedOp(I, MemoryOp::Atomic, Bytes) == SharedOp::Count)
    return false;
  switch (I.getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    if (D.isUniform(scalar(I.getValOperand()), Now.Lanes))
      return true;
    [[fallthrough]];
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
    return I.use_empty() && Machine.reducesIntegers();
  default:
    return false;
  }
}

/// Shared memory adds no floating point and nothing of 8 bytes: nvcc makes a
/// loop of a load, the sum and a compare-and-swap, round after round, until
/// every lane's swap has found the word as it was read (LDS, FADD,
/// ATOMS.CAST.SPIN).
void WarpRun::spinUpdate(const Instruction &I, const LaneInt &Address,
                         unsigned Bytes) {
  const LaneMask All = Now.Lanes;
  SmallVector<LaneMask, WarpLanes> Rounds = {All};
  bool Together = all_of(
      Address.terms(), [&](const Term &T) { return D.isUniformTerm(T, All); });
  if (Together)
    Rounds = MachineModel::spinRounds(Address.constant().array(), All);
  Spin.Known =
      Together ? Rounds.size() == 1 : stepsApart(D, Address, All, Bytes);
  for (const LaneMask Left : Rounds) {
    Now.Lanes = Left;
    request(I, 0, Address, MemoryOp::Atomic, Bytes, Bytes, MemorySpace::Shared);
    request(I, 1, Address, MemoryOp::Load, Bytes, Bytes, MemorySpace::Shared);
    ++Spin.Round;
  }
  Spin = {};
  Now.Lanes = All;
}

void WarpRun::atomic(const Instruction &I, const Value *Pointer, Type *T) {
  LaneInt Address = scalar(Pointer);
  unsigned Bytes = Shape.F.getDataLayout().getTypeStoreSize(T).getFixedValue();
  const auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  const LaneMask All = Now.Lanes;
  if (RMW && reducedFirst(*RMW, Address, Bytes))
    Now.Lanes = All & -All;
  if (sharedOp(I, MemoryOp::Atomic, Bytes) == SharedOp::SpinRound &&
      Objects.resolve(Address, Now.Lanes).Space == MemorySpace::Shared)
    spinUpdate(I, Address, Bytes);
  else
    request(I, 0, Address, MemoryOp::Atomic, Bytes, Bytes,
            spaceOf(Pointer->getType()));
  Now.Lanes = All;
  if (!matters(I))
    return;
  reg(&I) =
      unknownOf(I.getType(), SymbolOrigin::Loaded, "an atomic's result", true);
  // Lanes that add one amount at one address get consecutive values, in some
  // order: the idiom of appending to a list.
  if (!RMW || RMW->getOperation() != AtomicRMWInst::Add ||
      !D.isUniform(Address, Now.Lanes))
    return;
  // Shared memory serves lanes that nvcc has not counted first one by one, and
  // other warps come in between (measured: newdelete).
  if (I.hasMetadata(ApartMetadata) &&
      Objects.resolve(Address, Now.Lanes).Space == MemorySpace::Shared)
    return;
  auto By = scalar(RMW->getValOperand()).uniformConstant();
  if (!By)
    return;
  Lanes Rank;
  for (unsigned L = 0; L < WarpLanes; ++L)
    Rank[L] = *By * popcount(Now.Lanes & ((LaneMask(1) << L) - 1));
  unsigned Bits = I.getType()->getIntegerBitWidth();
  reg(&I) = {
      D.add(unknown(SymbolOrigin::Loaded, "an atomic's result", false, Bits),
            LaneInt(Rank))};
}

/// The address of a local array went where its uses cannot be seen.
void WarpRun::escape(const Value *V) {
  if (!V->getType()->isPointerTy())
    return;
  MemoryObjects::Resolved R = Objects.resolve(scalar(V), Now.Lanes);
  if (R.Object && R.Object->IsLocal)
    Locals.forget(R.Address);
}

} // namespace warplint
