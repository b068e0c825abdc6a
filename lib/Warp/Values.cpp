//===- Values.cpp - Instructions that compute ----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace warplint {

/// Larger aggregates are arrays in memory, never values of a kernel.
static constexpr unsigned MaxParts = 4096;

unsigned partsOf(Type *T) {
  if (auto *V = dyn_cast<FixedVectorType>(T))
    return V->getNumElements();
  if (auto *A = dyn_cast<ArrayType>(T))
    return std::min<uint64_t>(MaxParts, A->getNumElements() *
                                            partsOf(A->getElementType()));
  if (auto *S = dyn_cast<StructType>(T)) {
    unsigned N = 0;
    for (Type *E : S->elements())
      N += partsOf(E);
    return std::min(N, MaxParts);
  }
  return 1;
}

unsigned partIndex(Type *T, ArrayRef<unsigned> Indices) {
  unsigned At = 0;
  for (unsigned I : Indices) {
    if (auto *S = dyn_cast<StructType>(T)) {
      for (unsigned K = 0; K < I; ++K)
        At += partsOf(S->getElementType(K));
      T = S->getElementType(I);
    } else if (auto *A = dyn_cast<ArrayType>(T)) {
      T = A->getElementType();
      At += I * partsOf(T);
    }
  }
  return At;
}

static unsigned bitsOf(Type *T) {
  T = T->getScalarType();
  return T->isIntegerTy() ? T->getIntegerBitWidth() : 64;
}

LaneInt WarpRun::unknown(SymbolOrigin O, StringRef Name, bool Varying,
                         unsigned Bits, int64_t Divisor) {
  Symbol S;
  S.Name = Name.str();
  S.Origin = O;
  S.Varying = Varying;
  S.Divisor = std::max<int64_t>(Divisor, 1);
  if (Bits == 1) {
    S.Lo = 0;
    S.Hi = 1;
  } else if (Bits < 64) {
    S.Lo = -(int64_t(1) << (Bits - 1));
    S.Hi = (int64_t(1) << (Bits - 1)) - 1;
  }
  return LaneInt::symbol(D.fresh(std::move(S)));
}

Parts WarpRun::unknownOf(Type *T, SymbolOrigin O, StringRef Name,
                         bool Varying) {
  Parts P;
  if (T->isVoidTy())
    return P;
  if (auto *S = dyn_cast<StructType>(T)) {
    for (Type *E : S->elements())
      llvm::append_range(P, unknownOf(E, O, Name, Varying));
    return P;
  }
  if (auto *A = dyn_cast<ArrayType>(T)) {
    for (uint64_t I = 0; I < A->getNumElements() && P.size() < MaxParts; ++I)
      llvm::append_range(P, unknownOf(A->getElementType(), O, Name, Varying));
    return P;
  }
  Type *E = T->getScalarType();
  for (unsigned I = 0, N = partsOf(T); I < N; ++I) {
    if (E->isFloatingPointTy()) {
      P.push_back(floating(Varying));
    } else if (E->isPointerTy()) {
      MemoryObject Obj;
      Obj.Name = Name.str();
      switch (E->getPointerAddressSpace()) {
      case 1:
        Obj.Space = MemorySpace::Global;
        break;
      case 3:
        Obj.Space = MemorySpace::Shared;
        break;
      default:
        // Pointers kept in memory come from the host, which has no others.
        Obj.Space = O == SymbolOrigin::Loaded || O == SymbolOrigin::Argument
                        ? MemorySpace::Global
                        : MemorySpace::Generic;
      }
      Obj.Align = Machine.allocationAlignment();
      Obj.Assumption = Obj.Name + " is the start of an allocation in global "
                                  "memory";
      P.push_back(LaneInt::symbol(Objects.create(std::move(Obj), Varying)));
    } else {
      P.push_back(unknown(O, Name, Varying, bitsOf(E)));
    }
  }
  return P;
}

