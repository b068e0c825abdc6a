//===- Vocabulary.cpp - The words of the reports --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace warplint {

StringRef patternName(AccessPattern Pattern) {
  switch (Pattern) {
  case AccessPattern::Coalesced:
    return "coalesced";
  case AccessPattern::Broadcast:
    return "broadcast";
  case AccessPattern::Strided:
    return "strided";
  case AccessPattern::Aos:
    return "aos";
  case AccessPattern::Misaligned:
    return "misaligned";
  case AccessPattern::Indirect:
    return "indirect";
  case AccessPattern::Conflict:
    return "conflict";
  case AccessPattern::ConflictFree:
    return "conflict-free";
  case AccessPattern::Unknown:
    return "unknown";
  }
  llvm_unreachable("every pattern has a name");
}

StringRef severityName(Severity Level) {
  switch (Level) {
  case Severity::High:
    return "high";
  case Severity::Medium:
    return "medium";
  case Severity::Low:
    return "low";
  case Severity::Remark:
    return "remark";
  }
  llvm_unreachable("every severity has a name");
}

StringRef safetyName(FixSafety Safety) {
  return Safety == FixSafety::Safe ? "safe" : "review";
}

std::string gainSentence(const GainEstimate &Gain) {
  // What two measurements of one thing can differ by.
  constexpr double Noise = 1.05;
  std::string Text =
      Gain.Factor < Noise
          ? "estimated to gain under 5 % of the kernel's time"
          : formatv(
                "the kernel is estimated to be {0:f1} times as fast without "
                "this waste",
                Gain.Factor)
                .str();
  return Text + " (" + Gain.Basis + ")";
}

std::string fixSentence(const Fix &F) {
  return formatv("fix: {0} (verified: {1}{2})", F.Description, F.Verified,
                 F.Safety == FixSafety::Safe ? "" : "; to be reviewed")
      .str();
}

StringRef reasonName(UnknownReason Reason) {
  switch (Reason) {
  case UnknownReason::None:
    return "";
  case UnknownReason::DataDependentAddress:
    return "data-dependent-address";
  case UnknownReason::DataDependentMask:
    return "data-dependent-mask";
  case UnknownReason::SymbolicStride:
    return "symbolic-stride";
  case UnknownReason::UnknownAlignment:
    return "unknown-alignment";
  case UnknownReason::UnknownShape:
    return "unknown-shape";
  case UnknownReason::UnknownPointer:
    return "unknown-pointer";
  case UnknownReason::InlineAssembly:
    return "inline-assembly";
  case UnknownReason::OpaqueCall:
    return "opaque-call";
  case UnknownReason::FloatIndex:
    return "float-index";
  case UnknownReason::LoopCarried:
    return "loop-carried";
  case UnknownReason::Arithmetic:
    return "arithmetic";
  case UnknownReason::BudgetExceeded:
    return "budget-exceeded";
  }
  llvm_unreachable("every reason has a name");
}

StringRef reasonPhrase(UnknownReason Reason) {
  switch (Reason) {
  case UnknownReason::None:
    return "";
  case UnknownReason::DataDependentAddress:
    return "the index was loaded from memory";
  case UnknownReason::DataDependentMask:
    return "loaded data decides which lanes take part";
  case UnknownReason::SymbolicStride:
    return "the distance between lanes is not known here";
  case UnknownReason::UnknownAlignment:
    return "where the first lane falls in a sector is not known here";
  case UnknownReason::UnknownShape:
    return "the block shape decides and is not known here";
  case UnknownReason::UnknownPointer:
    return "which object the pointer points to is not known here";
  case UnknownReason::InlineAssembly:
    return "the address comes out of inline PTX";
  case UnknownReason::OpaqueCall:
    return "the address comes out of a function without a body here";
  case UnknownReason::FloatIndex:
    return "the index comes out of floating-point arithmetic";
  case UnknownReason::LoopCarried:
    return "the loop's recurrence was not solved";
  case UnknownReason::Arithmetic:
    return "the index arithmetic could not be followed";
  case UnknownReason::BudgetExceeded:
    return "the kernel's budget ran out before";
  }
  llvm_unreachable("every reason has a phrase");
}

bool isRange(UnknownReason Reason) {
  switch (Reason) {
  case UnknownReason::SymbolicStride:
  case UnknownReason::UnknownAlignment:
  case UnknownReason::UnknownShape:
  case UnknownReason::DataDependentMask:
    return true;
  default:
    return false;
  }
}

StringRef unitName(MemorySpace Space, double Count) {
  bool One = Count == 1;
  switch (Space) {
  case MemorySpace::Shared:
    return One ? "wavefront" : "wavefronts";
  case MemorySpace::Constant:
    return One ? "pass" : "passes";
  default:
    return One ? "sector" : "sectors";
  }
}

std::string objectName(const NamedAccess &N) {
  if (N.A.Object.empty())
    return N.Names.Variable;
  return sourceName(N.A.Object);
}

std::string formatCount(double Count) {
  double Tenths = std::round(Count * 10) / 10;
  if (Tenths == std::floor(Tenths))
    return formatv("{0}", static_cast<int64_t>(Tenths)).str();
  return formatv("{0:F1}", Tenths).str();
}

std::string formatBlock(const Dim3 &Block) {
  return formatv("{0}x{1}x{2}", Block[0], Block[1], Block[2]).str();
}

std::string shortKernelName(StringRef Name) {
  // Parameters begin at the first parenthesis outside template arguments,
  // unless it opens "(anonymous namespace)".
  unsigned Angles = 0;
  size_t End = Name.size(), Begin = 0;
  for (size_t I = 0; I < Name.size(); ++I) {
    char C = Name[I];
    if (Name.substr(I).starts_with("(anonymous namespace)")) {
      I += sizeof("(anonymous namespace)") - 2;
      continue;
    }
    if (C == '<')
      ++Angles;
    else if (C == '>' && Angles)
      --Angles;
    else if (C == '(' && !Angles) {
      End = I;
      break;
    } else if (C == ' ' && !Angles)
      Begin = I + 1;
  }
  StringRef Short = Name.slice(Begin, End);
  return (Short.empty() ? Name : Short).str();
}

} // namespace warplint
