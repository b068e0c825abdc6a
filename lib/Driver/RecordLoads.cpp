//===- RecordLoads.cpp - Loads of whole records, and what is used of them -===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc loads `float4 v = p[i]` as one vector and then drops the words nobody
/// reads. What stays, by the 4-byte words read of an aligned 16 (measured with
/// nvcc 13.0, sm_90):
///
///     one word                  one 4-byte load
///     x y  or  z w              one 8-byte load
///     any other two             two 4-byte loads
///     any three, or all four    one 16-byte load
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace warplint {
namespace {

constexpr uint64_t WordBytes = 4;

/// True when a vector of words can stand for the local \p Local: everything
/// reads and writes whole words of it. (SROA would leave a local that also has
/// bytes read in memory.) Pointers are left out: their origin must not be lost.
bool isUsedByWords(const AllocaInst &Local, const DataLayout &DL) {
  SmallVector<const Value *, 16> Work = {&Local};
  SmallPtrSet<const Value *, 16> Seen = {&Local};
  while (!Work.empty()) {
    for (const User *U : Work.pop_back_val()->users()) {
      const auto *I = cast<Instruction>(U);
      if (isa<GetElementPtrInst, AddrSpaceCastInst>(I)) {
        Work.push_back(I);
      } else if (isa<LoadInst, StoreInst>(I)) {
        Type *T = getLoadStoreType(I);
        if (Work.size() + Seen.size() > 1000 || T->isPtrOrPtrVectorTy() ||
            T->isAggregateType() || DL.getTypeStoreSize(T) % WordBytes ||
            (isa<StoreInst>(I) && T->isPointerTy()))
          return false;
      } else if (const auto *Copy = dyn_cast<MemTransferInst>(I)) {
        for (const Value *Side : {Copy->getRawSource(), Copy->getRawDest()})
          if (const auto *Other =
                  dyn_cast<AllocaInst>(getUnderlyingObject(Side)))
            if (Seen.insert(Other).second)
              Work.push_back(Other);
      } else if (!isa<MemSetInst>(I) && !I->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  return true;
}

/// A copy from memory into a local of words, wide enough to be worth it.
bool isRecordLoad(const MemCpyInst &Copy) {
  auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  const Value *From = getUnderlyingObject(Copy.getRawSource());
  const auto *To = dyn_cast<AllocaInst>(getUnderlyingObject(Copy.getRawDest()));
  if (!Length || !To || Copy.isVolatile() || isa<AllocaInst>(From) ||
      isa<GlobalVariable>(From))
    return false;
  if (const auto *A = dyn_cast<Argument>(From); A && A->hasByValAttr())
    return false;
  uint64_t Size = Length->getZExtValue();
  return Copy.getSourceAlign().valueOrOne() >= Align(2 * WordBytes) &&
         Copy.getDestAlign().valueOrOne() >= Align(WordBytes) &&
         Size % (2 * WordBytes) == 0 && Size <= 16 * WidestAccess &&
         isUsedByWords(*To, Copy.getDataLayout());
}

void loadAsVectors(MemCpyInst &Copy) {
  IRBuilder<> B(&Copy);
  uint64_t Size = cast<ConstantInt>(Copy.getLength())->getZExtValue();
  Align From = Copy.getSourceAlign().valueOrOne();
  Align To = Copy.getDestAlign().valueOrOne();
  uint64_t Widest = std::min<uint64_t>(From.value(), WidestAccess);
  for (uint64_t Offset = 0; Offset != Size;) {
    uint64_t Bytes = Size - Offset < Widest ? 2 * WordBytes : Widest;
    Type *T = FixedVectorType::get(B.getInt32Ty(), Bytes / WordBytes);
    auto at = [&](Value *Base) {
      return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, Offset);
    };
    Value *Part = B.CreateAlignedLoad(T, at(Copy.getRawSource()),
                                      commonAlignment(From, Offset));
    B.CreateAlignedStore(Part, at(Copy.getRawDest()),
                         commonAlignment(To, Offset));
    Offset += Bytes;
  }
  Copy.eraseFromParent();
}

/// One bit for each of \p Count bytes from \p First on.
uint64_t bytesFrom(uint64_t First, uint64_t Count) {
  return maskTrailingOnes<uint64_t>(Count) << First;
}

/// The bytes of the vector \p V, of at most 16, that anybody reads.
uint64_t bytesRead(const Value &V, const DataLayout &DL) {
  auto *T = cast<FixedVectorType>(V.getType());
  unsigned Count = T->getNumElements();
  uint64_t Bytes = DL.getTypeStoreSize(T->getElementType());
  uint64_t All = bytesFrom(0, Count * Bytes);
  uint64_t Read = 0;
  for (const User *U : V.users()) {
    if (const auto *Extract = dyn_cast<ExtractElementInst>(U)) {
      auto *Index = dyn_cast<ConstantInt>(Extract->getIndexOperand());
      if (!Index || Index->getZExtValue() >= Count)
        return All;
      if (!Extract->use_empty())
        Read |= bytesFrom(Index->getZExtValue() * Bytes, Bytes);
    } else if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(U)) {
      for (auto [Operand, First] : {std::pair(Shuffle->getOperand(0), 0u),
                                    std::pair(Shuffle->getOperand(1), Count)})
        for (int Index : Shuffle->getShuffleMask())
          if (Operand == &V && Index >= int(First) &&
              Index < int(First + Count))
            Read |= bytesFrom((Index - First) * Bytes, Bytes);
    } else if (const auto *Cast = dyn_cast<BitCastInst>(U);
               Cast && Cast->getType()->isVectorTy()) {
      Read |= bytesRead(*Cast, DL);
    } else {
      return All;
    }
  }
  return Read;
}

/// A load of a vector of at most 16 bytes, as the vectoriser or a record's copy
/// left it; a masked one (the vectoriser's, with a constant mask) as well.
struct VectorLoad {
  Instruction *I = nullptr;
  Value *Pointer = nullptr;
  FixedVectorType *Type = nullptr;
  Align At;
  uint64_t ElementBytes = 0, Bytes = 0;
  uint64_t Read = 0; ///< of the bytes

  static std::optional<VectorLoad> match(Instruction &I, const DataLayout &DL) {
    VectorLoad V;
    V.I = &I;
    V.Type = dyn_cast<FixedVectorType>(I.getType());
    if (!V.Type)
      return std::nullopt;
    V.ElementBytes = DL.getTypeStoreSize(V.Type->getElementType());
    V.Bytes = V.ElementBytes * V.Type->getNumElements();
    if (V.Bytes > WidestAccess || DL.getTypeStoreSize(V.Type) != V.Bytes)
      return std::nullopt;
    V.Read = bytesRead(I, DL);
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      if (!L->isSimple())
        return std::nullopt;
      V.Pointer = L->getPointerOperand();
      V.At = L->getAlign();
      return V;
    }
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || Call->getIntrinsicID() != Intrinsic::masked_load)
      return std::nullopt;
    auto *Mask = dyn_cast<Constant>(Call->getArgOperand(1));
    if (!Mask)
      return std::nullopt;
    V.Pointer = Call->getArgOperand(0);
    V.At = Call->getParamAlign(0).valueOrOne();
    for (unsigned E = 0; E != V.Type->getNumElements(); ++E)
      if (Constant *Bit = Mask->getAggregateElement(E);
          !Bit || Bit->isNullValue())
        V.Read &= ~bytesFrom(E * V.ElementBytes, V.ElementBytes);
    return V;
  }
};

/// A run of bytes of a vector.
struct Part {
  uint64_t First, Bytes;
};

/// Replaces \p V by loads of \p Parts, which hold whole elements.
void loadParts(const VectorLoad &V, ArrayRef<Part> Parts) {
  IRBuilder<> B(V.I);
  Type *Element = V.Type->getElementType();
  Value *Whole = PoisonValue::get(V.Type);
  for (auto [First, Bytes] : Parts) {
    unsigned Count = Bytes / V.ElementBytes;
    Value *Address = V.Pointer;
    if (First)
      Address = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, First);
    LoadInst *Load = B.CreateAlignedLoad(
        Count == 1 ? Element : FixedVectorType::get(Element, Count), Address,
        commonAlignment(V.At, First));
    AAMDNodes Tags = V.I->getAAMetadata();
    Tags.TBAA = Tags.TBAAStruct = nullptr; // they describe the whole
    Load->setAAMetadata(Tags);
    for (unsigned E = 0; E != Count; ++E) {
      Value *One = Count == 1 ? Load : B.CreateExtractElement(Load, E);
      unsigned Index = First / V.ElementBytes + E;
      // A reader of one element is given it without the detour.
      for (User *U : make_early_inc_range(V.I->users()))
        if (auto *Extract = dyn_cast<ExtractElementInst>(U))
          if (auto *At = dyn_cast<ConstantInt>(Extract->getIndexOperand());
              At && At->equalsInt(Index)) {
            Extract->replaceAllUsesWith(One);
            Extract->eraseFromParent();
          }
      Whole = B.CreateInsertElement(Whole, One, Index);
    }
  }
  V.I->replaceAllUsesWith(Whole);
  V.I->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Whole);
}

