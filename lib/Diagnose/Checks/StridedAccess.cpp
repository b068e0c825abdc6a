//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// warplint-strided-access: neighbouring lanes lie too far apart in global
/// memory. Also holds what the two stride checks share.
///
//===----------------------------------------------------------------------===//

#include "../Phrases.h"
#include "Stride.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace warplint {

namespace {

/// The bytes that a request touches.
struct Footprint {
  unsigned Pieces = 0;  ///< contiguous stretches
  int64_t Distinct = 0; ///< bytes, each counted once
};

} // namespace

static Footprint footprintOf(const Access &A) {
  std::set<int64_t> Starts;
  for (unsigned L = 0; L < WarpLanes; ++L)
    if (A.Active >> L & 1)
      Starts.insert(A.Offsets[L]);
  Footprint Print;
  int64_t End = 0;
  for (int64_t Start : Starts) {
    if (!Print.Pieces || Start > End) {
      ++Print.Pieces;
      End = Start;
    }
    int64_t Reach = std::max<int64_t>(End, Start + A.Bytes);
    Print.Distinct += Reach - End;
    End = Reach;
  }
  return Print;
}

/// "8 separate pieces of 16 bytes", on the average.
static std::string piecesOf(const Footprint &Print) {
  return formatv("{0} separate {1} of {2}", Print.Pieces,
                 Print.Pieces == 1 ? "piece" : "pieces",
                 bytes(Print.Pieces ? Print.Distinct / Print.Pieces : 0));
}

/// The stride of a guess is a guess: nothing to be stated in bytes.
static bool strideIsGuess(const Access &A) {
  return !A.Exact && A.Reason == UnknownReason::SymbolicStride && !A.LaneStride;
}

Severity strideSeverity(const Site &S, bool Absorbed) {
  if (Absorbed)
    return Severity::Low;
  // Fewer than one byte in four used.
  return S.exact() && S.efficiency() < 0.25 ? Severity::High : Severity::Medium;
}

std::string strideArithmetic(const Site &S, const MachineModel &Machine) {
  const Access &A = S.access();
  unsigned Lanes = popcount(A.Active), Units = A.Typical.Units;
  Footprint Print = footprintOf(A);
  int64_t Stride = std::abs(dominantStride(A).value_or(0));
  std::string Head;
  if (!S.exact())
    Head = "with a typical value: ";
  else if (S.Cost.Min != S.Cost.Max)
    Head = "a typical request: ";
  if (!A.SymbolicStride.empty())
    Head += formatv("lane stride {0} bytes", A.SymbolicStride).str();
  else if (Stride >= Machine.granuleBytes() && Units >= Lanes)
    Head += formatv("lane stride {0} bytes: every lane falls in a sector of "
                    "its own",
                    Stride)
                .str();
  else if (A.LaneStride && Stride > A.Bytes)
    Head += formatv("lane stride {0} bytes: {1} lanes x {0} = {2} bytes",
                    Stride, Lanes, Lanes * Stride)
                .str();
  else
    Head += formatv("{0} lanes in {1}", Lanes, piecesOf(Print)).str();
  return formatv("{0}; {1} sectors of {2} bytes are {3} bytes moved, {4} of "
                 "them asked for",
                 Head, Units, Machine.granuleBytes(),
                 Units * Machine.granuleBytes(), Print.Distinct);
}

/// What the lanes do, up to the number.
static std::string what(const Site &S) {
  const Access &A = S.access();
  std::string Text = formatv("lanes {0} {1}", verb(S), subject(*S.Worst)).str();
  if (!A.SymbolicStride.empty())
    return Text + " " + A.SymbolicStride + " bytes apart";
  if (strideIsGuess(A))
    return Text + " at a distance that is not known here";
  int64_t Stride = std::abs(dominantStride(A).value_or(0));
  if (Stride > A.Bytes)
    return Text + " " + bytes(Stride) + " apart";
  return Text + " in " + piecesOf(footprintOf(A));
}

