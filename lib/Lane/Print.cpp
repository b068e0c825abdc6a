//===- Print.cpp - Values as a person reads them -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wrapping.h"
#include "warplint/Lane/LaneDomain.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace warplint {

/// "12*lane + 3", "8", or the list of lanes.
static std::string lanesText(const Lanes &V) {
  if (V.isUniform())
    return std::to_string(V[0]);
  int64_t Step = wrapSub(V[1], V[0]);
  bool Straight = true;
  for (unsigned L = 1; L < WarpLanes; ++L)
    Straight &= wrapSub(V[L], V[L - 1]) == Step;
  if (Straight) {
    std::string S = Step == 1    ? "lane"
                    : Step == -1 ? "-lane"
                                 : std::to_string(Step) + "*lane";
    if (V[0] > 0)
      S += " + " + std::to_string(V[0]);
    else if (V[0] < 0)
      S += " - " + std::to_string(-V[0]);
    return S;
  }
  std::string S = "[";
  for (unsigned L = 0; L < WarpLanes; ++L) {
    // Runs of one step print as "0, 4, .. 28".
    unsigned End = L + 1;
    if (L + 3 < WarpLanes) {
      int64_t D = wrapSub(V[L + 1], V[L]);
      while (End + 1 < WarpLanes && wrapSub(V[End + 1], V[End]) == D)
        ++End;
    }
    if (L)
      S += ", ";
    S += std::to_string(V[L]);
    if (End >= L + 3) {
      S += ", " + std::to_string(V[L + 1]) + " .. " + std::to_string(V[End]);
      L = End;
    }
  }
  return S + "]";
}

std::string LaneDomain::str(const Monomial &M) const {
  std::string S;
  for (SymbolId Id : M) {
    if (!S.empty())
      S += "*";
    const Symbol &Sym = Symbols[Id];
    if (Sym.Op == LaneOp::None) {
      S += Sym.Name;
      continue;
    }
    auto Arg = [&](unsigned I) {
      std::string T = str(Sym.Operands[I]);
      return Sym.Operands[I].isConstant() || Sym.Operands[I].singleSymbol()
                 ? T
                 : "(" + T + ")";
    };
    switch (Sym.Op) {
    case LaneOp::FloorDiv:
      S += "(" + Arg(0) + "/" + Arg(1) + ")";
      break;
    case LaneOp::And:
      S += "(" + Arg(0) + "&" + Arg(1) + ")";
      break;
    case LaneOp::Or:
      S += "(" + Arg(0) + "|" + Arg(1) + ")";
      break;
    case LaneOp::Xor:
      S += "(" + Arg(0) + "^" + Arg(1) + ")";
      break;
    case LaneOp::Shl:
      S += "(" + Arg(0) + "<<" + Arg(1) + ")";
      break;
    case LaneOp::Shr:
      S += "(" + Arg(0) + ">>" + Arg(1) + ")";
      break;
    case LaneOp::Mul:
      S += Arg(0) + "*" + Arg(1);
      break;
    case LaneOp::IsGE0:
      S += "[" + str(Sym.Operands[0]) + " >= 0]";
      break;
    case LaneOp::IsEQ0:
      S += "[" + str(Sym.Operands[0]) + " == 0]";
      break;
    case LaneOp::Popcount:
      S += "popcount(" + str(Sym.Operands[0]) + ")";
      break;
    case LaneOp::Geometric: {
      int64_t R = Sym.Operands[1].constant()[0];
      S += Arg(0) + (R > 0 ? "*" : "/") + std::to_string(R > 0 ? R : -R) + "^" +
           Arg(2);
      break;
    }
    case LaneOp::None:
      break;
    }
  }
  return S;
}

void LaneDomain::print(const LaneInt &A, raw_ostream &OS) const {
  bool First = true;
  for (const Term &T : A.terms()) {
    std::string K = lanesText(T.K);
    bool Sum = K.find(' ') != std::string::npos && K[0] != '[';
    bool Negative = !Sum && K[0] == '-';
    if (Negative)
      K.erase(0, 1);
    OS << (First ? (Negative ? "-" : "") : Negative ? " - " : " + ");
    First = false;
    if (Sum)
      OS << "(" << K << ")*";
    else if (K != "1")
      OS << K << "*";
    OS << str(T.M);
  }
  if (First) {
    OS << lanesText(A.constant());
    return;
  }
  if (A.constant().isZero())
    return;
  std::string C = lanesText(A.constant());
  if (C[0] == '-')
    OS << " - " << C.substr(1);
  else
    OS << " + " << C;
}

std::string LaneDomain::str(const LaneInt &A) const {
  std::string S;
  raw_string_ostream OS(S);
  print(A, OS);
  return S;
}

} // namespace warplint
