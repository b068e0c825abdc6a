//===- SharedPointers.cpp - Addresses that a kernel keeps in shared memory ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pointer that one thread puts into shared memory is taken out by all:
///
///     __shared__ Vector *v;
///     if (threadIdx.x == 0)
///       v = new (buffer) Vector(data);
///     __syncthreads();
///     v->push(1);
///
/// Shared memory begins without a value, so a load gives what some store put
/// there. Where the whole life of a shared variable is in sight and every store
/// to a place in it stores the address of the same shared array, its loads give
/// that address. What has its own address kept in another (`buffer` in `v`) is
/// in sight when all that is loaded from there is.
///
/// Tables of virtual functions are left alone: nvcc does not look through
/// memory for them.
///
//===----------------------------------------------------------------------===//

#include "PrepareSteps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace warplint {
namespace {

/// A use of a shared variable: \p Size bytes at \p Offset from its beginning.
struct Touch {
  Instruction *I;
  uint64_t Offset, Size;
};

/// What is done with one variable.
struct Life {
  SmallVector<Touch, 8> Touches;
  /// Stores of its address.
  SmallVector<StoreInst *, 2> Kept;
  bool InSight = true;
};

constexpr StringLiteral FollowedMetadata = "warplint.followed";

bool isFollowed(const Instruction &I) {
  return all_of(I.users(), [](const User *U) {
    return cast<Instruction>(U)->hasMetadata(FollowedMetadata);
  });
}

class Follower {
public:
  explicit Follower(Module &M) : DL(M.getDataLayout()) {
    for (GlobalVariable &G : M.globals())
      if (G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
          !G.isDeclaration())
        walk(G, 0, *(Lives[&G] = std::make_unique<Life>()));
  }

  /// Replaces the users of what is known; true when there was something.
  bool step() {
    bool Changed = false;
    for (auto &[G, Of] : Lives) {
      Life &L = *Of;
      if (!L.InSight ||
          !all_of(L.Kept, [&](StoreInst *S) { return isClosed(*S); }))
        continue;
      for (const Touch &T : L.Touches)
        if (auto *Load = dyn_cast<LoadInst>(T.I))
          Changed |= follow(*Load, T, L);
    }
    return Changed;
  }

private:
  void walk(Value &Pointer, uint64_t Offset, Life &L) {
    for (Use &U : Pointer.uses()) {
      User *By = U.getUser();
      if (auto *GEP = dyn_cast<GEPOperator>(By)) {
        APInt Moved(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
        if (GEP->accumulateConstantOffset(DL, Moved))
          walk(*GEP, Offset + Moved.getZExtValue(), L);
        else
          L.InSight = false;
      } else if (isa<AddrSpaceCastOperator>(By)) {
        walk(*By, Offset, L);
      } else if (auto *Load = dyn_cast<LoadInst>(By)) {
        touch(*Load, Load->getType(), Offset, L);
      } else if (auto *Store = dyn_cast<StoreInst>(By)) {
        if (U.getOperandNo() == StoreInst::getPointerOperandIndex())
          touch(*Store, Store->getValueOperand()->getType(), Offset, L);
        else
          L.Kept.push_back(Store);
      } else if (auto *RMW = dyn_cast<AtomicRMWInst>(By);
                 RMW && &RMW->getOperandUse(0) == &U) {
        touch(*RMW, RMW->getType(), Offset, L);
      } else if (auto *I = dyn_cast<Instruction>(By);
                 I && I->hasMetadata(FollowedMetadata)) {
        walk(*I, Offset, L);
      } else if (!I || (!isCallBoundary(*I) && !I->isLifetimeStartOrEnd())) {
        L.InSight = false;
      }
    }
  }

  /// Whatever is loaded from where \p Store puts an address has been replaced.
  bool isClosed(StoreInst &Store) {
    auto At = Owners.find(&Store);
    if (At == Owners.end())
      return false;
    const Life &L = *At->second;
    return L.InSight && L.Kept.empty() && all_of(L.Touches, [](const Touch &T) {
             return isa<StoreInst>(T.I) || isFollowed(*T.I) ||
                    !T.I->getType()->isPointerTy();
           });
  }

  void touch(Instruction &I, Type *T, uint64_t Offset, Life &L) {
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Owners[Store] = &L;
    L.Touches.push_back({&I, Offset, DL.getTypeStoreSize(T).getFixedValue()});
  }

  static bool isSharedAddress(const Constant &C) {
    const auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(&C));
    return G && G->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  }

  static bool follow(LoadInst &Load, const Touch &At, Life &L) {
    if (!Load.getType()->isPointerTy() || Load.isVolatile() || isFollowed(Load))
      return false;
    Constant *Value = nullptr;
    for (const Touch &T : L.Touches) {
      if (T.Offset >= At.Offset + At.Size || At.Offset >= T.Offset + T.Size ||
          isa<LoadInst>(T.I))
        continue;
      auto *Store = dyn_cast<StoreInst>(T.I);
      auto *Stored =
          Store ? dyn_cast<Constant>(Store->getValueOperand()) : nullptr;
      if (!Stored || T.Offset != At.Offset ||
          Stored->getType() != Load.getType() || !isSharedAddress(*Stored) ||
          (Value && Value != Stored))
        return false;
      Value = Stored;
    }
    if (!Value)
      return false;
    // Of this the passes know neither what the address is, as nvcc, nor that
    // the load is not needed.
    IRBuilder<> B(Load.getNextNode());
    B.SetCurrentDebugLocation(Load.getDebugLoc());
    Type *P = Load.getType();
    CallInst *Followed = B.CreateCall(
        InlineAsm::get(FunctionType::get(P, {P, P}, false), "mov.u64 $0, $1;",
                       "=l,l,l", /*hasSideEffects=*/false),
        {Value, Value});
    Followed->setDoesNotAccessMemory();
    Followed->setDoesNotThrow();
    Followed->setMetadata(FollowedMetadata, MDNode::get(B.getContext(), {}));
    Load.replaceAllUsesWith(Followed);
    Followed->setArgOperand(1, &Load);
    return true;
  }

  const DataLayout &DL;
  MapVector<GlobalVariable *, std::unique_ptr<Life>> Lives;
  DenseMap<const StoreInst *, const Life *> Owners;
};

} // namespace

void followSharedPointers(Module &M) {
  // What became known shows more of the lives of others.
  while (Follower(M).step())
    ;
}

} // namespace warplint
