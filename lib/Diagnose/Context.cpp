//===- Context.cpp - What surrounds a site --------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "warplint/Diagnose/Vocabulary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace warplint {

void Site::add(const NamedAccess &Member) {
  const Access &A = Member.A;
  double W = A.Weight > 0 ? A.Weight : 1;
  if (Members.empty()) {
    Cost = A.Predicted;
    Ideal = A.Ideal;
  } else {
    Cost.Min = std::min(Cost.Min, A.Predicted.Min);
    Cost.Max = std::max(Cost.Max, A.Predicted.Max);
    Cost.Mean = (Cost.Mean * Weight + A.Predicted.Mean * W) / (Weight + W);
    Ideal = (Ideal * Weight + A.Ideal * W) / (Weight + W);
  }
  Weight += W;
  Executions += W / A.Rounds;
  Reads |= A.Op == MemoryOp::Load;
  Writes |= A.Op == MemoryOp::Store;
  Updates |= A.Op == MemoryOp::Atomic;
  auto ExcessOf = [](const Access &X) { return X.Predicted.Mean - X.Ideal; };
  if (!Worst || ExcessOf(A) > ExcessOf(Worst->A))
    Worst = &Member;
  Members.push_back(&Member);
}

static std::string spaceKey(const NamedAccess &N) {
  return formatv("{0}/{1}/{2}", N.Kernel, N.Config, static_cast<int>(N.A.Space))
      .str();
}

/// Lanes on one address have no alignment to speak of.
bool Context::alignedAlike(const Access &A, ObjectAccesses &Object) {
  if (A.Uniform)
    return true;
  if (!Object.Aligned)
    Object.Aligned = &A;
  return Object.Aligned->Misalignment == A.Misalignment &&
         Object.Aligned->MisalignedBy == A.MisalignedBy;
}

Context::Context(ArrayRef<AnalysedKernel> Kernels,
                 ArrayRef<NamedAccess> Accesses, const MachineModel &Machine,
                 const DiagnoseOptions &Options)
    : Kernels(Kernels), Accesses(Accesses), Machine(Machine), Options(Options) {
  for (const NamedAccess &N : Accesses) {
    ObjectAccesses &Object = ByObject[objectKey(N, Accesses)];
    Object.All.push_back(&N);
    if (!Object.AlignmentVaries)
      Object.AlignmentVaries = !alignedAlike(N.A, Object);
    // A gather's number is anybody's guess; it must not make the exact
    // findings look small.
    const Access &A = N.A;
    bool Counts = A.Exact || isRange(A.Reason);
    if (Counts)
      Excess[spaceKey(N)] +=
          std::max(0.0, A.Predicted.Mean - A.Ideal / A.Rounds) *
          (A.Weight > 0 ? A.Weight : 1);
  }
}

double Context::kernelExcess(const NamedAccess &A) const {
  return Excess.lookup(spaceKey(A));
}

bool Context::groupUsesEveryByte(const NamedAccess &A, int64_t Stride) const {
  Stride = std::abs(Stride);
  if (Stride == 0)
    return false;
  std::string Key = formatv("{0}/{1}/{2}", objectKey(A, Accesses),
                            static_cast<int>(A.A.Op), Stride);
  auto [At, New] = UsesEveryByte.try_emplace(Key);
  if (New)
    At->second = findUsesEveryByte(A, Stride);
  return At->second;
}

bool Context::findUsesEveryByte(const NamedAccess &A, int64_t Stride) const {
  // Byte intervals inside the stretch, as [begin, end) keyed by begin.
  std::map<int64_t, int64_t> Used;
  for (const NamedAccess *N : sameObject(A)) {
    if (N->A.Op != A.A.Op || !N->A.Active)
      continue;
    std::optional<int64_t> Other = dominantStride(N->A);
    if (!Other || std::abs(*Other) != Stride)
      continue;
    int64_t First = N->A.Offsets[countr_zero(N->A.Active)] % Stride;
    if (First < 0)
      First += Stride;
    int64_t End = First + N->A.Bytes;
    int64_t &Reach = Used[First];
    Reach = std::max(Reach, std::min(End, Stride));
    if (End > Stride)
      Used[0] = std::max(Used[0], End - Stride);
  }
  int64_t Covered = 0;
  for (auto [Begin, End] : Used) {
    if (Begin > Covered)
      return false;
    Covered = std::max(Covered, End);
  }
  return Covered >= Stride;
}

std::optional<int64_t> dominantStride(const Access &A) {
  if (A.LaneStride)
    return A.LaneStride;
  if (!A.SymbolicStride.empty())
    return std::nullopt;
  std::map<int64_t, unsigned> Votes;
  unsigned Pairs = 0;
  for (unsigned L = 1; L < WarpLanes; ++L) {
    if (!(A.Active >> L & 1) || !(A.Active >> (L - 1) & 1))
      continue;
    ++Votes[A.Offsets[L] - A.Offsets[L - 1]];
    ++Pairs;
  }
  for (auto [Distance, Count] : Votes)
    if (Distance != 0 && 2 * Count > Pairs)
      return Distance;
  return std::nullopt;
}

bool wastesSectors(const Site &S, const Context &C) {
  double Limit = C.thresholds().MinEfficiency;
  auto Bad = [&](double Units, double Efficiency) {
    return Units > S.Ideal + 1 && S.Ideal < Efficiency * Units;
  };
  if (S.exact())
    return Bad(S.Cost.Mean, Limit);
  if (S.reason() == UnknownReason::DataDependentAddress)
    return false;
  if (Bad(S.Cost.Min, Limit))
    return true;
  // A typical pitch is a guess: it must be wrong by a factor of two before it
  // may turn a good access into a reported one.
  return S.reason() == UnknownReason::SymbolicStride &&
         Bad(S.Cost.Mean, Limit / 2);
}

} // namespace warplint
