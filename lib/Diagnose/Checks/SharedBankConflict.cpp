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

/// True when one distance lies between all neighbouring active lanes.
static bool hasOneStride(const Access &A, int64_t Stride) {
  for (unsigned L = 1; L < WarpLanes; ++L)
    if ((A.Active >> (L - 1) & 3) == 3 &&
        A.Offsets[L] - A.Offsets[L - 1] != Stride)
      return false;
  return true;
}

/// Two lanes that a pass cannot serve together, as an example.
static std::string exampleOf(const Access &A, const MachineModel &Machine) {
  int64_t Word = Machine.bankBytes(), Banks = Machine.banks();
  for (unsigned L = 1; L < WarpLanes; ++L)
    for (unsigned K = 0; K < L; ++K) {
      LaneMask Pair = LaneMask(1) << L | LaneMask(1) << K;
      int64_t W = A.Offsets[L] / Word, V = A.Offsets[K] / Word;
      if ((A.Active & Pair) != Pair || W == V || (W - V) % Banks != 0)
        continue;
      // Lanes of different passes never meet.
      RequestCost Cost = Machine.sharedRequest(A.Offsets, Pair, A.Bytes);
      if (Cost.Units <= Cost.Ideal)
        continue;
      return formatv("; lanes {0} and {1} need words {2} and {3} of the array, "
                     "both in one bank",
                     K, L, V, W);
    }
  return "";
}

/// "bank = (32*lane + c) mod 32: the lanes share 1 of 32 banks".
static std::string arithmetic(const Access &A, const MachineModel &Machine) {
  std::optional<int64_t> Stride = dominantStride(A);
  int64_t Word = Machine.bankBytes(), Banks = Machine.banks();
  if (A.Matrices && Stride)
    return formatv("each 8x8 matrix is 8 rows of 16 bytes, {0} bytes apart: "
                   "bank = ({1}*row + c) mod {2}",
                   std::abs(*Stride), std::abs(*Stride) / Word, Banks);
  if (!Stride || *Stride == 0 || *Stride % Word != 0 ||
      !hasOneStride(A, *Stride))
    return formatv("bank = (byte offset / {0}) mod {1}", Word, Banks).str() +
           (A.Matrices ? "" : exampleOf(A, Machine));
  int64_t Words = std::abs(*Stride) / Word;
  int64_t Reached = Banks / std::gcd(Words, Banks);
  return formatv("bank = ({0}*lane + c) mod {1}: the first words of the lanes "
                 "lie in {2} of {1} banks",
                 Words, Banks, Reached);
}

static const char LanesMeetInAWord[] =
    "no layout of the array changes which lanes meet in a word";

/// Lanes on one word of an update that is a loop: each needs a round. What one
/// round costs has nothing to do with it.
static Diagnosis goesRound(const Site &S) {
  const NamedAccess &Update = **find_if(S.Members, [](const NamedAccess *N) {
    return N->A.Op == MemoryOp::Atomic;
  });
  Site Swaps;
  Swaps.add(Update);
  const bool Fewer = Update.A.FewerRounds;
  Diagnosis D;
  D.Level = Fewer ? Severity::Low : Severity::High;
  D.Message =
      formatv("lanes update words of {0} in turn: {1}{2} rounds of a "
              "compare-and-swap loop, 1 would do",
              subject(Update), Fewer ? "up to " : "", formatCount(S.rounds()));
  D.Explanation = {
      formatv("shared memory has no such update: nvcc makes a loop of it, and "
              "of the lanes on one word one succeeds a round, which is {0}",
              cost(Swaps)),
      "fix: combine in the warp first (shuffles) and let one lane update, or "
      "spread the updates over several copies"};
  D.NoEdit = LanesMeetInAWord;
  return D;
}

/// True when the lanes of an atomic wait for one another's words rather than
/// for banks: some have the same address, and a load from there would cost
/// less.
static bool updatesInTurn(const Site &S, const MachineModel &Machine) {
  const Access &A = S.access();
  return S.Updates && !A.Matrices &&
         MachineModel::spinRounds(A.Offsets, A.Active).size() > 1 &&
         Machine.sharedRequest(A.Offsets, A.Active, A.Bytes).Units <
             A.Typical.Units;
}

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  const Access &A = S.access();
  if (A.Space == MemorySpace::Shared && S.Updates && S.rounds() > Noise)
    return goesRound(S);
  if (A.Space != MemorySpace::Shared ||
      S.Worst->Pattern != AccessPattern::Conflict || !hasConflict(S))
    return std::nullopt;
  // Several passes share the load evenly, as far as one can say in a word.
  unsigned Passes = A.Typical.Ideal;
  unsigned Ways = Passes ? (A.Typical.Units + Passes - 1) / Passes : 0;
  if (std::max(Ways, 2u) < C.thresholds().MinWays)
    return std::nullopt;
  Diagnosis D;
  D.Level = severity(S);
  if (updatesInTurn(S, C.machine())) {
    D.Message = formatv("lanes update words of {0} in turn: {1}",
                        subject(*S.Worst), costAgainstIdeal(S));
    D.Explanation = {
        "atomics on one word are served one lane after the other",
        "fix: combine in the warp first (__reduce_add_sync, shuffles) and let "
        "one lane update, or spread the updates over several copies"};
    D.NoEdit = LanesMeetInAWord;
    return D;
  }
  std::string Meet = Ways > 1
                         ? formatv("{0} lanes meet in one bank", Ways).str()
                         : "lanes meet in one bank";
  D.Message =
      formatv("{0} at {1}: {2}", Meet, subject(*S.Worst), costAgainstIdeal(S));
  D.Explanation.push_back(arithmetic(A, C.machine()));
  D.Explanation.push_back(adviseLayout(S, C));
  D.Repairs = repairsOf(S, C);
  if (D.Repairs.empty())
    D.NoEdit = whyNoRepair(S, C);
  return D;
}

const Check SharedBankConflict = {
    {"warplint-shared-bank-conflict",
     "Finds shared memory accesses in which lanes of one request need "
     "different words of the same bank.",
     /*OnByDefault=*/true, CheckLimit::MinWays},
    examine};

} // namespace warplint
