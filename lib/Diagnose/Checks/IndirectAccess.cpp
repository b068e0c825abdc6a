//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// warplint-indirect-access: the index was loaded from memory, so the data
/// decides what a request costs. Advice, not a verdict: off unless asked for.
///
//===----------------------------------------------------------------------===//

#include "../Phrases.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

/// " ('list[i]')", where it is seen to be read from memory.
static std::string indexByName(const NamedAccess &N) {
  if (N.Names.Indices.size() != 1 ||
      !StringRef(N.Names.Indices.front()).contains('['))
    return "";
  return " ('" + N.Names.Indices.front() + "')";
}

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  const Access &A = S.access();
  if (S.Worst->Pattern != AccessPattern::Indirect ||
      (A.Space != MemorySpace::Global && A.Space != MemorySpace::Shared))
    return std::nullopt;
  Diagnosis D;
  D.Level = Severity::Remark;
  D.Message = formatv("lanes {0} {1} at addresses that loaded data decides: "
                      "{2} to {3} {4} a request",
                      verb(S), subject(*S.Worst), formatCount(S.Cost.Min),
                      formatCount(S.Cost.Max), unitName(A.Space, S.Cost.Max));
  if (!A.ReasonDetail.empty())
    D.Explanation.push_back(A.ReasonDetail);
  D.Explanation.push_back(
      A.Space == MemorySpace::Global
          ? "advice: sort or bucket the indices" + indexByName(*S.Worst) +
                " so that neighbouring lanes "
                "meet in the same sectors, or gather once into contiguous "
                "memory"
          : std::string("advice: spread the indices over the banks where the "
                        "data allows it"));
  return D;
}

const Check IndirectAccess = {
    {"warplint-indirect-access",
     "Remarks on gathers and scatters, whose cost the loaded indices decide.",
     /*OnByDefault=*/false, CheckLimit::ShowRemarks},
    examine};

} // namespace warplint