Parts WarpRun::unknownResult(const Instruction &I, StringRef Name,
                             bool Varying) {
  std::string Data;
  for (const Use &U : I.operands()) {
    if (isa<BasicBlock>(U.get()) || isa<MetadataAsValue>(U.get()) ||
        isa<Function>(U.get()))
      continue;
    for (const LaneInt &V : get(U.get()))
      D.anySymbol(V, [&](const Symbol &S) {
        if (S.Origin == SymbolOrigin::Loaded)
          Data = S.Name;
        return !Data.empty();
      });
  }
  if (!Data.empty())
    return unknownOf(I.getType(), SymbolOrigin::Loaded, Data, Varying);
  return unknownOf(I.getType(), SymbolOrigin::Call, Name, Varying);
}

bool WarpRun::varies(const Value *V) {
  return any_of(get(V), [&](const LaneInt &X) { return !D.isUniform(X); });
}

LaneInt WarpRun::addressOf(const GlobalVariable *G) {
  auto [At, New] = GlobalObjects.try_emplace(G, 0);
  if (New) {
    MemoryObject O;
    O.Global = G;
    StringRef Name = G->getName();
    O.Name = Name.str();
    O.Align = G->getAlign().valueOrOne().value();
    O.Size = Shape.F.getDataLayout().getTypeAllocSize(G->getValueType());
    switch (G->getAddressSpace()) {
    case 3:
      O.Space = MemorySpace::Shared;
      break;
    case 4:
      O.Space = MemorySpace::Constant;
      break;
    default:
      O.Space = MemorySpace::Global;
      // The loader places module variables like allocations.
      if (O.Align < Machine.allocationAlignment() &&
          Shape.F.getDataLayout().getTypeAllocSize(G->getValueType()) >=
              Machine.allocationAlignment())
        O.Align = Machine.allocationAlignment();
    }
    At->second = Objects.create(std::move(O));
  }
  return LaneInt::symbol(GlobalObjects[G]);
}

Parts WarpRun::constant(const Constant *C) {
  Type *T = C->getType();
  if (const auto *I = dyn_cast<ConstantInt>(C)) {
    if (I->getBitWidth() > 64)
      return unknownOf(T, SymbolOrigin::Derived, "wide", false);
    return {LaneInt::constant(I->getBitWidth() == 1 ? I->getZExtValue()
                                                    : I->getSExtValue())};
  }
  if (isa<ConstantFP>(C))
    return {floating(false)};
  if (isa<ConstantPointerNull>(C))
    return {LaneInt()};
  if (const auto *G = dyn_cast<GlobalVariable>(C))
    return {addressOf(G)};
  if (const auto *G = dyn_cast<GlobalAlias>(C))
    return constant(G->getAliasee());
  if (isa<UndefValue>(C) || isa<ConstantAggregateZero>(C)) {
    Parts P;
    bool Float = T->getScalarType()->isFloatingPointTy();
    for (unsigned I = 0, N = partsOf(T); I < N; ++I)
      P.push_back(Float ? floating(false) : LaneInt());
    return P;
  }
  if (const auto *E = dyn_cast<ConstantExpr>(C)) {
    if (const auto *G = dyn_cast<GEPOperator>(E))
      return {elementAddress(*G)};
    if (E->isCast()) {
      Instruction *I = E->getAsInstruction();
      LaneInt V =
          convert(*I, get(E->getOperand(0))[0], E->getOperand(0)->getType(), T);
      I->deleteValue();
      return {V};
    }
    if (Instruction::isBinaryOp(E->getOpcode()) && T->isIntegerTy()) {
      Instruction *I = E->getAsInstruction();
      LaneInt V =
          binary(*I, get(E->getOperand(0))[0], get(E->getOperand(1))[0]);
      I->deleteValue();
      return {V};
    }
  }
  if (isa<ConstantDataSequential>(C) || isa<ConstantAggregate>(C)) {
    Parts P;
    unsigned N = isa<VectorType>(T)
                     ? partsOf(T)
                     : unsigned(isa<StructType>(T) ? T->getStructNumElements()
                                                   : T->getArrayNumElements());
    for (unsigned I = 0; I < N && P.size() < MaxParts; ++I)
      llvm::append_range(P, constant(C->getAggregateElement(I)));
    return P;
  }
  return unknownOf(T, SymbolOrigin::Call, "constant", false);
}

