//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// warplint-misaligned-access: contiguous lanes that begin in the middle of a
/// sector and so touch one more than they need.
///
//===----------------------------------------------------------------------===//

#include "../Phrases.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

/// Its own loop moves the access through the sector: what one iteration
/// fetches too much, the next one finds in the cache.
static bool loopWalksTheSector(const Access &A, const MachineModel &Machine) {
  return A.LoopStride && *A.LoopStride % Machine.granuleBytes() != 0;
}

/// Bytes past an allocation's start that the launch passes for the base.
static std::optional<int64_t> launchOffset(const NamedAccess &N,
                                           const Context &C) {
  const std::vector<ArgumentFact> &Arguments = C.config(N).Arguments;
  if (!N.A.ObjectParameter || *N.A.ObjectParameter >= Arguments.size())
    return std::nullopt;
  const ArgumentFact &Fact = Arguments[*N.A.ObjectParameter];
  if (Fact.K != ArgumentFact::Pointer ||
      Fact.Value % C.machine().granuleBytes() == 0)
    return std::nullopt;
  return Fact.Value;
}

/// ": 'pitch' a multiple of 8".
static std::string pitchByName(const NamedAccess &N, unsigned Granule) {
  const AccessNames &Names = N.Names;
  SmallVector<StringRef, 4> Factors;
  StringRef(N.A.MisalignedBy).split(Factors, '*');
  if (Names.Pitch.empty() || !is_contained(Factors, Names.Pitch) ||
      !Names.ElementBytes || Granule % Names.ElementBytes)
    return "";
  return formatv(": '{0}' a multiple of {1}", Names.Pitch,
                 Granule / Names.ElementBytes);
}

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  const Access &A = S.access();
  if (A.Space != MemorySpace::Global || !S.exact() ||
      S.Worst->Pattern != AccessPattern::Misaligned)
    return std::nullopt;
  bool Constant = A.Misalignment && *A.Misalignment != 0;
  // Several pieces, each with a beginning of its own: no one number of bytes.
  bool Pieces = !Constant && A.MisalignedBy.empty();
  if (Pieces && !wastesSectors(S, C))
    return std::nullopt;
  if (C.alignmentVaries(*S.Worst) || loopWalksTheSector(A, C.machine()))
    return std::nullopt;

  unsigned Granule = C.machine().granuleBytes();
  Diagnosis D;
  D.Level = wastesSectors(S, C) ? Severity::Medium : Severity::Low;
  std::string Begin = Constant ? formatv("{0} past a {1}-byte sector",
                                         bytes(*A.Misalignment), Granule)
                                     .str()
                      : Pieces ? "the middle of a sector, in several pieces"
                               : "the middle of a sector on some rows";
  D.Message = formatv("warps {0} {1} from {2}: {3}", verb(S), subject(*S.Worst),
                      Begin, costAgainstIdeal(S));
  if (Constant)
    D.Explanation.push_back(
        formatv("the request begins at byte {0} of a sector, so its {1} reach "
                "into {2} sectors; aligned it needs {3}",
                *A.Misalignment,
                bytes(static_cast<int64_t>(popcount(A.Active)) * A.Bytes),
                A.Typical.Units, A.Typical.Ideal));
  else if (Pieces)
    D.Explanation.push_back(
        "each piece shares the sectors at its ends with what lies beside it");
  else
    D.Explanation.push_back(
        formatv("the term {0} is not a multiple of {1} bytes", A.MisalignedBy,
                Granule));
  if (std::optional<int64_t> Offset = launchOffset(*S.Worst, C))
    D.Explanation.push_back(
        formatv("fix: the launch passes a pointer {0} past the start of its "
                "allocation; pad what lies before it to a multiple of {1} "
                "bytes",
                bytes(*Offset), Granule));
  else if (Constant || Pieces)
    D.Explanation.push_back(
        formatv("fix: let the data begin at a multiple of {0} bytes (pad what "
                "lies before it)",
                Granule));
  else
    D.Explanation.push_back(
        formatv("fix: pad the rows to a multiple of {0} bytes "
                "(cudaMallocPitch does){1}",
                Granule, pitchByName(*S.Worst, Granule)));
  return D;
}

const Check MisalignedAccess = {
    {"warplint-misaligned-access",
     "Finds contiguous global memory accesses that begin in the middle of a "
     "sector and touch one sector more than they need.",
     /*OnByDefault=*/true, CheckLimit::MinEfficiency},
    examine};

} // namespace warplint
