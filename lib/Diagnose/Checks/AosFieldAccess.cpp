//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// warplint-aos-field-access: lanes step over whole records of an array of
/// structures to read one part of each.
///
//===----------------------------------------------------------------------===//

#include "../Phrases.h"
#include "Stride.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

/// "; 'x[i]' then is what 'p[i].x' is now".
static std::string asArrays(const AccessNames &Names) {
  StringRef Field = Names.Field;
  if (Names.Indices.size() != 1 || Field.empty() ||
      Field.find_first_of(".[") != StringRef::npos || Names.Variable.empty())
    return "";
  return formatv("; '{0}[{1}]' then is what '{2}[{1}].{0}' is now", Field,
                 Names.Indices.front(), Names.Variable);
}

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  if (S.access().Space != MemorySpace::Global ||
      S.Worst->Pattern != AccessPattern::Aos || !wastesSectors(S, C))
    return std::nullopt;
  const AccessNames &Names = S.Worst->Names;
  Diagnosis D;
  D.Absorbed = C.groupUsesEveryByte(*S.Worst, Names.RecordBytes);
  D.FieldByField = D.Absorbed;
  D.Level = strideSeverity(S, D.Absorbed);
  D.Message =
      formatv("lanes {0} {1} {2} apart: {3}", verb(S), subject(*S.Worst),
              bytes(Names.RecordBytes), costAgainstIdeal(S));
  D.Explanation.push_back(strideArithmetic(S, C.machine()));
  std::string Record =
      Names.Record.empty() ? "the record" : "'" + Names.Record + "'";
  if (D.Absorbed)
    D.Explanation.push_back(
        formatv("this kernel uses all {0} bytes of each record, so the cache "
                "absorbs most of it",
                Names.RecordBytes));
  D.Explanation.push_back(formatv(
      "fix: keep each field of {0} in an array of its own (structure of "
      "arrays): {1} sectors a request{2}{3}",
      Record, S.access().Typical.Ideal,
      D.Absorbed ? "; or load records contiguously into shared memory first"
                 : "",
      asArrays(Names)));
  return D;
}

const Check AosFieldAccess = {
    {"warplint-aos-field-access",
     "Finds accesses to one field of an array of structures in global memory, "
     "where neighbouring lanes are a whole record apart.",
     /*OnByDefault=*/true, CheckLimit::MinEfficiency},
    examine};

} // namespace warplint