Parts WarpRun::get(const Value *V) {
  if (const auto *C = dyn_cast<Constant>(V))
    return constant(C);
  auto At = Registers.find(V);
  if (At != Registers.end())
    return At->second;
  if (const auto *I = dyn_cast<Instruction>(V); I && !matters(*I))
    return {Ignored};
  return unknownOf(V->getType(), SymbolOrigin::Call, "undefined", true);
}

LaneInt WarpRun::binary(const Instruction &I, const LaneInt &A,
                        const LaneInt &B) {
  unsigned Bits = bitsOf(I.getType());
  switch (I.getOpcode()) {
  case Instruction::Add:
    if (Bits == 1)
      return D.bitXor(A, B);
    return D.wrap(D.add(A, B), Bits);
  case Instruction::Sub:
    if (Bits == 1)
      return D.bitXor(A, B);
    return D.wrap(D.sub(A, B), Bits);
  case Instruction::Mul:
    return D.wrap(D.mul(A, B), Bits);
  case Instruction::UDiv:
    return D.divide(A, B, false, Bits);
  case Instruction::SDiv:
    return D.divide(A, B, true, Bits);
  case Instruction::URem:
    return D.remainder(A, B, false, Bits);
  case Instruction::SRem:
    return D.remainder(A, B, true, Bits);
  case Instruction::And:
    return D.bitAnd(A, B);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(&I)->isDisjoint())
      return D.add(A, B);
    return D.bitOr(A, B);
  case Instruction::Xor:
    if (Bits == 1 && B.uniformConstant() == 1)
      return D.notOf(A);
    return D.bitXor(A, B);
  case Instruction::Shl:
    return D.shiftLeft(A, B, Bits);
  case Instruction::LShr:
    return D.shiftRight(A, B, true, Bits);
  case Instruction::AShr:
    return D.shiftRight(A, B, false, Bits);
  default:
    return unknown(SymbolOrigin::Call, I.getOpcodeName(),
                   !D.isUniform(A) || !D.isUniform(B), Bits);
  }
}

LaneInt WarpRun::compare(CmpInst::Predicate P, LaneInt A, LaneInt B,
                         unsigned Bits) {
  if (CmpInst::isUnsigned(P)) {
    if (A.isConstant())
      A = D.zeroExtend(A, Bits);
    if (B.isConstant())
      B = D.zeroExtend(B, Bits);
    // All-ones in 64 bits does not fit a signed number; nothing exceeds it.
    if (Bits == 64 && B.uniformConstant() && *B.uniformConstant() < 0)
      return LaneInt::constant(P == CmpInst::ICMP_ULT ||
                               P == CmpInst::ICMP_ULE);
  }
  LaneInt One = LaneInt::constant(1);
  switch (P) {
  case CmpInst::ICMP_EQ:
    return D.isEQ0(D.sub(A, B));
  case CmpInst::ICMP_NE:
    return D.notOf(D.isEQ0(D.sub(A, B)));
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    return D.isGE0(D.sub(A, B));
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return D.isGE0(D.sub(D.sub(A, B), One));
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return D.isGE0(D.sub(B, A));
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return D.isGE0(D.sub(D.sub(B, A), One));
  default:
    return unknown(SymbolOrigin::Float, "comparison",
                   !D.isUniform(A) || !D.isUniform(B), 1);
  }
}

