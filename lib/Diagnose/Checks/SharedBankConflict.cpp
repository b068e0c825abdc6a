//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// warplint-shared-bank-conflict: lanes of one request meet in a bank of shared
/// memory with different words.
///
//===----------------------------------------------------------------------===//

#include "../Layout.h"
#include "../Phrases.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace warplint {

/// The mean over a site is a sum of many terms; a conflict in one of twenty
/// requests is worth a word, rounding is not.
static constexpr double Noise = 1.05;

static bool hasConflict(const Site &S) {
  if (S.exact())
    return S.Cost.Mean > Noise * S.Ideal;
  if (S.reason() == UnknownReason::DataDependentAddress)
    return false;
  if (S.Cost.Min > Noise * S.Ideal)
    return true;
  // Whether a pitch of run-time size is odd is a coin toss: speak only where
  // the typical one is very bad.
  return S.reason() == UnknownReason::SymbolicStride &&
         S.Cost.Mean >= 4 * S.Ideal;
}

static Severity severity(const Site &S) {
  if (!S.exact())
    return Severity::Low;
  double Ratio = S.Cost.Mean / S.Ideal, Extra = S.Cost.Mean - S.Ideal;
  if (Ratio > 4 || Extra >= 6)
    return Severity::High;
  return Ratio < 2 || Extra <= 1 ? Severity::Low : Severity::Medium;
}

/// "neighbouring lanes are 32 words apart: bank = (32*lane + c) mod 32 ...".
static std::string arithmetic(const Access &A, const MachineModel &Machine) {
  std::optional<int64_t> Stride = dominantStride(A);
  int64_t Word = Machine.bankBytes(), Banks = Machine.banks();
  if (!Stride || *Stride % Word != 0)
    return formatv("bank = (byte offset / {0}) mod {1}", Word, Banks);
  int64_t Words = std::abs(*Stride) / Word;
  int64_t Reached = Banks / std::gcd(Words, Banks);
  return formatv("bank = ({0}*lane + c) mod {1}: the lanes share {2} of {1} "
                 "banks",
                 Words, Banks, Reached);
}

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  const Access &A = S.access();
  if (A.Space != MemorySpace::Shared ||
      S.Worst->Pattern != AccessPattern::Conflict || !hasConflict(S))
    return std::nullopt;
  Diagnosis D;
  D.Level = severity(S);
  // Of a typical request; several passes share the load evenly.
  unsigned Ways = A.Typical.Ideal ? (A.Typical.Units + A.Typical.Ideal - 1) /
                                        A.Typical.Ideal
                                  : 0;
  std::string Meet = Ways > 1
                         ? formatv("{0} lanes meet in one bank", Ways).str()
                         : "lanes meet in one bank";
  D.Message =
      formatv("{0} at {1}: {2}", Meet, subject(*S.Worst), costAgainstIdeal(S));
  D.Explanation.push_back(arithmetic(A, C.machine()));
  D.Explanation.push_back(adviseLayout(S, C));
  return D;
}

const Check SharedBankConflict = {
    {"warplint-shared-bank-conflict",
     "Finds shared memory accesses in which lanes of one request need "
     "different words of the same bank.",
     /*OnByDefault=*/true},
    examine};

} // namespace warplint