/// Applies the table above to one load. True: it was replaced.
bool narrow(const VectorLoad &V) {
  if (V.Read == 0)
    return false;
  // One element, which may be a part of a word.
  uint64_t Only = countr_zero(V.Read) / V.ElementBytes * V.ElementBytes;
  if ((V.Read & ~bytesFrom(Only, V.ElementBytes)) == 0) {
    loadParts(V, {{Only, V.ElementBytes}});
    return true;
  }
  SmallVector<uint64_t, 4> Words; // first bytes of those read
  for (uint64_t First = 0; First < V.Bytes; First += WordBytes)
    if (V.Read & bytesFrom(First, WordBytes))
      Words.push_back(First);
  bool WholeElements = V.ElementBytes <= WordBytes;
  if (Words.size() == 1 && V.Bytes > WordBytes && WholeElements) {
    loadParts(V, {{Words[0], WordBytes}});
    return true;
  }
  if (Words.size() == 2 && V.Bytes > 2 * WordBytes) {
    if (Words[0] % (2 * WordBytes) == 0 && Words[1] == Words[0] + WordBytes) {
      loadParts(V, {{Words[0], 2 * WordBytes}});
      return true;
    }
    if (WholeElements) {
      loadParts(V, {{Words[0], WordBytes}, {Words[1], WordBytes}});
      return true;
    }
  }
  if (isa<LoadInst>(V.I))
    return false;
  loadParts(V, {{0, V.Bytes}});
  return true;
}

