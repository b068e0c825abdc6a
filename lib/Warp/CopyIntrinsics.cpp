//===- CopyIntrinsics.cpp - Built-ins that move memory -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace warplint {

/// ldmatrix in any spelling: `.x4` among its dot-separated words.
std::optional<unsigned> matricesOf(StringRef Name) {
  SmallVector<StringRef, 12> Words;
  Name.split(Words, '.');
  for (StringRef W : Words) {
    if (W == "x1")
      return 1;
    if (W == "x2")
      return 2;
    if (W == "x4")
      return 4;
  }
  return std::nullopt;
}

bool WarpRun::memoryIntrinsic(const CallInst &I, StringRef Name) {
  if (const auto *M = dyn_cast<MemIntrinsic>(&I)) {
    // Constant sizes were split into element accesses before; what is left
    // moves bytes one by one.
    escape(M->getRawDest());
    if (const auto *Copy = dyn_cast<MemTransferInst>(M))
      request(I, 0, scalar(Copy->getRawSource()), MemoryOp::Load, 1, 1,
              std::nullopt);
    request(I, 1, scalar(M->getRawDest()), MemoryOp::Store, 1, 1, std::nullopt);
    return true;
  }
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  if (Name.starts_with("ldg.global.") || Name.starts_with("ldu.global.")) {
    LaneInt At = scalar(I.getArgOperand(0));
    unsigned Bytes =
        Shape.F.getDataLayout().getTypeStoreSize(I.getType()).getFixedValue();
    request(I, 0, At, MemoryOp::Load, Bytes, Bytes, MemorySpace::Global);
    reg(&I) = readMemory(I, I.getType(), At);
    return true;
  }
  if (Name.starts_with("cp.async.c") && I.arg_size() >= 2) {
    unsigned Bytes = Name.contains(".16") ? 16 : Name.contains(".8") ? 8 : 4;
    request(I, 0, scalar(I.getArgOperand(1)), MemoryOp::Load, Bytes, Bytes,
            MemorySpace::Global);
    request(I, 1, scalar(I.getArgOperand(0)), MemoryOp::Store, Bytes, Bytes,
            MemorySpace::Shared);
    return true;
  }
  if (Name.starts_with("ldmatrix."))
    if (auto Matrices = matricesOf(Name)) {
      request(I, 0, scalar(I.getArgOperand(0)), MemoryOp::Load, 16, 16,
              MemorySpace::Shared, *Matrices);
      reg(&I) = unknownOf(I.getType(), SymbolOrigin::Loaded, "a matrix", true);
      return true;
    }
  if (Name.starts_with("wmma.") &&
      (Name.contains(".load.") || Name.contains(".store."))) {
    bool Store = Name.contains(".store.");
    unrequested(I, scalar(I.getArgOperand(0)),
                Store ? MemoryOp::Store : MemoryOp::Load, 16,
                UnknownReason::OpaqueCall,
                "how wmma spreads a tile over the lanes is not documented");
    if (!Store)
      reg(&I) = unknownOf(I.getType(), SymbolOrigin::Loaded, "a tile", true);
    return true;
  }
  if (Name.starts_with("tex.") || Name.starts_with("tld4.") ||
      Name.starts_with("suld.")) {
    // Textures go their own way; what they return is data.
    reg(&I) = unknownOf(I.getType(), SymbolOrigin::Loaded, "a texture", true);
    return true;
  }
  return false;
}

} // namespace warplint
