//===- InlinePtx.cpp - The few inline PTX instructions that are understood ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// Inline PTX is an opaque value, but for what the toolkit's own headers use it
/// for: reading special registers (cooperative groups), asynchronous copies
/// (cuda_pipeline.h), ldmatrix, address conversion, and plain loads and stores.
///
//===----------------------------------------------------------------------===//

#include "WarpRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace warplint {

std::optional<unsigned> matricesOf(StringRef Name);

namespace {
/// One PTX instruction: `[@p] op operands`.
struct PtxLine {
  StringRef Op;
  SmallVector<StringRef, 6> Operands;
};
} // namespace

/// The instructions of a text, without braces and declarations.
static SmallVector<PtxLine, 4> parsePtx(StringRef Text) {
  SmallVector<PtxLine, 4> Lines;
  SmallVector<StringRef, 4> Statements;
  Text.split(Statements, ';');
  for (StringRef S : Statements) {
    S = S.trim(" \t\n\r{}");
    if (S.starts_with("//"))
      S = S.split('\n').second.trim();
    if (S.starts_with("@"))
      S = S.drop_until([](char C) { return isSpace(C); }).trim();
    if (S.empty() || S.starts_with("."))
      continue;
    PtxLine L;
    size_t End = S.find_first_of(" \t\n");
    L.Op = S.take_front(End);
    StringRef Rest = End == StringRef::npos ? "" : S.drop_front(End).trim();
    SmallVector<StringRef, 6> Words;
    Rest.split(Words, ',');
    for (StringRef W : Words)
      L.Operands.push_back(W.trim(" \t\n{}"));
    Lines.push_back(std::move(L));
  }
  return Lines;
}

static std::optional<MemorySpace> spaceIn(StringRef Op) {
  if (Op.contains(".shared"))
    return MemorySpace::Shared;
  if (Op.contains(".global"))
    return MemorySpace::Global;
  return std::nullopt;
}

/// Bytes that a load or store moves, out of `.v4.f32` and the like.
static unsigned bytesIn(StringRef Op) {
  SmallVector<StringRef, 10> Words;
  Op.split(Words, '.');
  unsigned Vector = 1, Bytes = 0;
  for (StringRef W : Words) {
    unsigned N = 0;
    if (W == "v2" || W == "v4" || W == "v8")
      Vector = W[1] - '0';
    else if (W.size() >= 2 && StringRef("bsuf").contains(W[0]) &&
             !W.drop_front().getAsInteger(10, N) && N % 8 == 0)
      Bytes = N / 8;
  }
  return Vector * Bytes;
}

