//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// warplint-divergent-constant: lanes index constant memory differently, which
/// its cache serves one address after the other.
///
//===----------------------------------------------------------------------===//

#include "../Phrases.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace warplint {

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  const Access &A = S.access();
  if (A.Space != MemorySpace::Constant || A.Uniform)
    return std::nullopt;
  bool Gather = S.Worst->Pattern == AccessPattern::Indirect;
  // A gather has no number, yet that its lanes differ is certain.
  bool Differs = S.exact() ? S.Cost.Mean > S.Ideal + 0.005
                           : Gather || S.Cost.Min > S.Ideal;
  // Of a gather nothing but the number of its lanes is known.
  double Ways = Gather        ? popcount(A.Active ? A.Active : AllLanes)
                : S.Ideal > 0 ? std::ceil(S.Cost.Max / S.Ideal)
                              : 2;
  if (!Differs || Ways < C.thresholds().MinWays)
    return std::nullopt;
  Diagnosis D;
  std::string What =
      formatv("lanes {0} {1} at different addresses of constant memory",
              verb(S), subject(*S.Worst));
  if (Gather) {
    D.Level = Severity::Medium;
    D.Message = formatv("{0}: up to {1} passes a request, 1 would do", What,
                        popcount(A.Active ? A.Active : AllLanes));
  } else {
    D.Level = S.Cost.Mean > 2 * S.Ideal ? Severity::Medium : Severity::Low;
    D.Message = What + ": " + costAgainstIdeal(S);
  }
  D.Explanation = {
      "the constant cache serves one address in a pass; only lanes that agree "
      "share it",
      "fix: keep the table in shared memory, or in global memory read through "
      "'const __restrict__' or __ldg"};
  return D;
}

const Check DivergentConstant = {
    {"warplint-divergent-constant",
     "Finds reads of constant memory whose index differs between the lanes of "
     "a warp.",
     /*OnByDefault=*/true, CheckLimit::MinWays},
    examine};

} // namespace warplint