LaneInt WarpRun::convert(const Instruction &I, const LaneInt &A, Type *From,
                         Type *To) {
  unsigned FromBits = bitsOf(From), ToBits = bitsOf(To);
  bool FromFloat = From->getScalarType()->isFloatingPointTy();
  bool ToFloat = To->getScalarType()->isFloatingPointTy();
  bool Varying = !D.isUniform(A);
  if (ToFloat)
    return floating(Varying);
  if (FromFloat && I.getOpcode() == Instruction::BitCast && ToBits <= 64) {
    Symbol S;
    S.Name = "bits of a float";
    S.Origin = SymbolOrigin::Float;
    S.Varying = Varying;
    S.FloatBits = ToBits;
    if (ToBits < 64) {
      S.Lo = -(int64_t(1) << (ToBits - 1));
      S.Hi = (int64_t(1) << (ToBits - 1)) - 1;
    }
    return LaneInt::symbol(D.fresh(std::move(S)));
  }
  if (FromFloat || FromBits > 64 || ToBits > 64)
    return unknown(SymbolOrigin::Float, "(int)float", Varying, ToBits);
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    if (ToBits == 1) {
      Interval R = D.range(A);
      if (R.Lo >= 0 && R.Hi <= 1)
        return A;
      LaneInt Bit = D.bitAnd(A, LaneInt::constant(1));
      return Bit.isConstant()
                 ? Bit
                 : LaneInt::symbol(D.derived(
                       LaneOp::And, {A, LaneInt::constant(1)}, {0, 1}));
    }
    return D.truncate(A, ToBits);
  case Instruction::ZExt:
    return FromBits == 1 ? A : D.zeroExtend(A, FromBits);
  case Instruction::SExt:
    return FromBits == 1 ? D.scale(A, -1) : A;
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::BitCast:
    return A;
  default:
    return unknown(SymbolOrigin::Call, I.getOpcodeName(), Varying, ToBits);
  }
}

LaneInt WarpRun::elementAddress(const GEPOperator &G) {
  const DataLayout &DL = Shape.F.getDataLayout();
  LaneInt At = scalar(G.getPointerOperand());
  for (auto I = gep_type_begin(G), E = gep_type_end(G); I != E; ++I) {
    const Value *Index = I.getOperand();
    if (StructType *S = I.getStructTypeOrNull()) {
      uint64_t Field = cast<ConstantInt>(Index)->getZExtValue();
      At = D.add(At, LaneInt::constant(int64_t(
                         DL.getStructLayout(S)->getElementOffset(Field))));
      continue;
    }
    int64_t Size = int64_t(I.getSequentialElementStride(DL).getFixedValue());
    At = D.add(At, D.scale(scalar(Index), Size));
  }
  return At;
}