/// The words 1 to 3 of an aligned 16 bytes, which the vectoriser joins to
/// 4 + 8 bytes: with the alignment known, one load.
class LeadingGaps {
public:
  LeadingGaps(Function &F, AAResults &AA, AssumptionCache &AC,
              DominatorTree &DT)
      : DL(F.getDataLayout()), AA(AA), AC(AC), DT(DT) {}

  bool fill(BasicBlock &BB) {
    bool Changed = false;
    SmallVector<LoadInst *, 16> Singles;
    for (Instruction &I : make_early_inc_range(BB)) {
      auto *L = dyn_cast<LoadInst>(&I);
      if (!L || !L->isSimple() ||
          L->getPointerAddressSpace() != NVPTXAS::ADDRESS_SPACE_SHARED)
        continue;
      uint64_t Bytes = DL.getTypeStoreSize(L->getType());
      if (Bytes == WordBytes) {
        Singles.push_back(L);
        continue;
      }
      if (Bytes != 2 * WordBytes || !L->getType()->isVectorTy() ||
          bytesRead(*L, DL) != bytesFrom(0, 2 * WordBytes))
        continue;
      for (LoadInst *&Single : Singles)
        if (Single && follows(*Single, *L) && !clobbered(*Single, *L)) {
          join(*Single, *L);
          Single = nullptr;
          Changed = true;
          break;
        }
    }
    return Changed;
  }

private:
  /// \p Pair begins 4 bytes behind \p Single, at word 2 of an aligned 16.
  bool follows(const LoadInst &Single, const LoadInst &Pair) const {
    if (Single.getType() != Pair.getType()->getScalarType())
      return false;
    APInt A(DL.getIndexTypeSizeInBits(Single.getPointerOperand()->getType()),
            0),
        B = A;
    const Value *BaseA =
        Single.getPointerOperand()->stripAndAccumulateConstantOffsets(
            DL, A, /*AllowNonInbounds=*/true);
    const Value *BaseB =
        Pair.getPointerOperand()->stripAndAccumulateConstantOffsets(
            DL, B, /*AllowNonInbounds=*/true);
    if (BaseA != BaseB || B.getSExtValue() - A.getSExtValue() != WordBytes ||
        (A.getSExtValue() & (WidestAccess - 1)) != WordBytes)
      return false;
    return getKnownAlignment(const_cast<Value *>(BaseA), DL, &Single, &AC,
                             &DT) >= Align(WidestAccess);
  }

  bool clobbered(const LoadInst &Single, const LoadInst &Pair) const {
    MemoryLocation Where = MemoryLocation::get(&Pair);
    for (const Instruction *I = Single.getNextNode(); I != &Pair;
         I = I->getNextNode())
      if (I->mayWriteToMemory() && isModSet(AA.getModRefInfo(I, Where)))
        return true;
    return false;
  }

  void join(LoadInst &Single, LoadInst &Pair) {
    IRBuilder<> B(&Single);
    Value *Address = B.CreateGEP(B.getInt8Ty(), Single.getPointerOperand(),
                                 B.getInt64(-int64_t(WordBytes)));
    Value *Whole =
        B.CreateAlignedLoad(FixedVectorType::get(Single.getType(), 4), Address,
                            Align(WidestAccess));
    Single.replaceAllUsesWith(B.CreateExtractElement(Whole, 1));
    Pair.replaceAllUsesWith(B.CreateShuffleVector(Whole, {2, 3}));
    Single.eraseFromParent();
    Pair.eraseFromParent();
  }

  const DataLayout &DL;
  AAResults &AA;
  AssumptionCache &AC;
  DominatorTree &DT;
};

} // namespace

void keepRecordLoadsWhole(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Copy = dyn_cast<MemCpyInst>(&I))
      if (isRecordLoad(*Copy))
        loadAsVectors(*Copy);
}

PreservedAnalyses NarrowLoadsPass::run(Function &F,
                                       FunctionAnalysisManager &AM) {
  bool Changed = false;
  SmallVector<Instruction *, 32> Work;
  for (Instruction &I : instructions(F))
    if (I.getType()->isVectorTy())
      Work.push_back(&I);
  for (Instruction *I : Work)
    if (std::optional<VectorLoad> V = VectorLoad::match(*I, F.getDataLayout()))
      Changed |= narrow(*V);
  LeadingGaps Gaps(F, AM.getResult<AAManager>(F),
                   AM.getResult<AssumptionAnalysis>(F),
                   AM.getResult<DominatorTreeAnalysis>(F));
  for (BasicBlock &BB : F)
    Changed |= Gaps.fill(BB);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace warplint
