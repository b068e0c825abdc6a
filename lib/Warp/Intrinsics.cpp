//===- Intrinsics.cpp - Calls that are understood ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

namespace warplint {

std::optional<LaneInt> laneRegister(StringRef Name) {
  Lanes V;
  for (unsigned L = 0; L < WarpLanes; ++L) {
    const uint64_t Own = uint64_t(1) << L, Upto = (Own << 1) - 1;
    uint64_t X;
    if (Name == "laneid")
      X = L;
    else if (Name == "lanemask_eq")
      X = Own;
    else if (Name == "lanemask_lt")
      X = Own - 1;
    else if (Name == "lanemask_le")
      X = Upto;
    else if (Name == "lanemask_gt")
      X = ~Upto;
    else if (Name == "lanemask_ge")
      X = ~(Own - 1);
    else
      return std::nullopt;
    V[L] = int32_t(uint32_t(X)); // registers of 32 bits
  }
  return LaneInt(V);
}

bool WarpRun::specialRegister(const CallInst &I, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return false;
  auto Axis = [&](StringRef Prefix, const std::array<LaneInt, 3> &V) {
    StringRef Rest = Name;
    if (!Rest.consume_front(Prefix) || Rest.size() != 1)
      return false;
    unsigned K = Rest[0] - 'x';
    if (K > 2)
      return false;
    reg(&I) = {V[K]};
    return true;
  };
  if (Axis("tid.", ThreadIdx) || Axis("ntid.", BlockDim) ||
      Axis("ctaid.", BlockIdx) || Axis("nctaid.", GridDim))
    return true;
  std::string Ptx = Name.str(); // the intrinsic's name has dots
  std::replace(Ptx.begin(), Ptx.end(), '.', '_');
  if (auto V = laneRegister(Ptx)) {
    reg(&I) = {*V};
    return true;
  }
  if (Name == "warpsize") {
    reg(&I) = {LaneInt::constant(WarpLanes)};
    return true;
  }
  // Clocks, SM numbers: one for the warp.
  reg(&I) = unknownOf(I.getType(), SymbolOrigin::Launch, Name, false);
  return true;
}

void WarpRun::shuffle(const CallInst &I, StringRef Mode) {
  // (member mask, value, b, c): PTX ISA, "shfl.sync".
  bool Predicated = I.getType()->isStructTy();
  const Value *Of = I.getArgOperand(1);
  LaneInt V = scalar(Of);
  LaneInt B = scalar(I.getArgOperand(2)), C = scalar(I.getArgOperand(3));
  bool Float = Of->getType()->isFloatingPointTy();
  LaneInt Result;
  bool Known = B.isConstant() && C.isConstant();
  if (D.isUniform(V, Now.Lanes)) {
    Result = V; // whichever lane it comes from
  } else if (Float) {
    bool OneSource = Mode == "idx" && D.isUniform(B) && D.isUniform(C);
    Result = floating(!OneSource);
  } else if (Known) {
    std::array<unsigned, WarpLanes> From;
    for (unsigned L = 0; L < WarpLanes; ++L) {
      unsigned Seg = C.constant()[L] >> 8 & 31, Clamp = C.constant()[L] & 31;
      int Max = int((L & Seg) | (Clamp & ~Seg)), Min = int(L & Seg);
      int By = int(B.constant()[L] & 31), J = int(L);
      bool In = true;
      if (Mode == "up") {
        J = int(L) - By;
        In = J >= Max;
      } else if (Mode == "down") {
        J = int(L) + By;
        In = J <= Max;
      } else if (Mode == "bfly") {
        J = int(L) ^ By;
        In = J <= Max;
      } else {
        J = Min | (By & ~int(Seg));
        In = J <= Max;
      }
      From[L] = In ? unsigned(J) & (WarpLanes - 1) : L;
    }
    Result = D.permute(V, From);
  } else {
    bool OneSource = Mode == "idx" && D.isUniform(B) && D.isUniform(C);
    Result = unknown(SymbolOrigin::Call, "a shuffle", !OneSource, 32);
  }
  reg(&I) = {Result};
  if (Predicated)
    reg(&I).push_back(unknown(SymbolOrigin::Call, "a shuffle", true, 1));
}

bool WarpRun::warpWide(const CallInst &I, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  if (Name.consume_front("shfl.sync.") || Name.consume_front("shfl.")) {
    if (I.arg_size() == 4)
      shuffle(I, Name.split('.').first);
    else
      reg(&I) = unknownOf(I.getType(), SymbolOrigin::Call, "a shuffle", true);
    return true;
  }
  if (Name.starts_with("vote.")) {
    // (member mask, predicate). Known when every lane's predicate is.
    LaneInt P = scalar(I.getArgOperand(I.arg_size() - 1));
    LaneMask T = D.knownTrue(P) & Now.Lanes, F = D.knownFalse(P) & Now.Lanes;
    bool Decided = (T | F) == Now.Lanes && none_of(Now.G, [&](Literal L) {
                     return Conds.isVarying(L);
                   });
    StringRef Kind = Name.split('.').second.split('.').first;
    if (Decided && Kind == "ballot")
      reg(&I) = {LaneInt::constant(int32_t(T))};
    else if (Decided && Kind == "any")
      reg(&I) = {LaneInt::constant(T != 0)};
    else if (Decided && Kind == "all")
      reg(&I) = {LaneInt::constant(F == 0)};
    else
      reg(&I) = unknownOf(I.getType(), SymbolOrigin::Loaded, "a vote", false);
    return true;
  }
  if (Name == "activemask") {
    bool Decided =
        none_of(Now.G, [&](Literal L) { return Conds.isVarying(L); });
    reg(&I) = Decided ? Parts{LaneInt::constant(int32_t(Now.Lanes))}
                      : unknownOf(I.getType(), SymbolOrigin::Loaded,
                                  "the active mask", false);
    return true;
  }
  if (Name.starts_with("match.")) {
    reg(&I) = unknownOf(I.getType(), SymbolOrigin::Loaded, "a match", true);
    return true;
  }
  if (Name.starts_with("redux.")) {
    reg(&I) =
        unknownOf(I.getType(), SymbolOrigin::Loaded, "a reduction", false);
    return true;
  }
  if (Name.starts_with("barrier")) {
    if (!I.getType()->isVoidTy())
      reg(&I) = unknownOf(I.getType(), SymbolOrigin::Loaded, "a vote", false);
    return true;
  }
  return false;
}

/// Facts the programmer gives: `n % 4 == 0`, `n >= 32`, alignment.
void WarpRun::assume(const Value *Cond) {
  LaneInt P = scalar(Cond);
  LaneInt Opposite = D.notOf(P);
  bool Holds = P.singleSymbol().has_value();
  auto S = Holds ? P.singleSymbol() : Opposite.singleSymbol();
  if (!S || D[*S].Operands.empty())
    return;
  LaneInt A = D[*S].Operands[0];
  if (D[*S].Op == LaneOp::IsEQ0 && Holds) {
    // x - d * floor(x / d) == 0
    for (const Term &T : A.terms()) {
      if (T.M.size() != 1 || D[T.M[0]].Op != LaneOp::FloorDiv)
        continue;
      auto By = D[T.M[0]].Operands[1].uniformConstant();
      auto Of = D[T.M[0]].Operands[0].singleSymbol();
      if (By && Of && *By > 0 &&
          D.add(A, D.scale(LaneInt::symbol(T.M[0]), *By)) ==
              LaneInt::symbol(*Of))
        D.assumeDivisor(*Of, *By);
    }
    return;
  }
  if (D[*S].Op != LaneOp::IsGE0)
    return;
  if (!Holds)
    A = D.sub(LaneInt::constant(-1), A);
  // +-s + c >= 0
  if (A.terms().size() != 1 || A.terms()[0].M.size() != 1 ||
      !A.constant().isUniform())
    return;
  const Term &T = A.terms()[0];
  if (T.K == Lanes::splat(1))
    D.assumeRange(T.M[0], {-A.constant()[0], INT64_MAX});
  else if (T.K == Lanes::splat(-1))
    D.assumeRange(T.M[0], {INT64_MIN, A.constant()[0]});
}

/// A pointer promised to be a multiple of \p Align: its base object is, or the
/// uniform offset from an aligned base.
void WarpRun::assumeAligned(const Value *Pointer, const LaneInt &P,
                            int64_t Align) {
  if (auto S = P.singleSymbol())
    return Objects.assumeAligned(*S, uint64_t(Align));
  MemoryObjects::Resolved R = Objects.resolve(P, Now.Lanes);
  if (!R.Object || !D.isUniform(R.Offset) || isa<Constant>(Pointer) ||
      int64_t(R.Object->Align) % Align)
    return;
  // K * s is a multiple of Align: s is one of Align / gcd(K, Align).
  if (R.Offset.terms().size() == 1 && R.Offset.terms()[0].M.size() == 1 &&
      R.Offset.constant()[0] % Align == 0) {
    const Term &T = R.Offset.terms()[0];
    return D.assumeDivisor(T.M[0], Align / std::gcd(std::abs(T.K[0]), Align));
  }
  Registers[Pointer] = {D.add(
      LaneInt::symbol(R.Address),
      unknown(SymbolOrigin::Argument, D.str(R.Offset), false, 64, Align))};
}

bool WarpRun::intrinsic(const CallInst &I, Intrinsic::ID Id) {
  Type *T = I.getType();
  auto Arg = [&](unsigned K) { return scalar(I.getArgOperand(K)); };
  unsigned Bits = T->isIntegerTy() ? T->getIntegerBitWidth() : 64;
  bool Scalar = T->isIntegerTy() && Bits <= 64;
  auto Choose = [&](CmpInst::Predicate P) {
    LaneInt A = Arg(0), B = Arg(1);
    LaneInt First = compare(P, A, B, Bits);
    noteUndecided(First, Now.Lanes);
    reg(&I) = {D.select(First, A, B)};
    return true;
  };
  auto PerLane = [&](auto F) {
    LaneInt A = Arg(0);
    if (!A.isConstant())
      return false;
    Lanes V;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = F(uint64_t(A.constant()[L]) &
               (Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1));
    reg(&I) = {D.wrap(LaneInt(V), Bits)};
    return true;
  };
  switch (Id) {
  case Intrinsic::smin:
    return Scalar && Choose(CmpInst::ICMP_SLE);
  case Intrinsic::umin:
    return Scalar && Choose(CmpInst::ICMP_ULE);
  case Intrinsic::smax:
    return Scalar && Choose(CmpInst::ICMP_SGE);
  case Intrinsic::umax:
    return Scalar && Choose(CmpInst::ICMP_UGE);
  case Intrinsic::abs: {
    if (!Scalar)
      return false;
    LaneInt A = Arg(0);
    reg(&I) = {D.select(D.isGE0(A), A, D.scale(A, -1))};
    return true;
  }
  case Intrinsic::ctpop:
    if (Scalar && !Arg(0).isConstant()) {
      // Of a ballot below the lane: the idiom of packing lanes.
      LaneInt A = Arg(0);
      reg(&I) = {
          LaneInt::symbol(D.derived(LaneOp::Popcount,
                                    {A, LaneInt::constant(int64_t(Bits))},
                                    {0, int64_t(Bits)}))
              .withAssumed(A.assumed())};
      return true;
    }
    return Scalar && PerLane([](uint64_t X) { return popcount(X); });
  case Intrinsic::cttz:
    return Scalar &&
           PerLane([&](uint64_t X) { return X ? countr_zero(X) : int(Bits); });
  case Intrinsic::ctlz:
    return Scalar && PerLane([&](uint64_t X) {
             return int(Bits) - (X ? 64 - countl_zero(X) : 0);
           });
  case Intrinsic::bitreverse:
    return Scalar && PerLane([&](uint64_t X) {
             return int64_t(APInt(Bits, X).reverseBits().getZExtValue());
           });
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::ssa_copy:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ptrmask:
    reg(&I) = get(I.getArgOperand(0));
    return true;
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return false;
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
    reg(&I) = {D.add(Arg(0), Arg(1)), LaneInt()};
    return true;
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
    reg(&I) = {D.sub(Arg(0), Arg(1)), LaneInt()};
    return true;
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    reg(&I) = {D.mul(Arg(0), Arg(1)), LaneInt()};
    return true;
  case Intrinsic::assume:
    assume(I.getArgOperand(0));
    for (unsigned K = 0; K < I.getNumOperandBundles(); ++K) {
      OperandBundleUse Bundle = I.getOperandBundleAt(K);
      if (Bundle.getTagName() != "align" || Bundle.Inputs.size() != 2)
        continue;
      LaneInt P = scalar(Bundle.Inputs[0]);
      auto Align = scalar(Bundle.Inputs[1]).uniformConstant();
      if (Align && *Align > 0)
        assumeAligned(Bundle.Inputs[0], P, *Align);
    }
    return true;
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::donothing:
  case Intrinsic::trap:
  case Intrinsic::prefetch:
    return true;
  default:
    return false;
  }
}

/// libdevice's integer functions, by the intrinsic they stand for.
static Intrinsic::ID libdeviceInteger(StringRef Name) {
  return StringSwitch<Intrinsic::ID>(Name)
      .Cases({"__nv_min", "__nv_llmin"}, Intrinsic::smin)
      .Cases({"__nv_max", "__nv_llmax"}, Intrinsic::smax)
      .Cases({"__nv_umin", "__nv_ullmin"}, Intrinsic::umin)
      .Cases({"__nv_umax", "__nv_ullmax"}, Intrinsic::umax)
      .Cases({"__nv_abs", "__nv_llabs"}, Intrinsic::abs)
      .Cases({"__nv_popc", "__nv_popcll"}, Intrinsic::ctpop)
      .Cases({"__nv_clz", "__nv_clzll"}, Intrinsic::ctlz)
      .Cases({"__nv_brev", "__nv_brevll"}, Intrinsic::bitreverse)
      .Default(Intrinsic::not_intrinsic);
}

void WarpRun::call(const CallInst &I) {
  if (I.isInlineAsm())
    return inlinePtx(I);
  const Function *F = I.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  if (F && F->isIntrinsic()) {
    if (intrinsic(I, F->getIntrinsicID()))
      return;
    if (specialRegister(I, Name) || warpWide(I, Name))
      return;
    if (memoryIntrinsic(I, Name))
      return;
  } else if (auto Id = libdeviceInteger(Name); Id != Intrinsic::not_intrinsic) {
    if (intrinsic(I, Id))
      return;
  } else if (Name == "__nvvm_get_smem_pointer" && I.arg_size() == 1) {
    reg(&I) = get(I.getArgOperand(0)); // a generic address as a shared one
    return;
  } else if ((Name == "__nv_ffs" || Name == "__nv_ffsll") &&
             I.arg_size() == 1 && scalar(I.getArgOperand(0)).isConstant()) {
    LaneInt A =
        D.zeroExtend(scalar(I.getArgOperand(0)),
                     I.getArgOperand(0)->getType()->getIntegerBitWidth());
    Lanes V;
    for (unsigned L = 0; L < WarpLanes; ++L)
      V[L] = A.constant()[L] ? countr_zero(uint64_t(A.constant()[L])) + 1 : 0;
    reg(&I) = {LaneInt(V).withAssumed(A.assumed())};
    return;
  } else if ((Name == "__nv_mul24" || Name == "__nv_umul24") &&
             I.arg_size() == 2) {
    reg(&I) = {D.mul(scalar(I.getArgOperand(0)), scalar(I.getArgOperand(1)))};
    return;
  }
  if (Name == QuadrantFunction) {
    // Neighbours mostly compute with angles close by.
    Symbol S;
    S.Name = "the quadrant of an angle";
    S.Origin = SymbolOrigin::Float;
    S.Varying = varies(I.getArgOperand(0));
    S.Lo = 0;
    S.Hi = 1;
    S.Likely = 0;
    reg(&I) = {LaneInt::symbol(D.fresh(std::move(S)))};
    return;
  }
  bool Varying = false;
  for (const Use &A : I.args()) {
    if (isa<MetadataAsValue>(A.get()))
      continue;
    Varying |= varies(A.get());
    escape(A.get());
  }
  if (I.getType()->isVoidTy())
    return;
  bool Pure = I.doesNotAccessMemory() || Name.starts_with("__nv_");
  reg(&I) =
      unknownResult(I, Name.empty() ? "an indirect call" : Name.str() + "()",
                    Varying || !Pure);
}

} // namespace warplint
