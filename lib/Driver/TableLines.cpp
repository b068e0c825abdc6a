//===- TableLines.cpp - Where nvcc's line table has an access ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableLines.h"
#include "warplint/Driver/DeviceModule.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warplint {

static constexpr StringLiteral TableMetadata = "warplint.table";
/// Scope, line and column.
static constexpr unsigned FrameSize = 3;

MDNode *asTableLine(LLVMContext &C, const DILocation *Place) {
  SmallVector<Metadata *, 2 * FrameSize> Frames;
  auto Number = [&](unsigned N) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(C), N));
  };
  for (; Place; Place = Place->getInlinedAt())
    Frames.append({Place->getScope(), Number(Place->getLine()),
                   Number(Place->getColumn())});
  return MDNode::get(C, Frames);
}

MDNode *tableLineOf(const Instruction &I) {
  return I.getMetadata(TableMetadata);
}

void setTableLine(Instruction &I, MDNode *Line) {
  I.setMetadata(TableMetadata, Line);
}

SmallVector<SourcePlace, 2> tablePlaces(const Instruction &I) {
  SmallVector<SourcePlace, 2> Places;
  const MDNode *Line = tableLineOf(I);
  for (unsigned At = 0; Line && At < Line->getNumOperands(); At += FrameSize) {
    auto Number = [&](unsigned Of) {
      return unsigned(mdconst::extract<ConstantInt>(Line->getOperand(At + Of))
                          ->getZExtValue());
    };
    Places.push_back(
        placeOf(*DILocation::get(I.getContext(), Number(1), Number(2),
                                 cast<DIScope>(Line->getOperand(At)))));
  }
  return Places;
}

bool leavesNothing(const Instruction &I) {
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    return GEP->hasAllConstantIndices();
  return isa<PHINode, AllocaInst, BitCastInst, AddrSpaceCastInst, FreezeInst,
             ExtractElementInst, InsertElementInst, ExtractValueInst,
             InsertValueInst>(I) ||
         I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd() ||
         isa<AssumeInst>(I);
}

} // namespace warplint