void WarpRun::inlinePtx(const CallInst &I) {
  const auto *Asm = cast<InlineAsm>(I.getCalledOperand());
  // `$0` counts results first, then arguments.
  SmallVector<const Value *, 8> Inputs;
  unsigned NextArg = 0;
  SmallVector<const Value *, 8> ByNumber;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    if (C.Type == InlineAsm::isOutput && !C.isIndirect) {
      ByNumber.push_back(nullptr);
    } else if (C.Type == InlineAsm::isInput ||
               (C.Type == InlineAsm::isOutput && C.isIndirect)) {
      ByNumber.push_back(NextArg < I.arg_size() ? I.getArgOperand(NextArg)
                                                : nullptr);
      ++NextArg;
    }
  }
  auto Input = [&](StringRef Operand) -> const Value * {
    Operand = Operand.trim(" []");
    size_t Plus = Operand.find('+');
    Operand = Operand.take_front(Plus).trim();
    if (!Operand.consume_front("$"))
      return nullptr;
    unsigned N;
    if (Operand.trim("{}").getAsInteger(10, N) || N >= ByNumber.size())
      return nullptr;
    return ByNumber[N];
  };
  auto Displacement = [](StringRef Operand) {
    int64_t N = 0;
    StringRef After = Operand.trim(" []").split('+').second.trim();
    return !After.empty() && !After.getAsInteger(10, N) ? N : 0;
  };
  for (const Use &A : I.args())
    escape(A.get());
  Parts Result =
      unknownOf(I.getType(), SymbolOrigin::Assembly, "inline PTX", true);
  auto Lines = parsePtx(Asm->getAsmString());
  auto Set = [&](const LaneInt &V) {
    if (!Result.empty())
      Result[0] = V;
  };

  for (const PtxLine &L : Lines) {
    StringRef Op = L.Op;
    auto Operand = [&](size_t K) {
      return K < L.Operands.size() ? L.Operands[K] : StringRef();
    };
    auto Address = [&](size_t K) -> std::optional<LaneInt> {
      const Value *V = Input(Operand(K));
      if (!V)
        return std::nullopt;
      return D.add(scalar(V), LaneInt::constant(Displacement(Operand(K))));
    };
    auto Bracketed = [&] {
      for (size_t K = 0; K < L.Operands.size(); ++K)
        if (L.Operands[K].contains('['))
          return K;
      return L.Operands.size();
    };
    if (Op.starts_with("mov.") && Lines.size() == 1) {
      StringRef From = Operand(1);
      while (From.consume_front("%"))
        ;
      if (auto V = laneRegister(From))
        Set(*V);
      else if (const Value *In = Input(Operand(1)))
        Set(scalar(In));
      else if (!I.getType()->isVoidTy())
        // Another special register: one value for the warp.
        Result = unknownOf(I.getType(), SymbolOrigin::Assembly,
                           ("%" + From).str(), false);
    } else if (Op.starts_with("cvta.")) {
      if (auto A = Address(1); A && Lines.size() == 1)
        Set(*A);
    } else if (Op.starts_with("ldmatrix")) {
      auto A = Address(Bracketed());
      auto Matrices = matricesOf(Op);
      if (A && Matrices) {
        request(I, 0, *A, MemoryOp::Load, 16, 16, MemorySpace::Shared,
                *Matrices);
        Result = unknownOf(I.getType(), SymbolOrigin::Loaded, "a matrix", true);
      }
    } else if (Op.starts_with("cp.async.c")) {
      auto To = Address(0), From = Address(1);
      int64_t Bytes = 0;
      const Value *Size = Input(Operand(2));
      if (Size)
        Bytes = scalar(Size).uniformConstant().value_or(0);
      else if (Operand(2).getAsInteger(0, Bytes))
        Bytes = 0;
      if (To && From && Bytes > 0 && Bytes <= 16) {
        request(I, 0, *From, MemoryOp::Load, unsigned(Bytes), unsigned(Bytes),
                MemorySpace::Global);
        request(I, 1, *To, MemoryOp::Store, unsigned(Bytes), unsigned(Bytes),
                MemorySpace::Shared);
      }
    } else if (Op.starts_with("ld.") || Op.starts_with("st.") ||
               Op.starts_with("red.") || Op.starts_with("atom.")) {
      auto A = Address(Bracketed());
      unsigned Bytes = bytesIn(Op);
      MemoryOp Kind = Op.starts_with("ld.")   ? MemoryOp::Load
                      : Op.starts_with("st.") ? MemoryOp::Store
                                              : MemoryOp::Atomic;
      if (A && Bytes && Bytes <= 32) {
        request(I, 0, *A, Kind, Bytes, Bytes, spaceIn(Op));
        if (Kind != MemoryOp::Store)
          Result = unknownOf(I.getType(), SymbolOrigin::Loaded,
                             "inline PTX load", !D.isUniform(*A, Now.Lanes));
      } else {
        unrequested(I, LaneInt(), Kind, Bytes, UnknownReason::InlineAssembly,
                    "the address inside inline PTX");
      }
    }
  }
  if (!I.getType()->isVoidTy())
    reg(&I) = std::move(Result);
}

} // namespace warplint