void WarpRun::execute(const Instruction &I) {
  Type *T = I.getType();
  if (const auto *L = dyn_cast<LoadInst>(&I))
    return load(*L);
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return store(*S);
  if (const auto *C = dyn_cast<CallInst>(&I))
    return call(*C);
  if (const auto *A = dyn_cast<AtomicRMWInst>(&I))
    return atomic(I, A->getPointerOperand(), A->getValOperand()->getType());
  if (const auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    return atomic(I, A->getPointerOperand(), A->getNewValOperand()->getType());
  if (const auto *G = dyn_cast<GetElementPtrInst>(&I)) {
    if (T->isVectorTy()) {
      reg(&I) = unknownOf(T, SymbolOrigin::Call, "vector of pointers", true);
      return;
    }
    reg(&I) = {elementAddress(cast<GEPOperator>(*G))};
    return;
  }
  if (const auto *A = dyn_cast<AllocaInst>(&I)) {
    MemoryObject O;
    O.Name = A->hasName() ? A->getName().str() : "local array";
    O.Space = MemorySpace::Local;
    O.Align = A->getAlign().value();
    O.IsLocal = true;
    reg(&I) = {LaneInt::symbol(Objects.create(std::move(O)))};
    return;
  }
  if (const auto *S = dyn_cast<SelectInst>(&I)) {
    Parts Cond = get(S->getCondition()), A = get(S->getTrueValue()),
          B = get(S->getFalseValue()), Out;
    for (size_t K = 0; K < A.size(); ++K) {
      const LaneInt &C = Cond[Cond.size() == A.size() ? K : 0];
      if (!T->getScalarType()->isFloatingPointTy() && !(A[K] == B[K]))
        noteUndecided(C, Now.Lanes);
      if (T->getScalarType()->isFloatingPointTy()) {
        Out.push_back(floating(!D.isUniform(C) || !D.isUniform(A[K]) ||
                               !D.isUniform(B[K])));
        continue;
      }
      Out.push_back(T->getScalarType()->isIntegerTy(1)
                        ? D.selectExactly(C, A[K], B[K])
                        : D.select(C, A[K], B[K]));
    }
    reg(&I) = std::move(Out);
    return;
  }
  if (const auto *C = dyn_cast<CmpInst>(&I)) {
    Parts A = get(C->getOperand(0)), B = get(C->getOperand(1)), Out;
    unsigned Bits = bitsOf(C->getOperand(0)->getType());
    for (size_t K = 0; K < A.size(); ++K)
      Out.push_back(compare(C->getPredicate(), A[K], B[K], Bits));
    reg(&I) = std::move(Out);
    return;
  }
  if (isa<FreezeInst>(I)) {
    reg(&I) = get(I.getOperand(0));
    return;
  }
  if (const auto *E = dyn_cast<ExtractValueInst>(&I)) {
    Parts A = get(E->getAggregateOperand());
    unsigned At =
        partIndex(E->getAggregateOperand()->getType(), E->getIndices());
    unsigned N = partsOf(T);
    if (At + N <= A.size()) {
      reg(&I) = Parts(A.begin() + At, A.begin() + At + N);
      return;
    }
  }
  if (const auto *E = dyn_cast<InsertValueInst>(&I)) {
    Parts A = get(E->getAggregateOperand());
    Parts V = get(E->getInsertedValueOperand());
    unsigned At = partIndex(T, E->getIndices());
    for (size_t K = 0; K < V.size() && At + K < A.size(); ++K)
      A[At + K] = V[K];
    reg(&I) = std::move(A);
    return;
  }
  if (const auto *E = dyn_cast<ExtractElementInst>(&I)) {
    Parts A = get(E->getVectorOperand());
    auto K = scalar(E->getIndexOperand()).uniformConstant();
    if (K && *K >= 0 && uint64_t(*K) < A.size()) {
      reg(&I) = {A[*K]};
      return;
    }
  }
  if (const auto *E = dyn_cast<InsertElementInst>(&I)) {
    Parts A = get(E->getOperand(0));
    auto K = scalar(E->getOperand(2)).uniformConstant();
    if (K && *K >= 0 && uint64_t(*K) < A.size()) {
      A[*K] = scalar(E->getOperand(1));
      reg(&I) = std::move(A);
      return;
    }
  }
  if (const auto *S = dyn_cast<ShuffleVectorInst>(&I)) {
    Parts A = get(S->getOperand(0)), B = get(S->getOperand(1)), Out;
    for (int K : S->getShuffleMask())
      Out.push_back(K < 0                  ? LaneInt()
                    : size_t(K) < A.size() ? A[K]
                                           : B[K - A.size()]);
    reg(&I) = std::move(Out);
    return;
  }
  if (const auto *C = dyn_cast<CastInst>(&I)) {
    Type *From = C->getSrcTy();
    Parts A = get(C->getOperand(0));
    if (A.size() == partsOf(T)) {
      Parts Out;
      for (const LaneInt &X : A)
        Out.push_back(convert(I, X, From, T));
      reg(&I) = std::move(Out);
      return;
    }
  }
  if (I.isBinaryOp() || isa<UnaryOperator>(I)) {
    Parts Out;
    if (T->getScalarType()->isFloatingPointTy()) {
      bool Varying =
          any_of(I.operands(), [&](const Use &U) { return varies(U.get()); });
      Out.assign(partsOf(T), floating(Varying));
    } else if (bitsOf(T) <= 64) {
      Parts A = get(I.getOperand(0)), B = get(I.getOperand(1));
      for (size_t K = 0; K < A.size(); ++K)
        Out.push_back(binary(I, A[K], B[K]));
    }
    if (!Out.empty()) {
      reg(&I) = std::move(Out);
      return;
    }
  }
  // Whatever is left computes something that cannot be followed.
  bool Varying = any_of(I.operands(), [&](const Use &U) {
    return !isa<BasicBlock>(U.get()) && !isa<MetadataAsValue>(U.get()) &&
           varies(U.get());
  });
  reg(&I) = unknownResult(I, I.getOpcodeName(), Varying);
}

} // namespace warplint