/// Of a lane's own stretch of elements, all of which the kernel uses.
static std::string adviceForStretch(int64_t Stride, unsigned Bytes) {
  if (Stride == 4 || Stride == 8 || Stride == 16)
    return formatv(
               "fix: let each lane take its {0} bytes in one access (a vector "
               "type, aligned to {0}), or element k * 32 + lane in step k",
               Stride)
        .str();
  return formatv("fix: keep the {0} components in arrays of their own (index "
                 "c * n + i instead of i * {0} + c), or stage them through "
                 "shared memory with contiguous accesses",
                 Stride / Bytes)
      .str();
}

/// Lanes differ in the row alone: the distance between them is the pitch, or a
/// loop moves each through its own row by the term beside it.
static bool contiguousTermIsUniform(const Site &S) {
  const Access &A = S.access();
  const AccessNames &Names = S.Worst->Names;
  if (Names.ContiguousTerm.empty() || Names.ElementBytes != A.Bytes)
    return false;
  bool ByPitch =
      !Names.Pitch.empty() &&
      A.SymbolicStride == formatv("{0}*{1}", A.Bytes, Names.Pitch).str();
  return ByPitch || (A.LoopStride && *A.LoopStride == int64_t(A.Bytes));
}

static std::string advice(const Site &S, const Context &C, bool Absorbed) {
  const Access &A = S.access();
  std::optional<int64_t> Stride = dominantStride(A);
  if (Absorbed)
    return adviceForStretch(std::abs(*Stride), A.Bytes);
  if (contiguousTermIsUniform(S))
    return formatv("fix: each lane {0} a row of its own; let threadIdx.x drive "
                   "'{1}', the contiguous part of the index '{2}', or stage a "
                   "tile through shared memory with contiguous accesses",
                   A.LoopStride == int64_t(A.Bytes) ? "walks" : "is in",
                   S.Worst->Names.ContiguousTerm,
                   S.Worst->Names.Indices.back());
  if (A.LoopStride && *A.LoopStride != 0 &&
      std::abs(*A.LoopStride) <= C.machine().lineBytes())
    return "fix: each lane walks a row of its own; let neighbouring lanes take "
           "neighbouring elements of one row, or stage a tile through shared "
           "memory with contiguous loads";
  if (Stride && std::abs(*Stride) <= A.Bytes)
    return formatv("fix: make the block wide enough in x that {0} bytes lie "
                   "together",
                   C.machine().granuleBytes())
        .str();
  if (A.LaneStride && std::abs(*Stride) < C.machine().lineBytes())
    return formatv(
        "fix: let neighbouring lanes take neighbouring elements; the "
        "index grows by {0} from lane to lane",
        std::abs(*Stride) / A.Bytes);
  return "fix: let threadIdx.x drive the contiguous (last) index, or stage a "
         "tile through shared memory with contiguous accesses";
}

static std::optional<Diagnosis> examine(const Site &S, const Context &C) {
  if (S.access().Space != MemorySpace::Global ||
      S.Worst->Pattern != AccessPattern::Strided || !wastesSectors(S, C))
    return std::nullopt;
  std::optional<int64_t> Stride = dominantStride(S.access());
  Diagnosis D;
  D.Absorbed = Stride && std::abs(*Stride) > S.access().Bytes &&
               C.groupUsesEveryByte(*S.Worst, *Stride);
  D.Level = strideSeverity(S, D.Absorbed);
  D.Message = what(S) + ": " + costAgainstIdeal(S);
  D.Explanation.push_back(strideArithmetic(S, C.machine()));
  if (D.Absorbed)
    D.Explanation.push_back(
        formatv("this kernel uses all of the {0} between two lanes, so the "
                "cache absorbs most of it",
                bytes(std::abs(*Stride))));
  D.Explanation.push_back(advice(S, C, D.Absorbed));
  return D;
}

const Check StridedAccess = {
    {"warplint-strided-access",
     "Finds global memory accesses whose neighbouring lanes lie so far apart "
     "that most of each fetched sector is not used.",
     /*OnByDefault=*/true, CheckLimit::MinEfficiency},
    examine};

} // namespace warplint
