//===- RequestBanks.cpp - Requests of which only the banks are known -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BankPatterns.h"
#include "RequestCost.h"

using namespace llvm;

namespace warplint {

/// Patterns that are gone through.
static constexpr unsigned MaxPatterns = 1024;

/// The costs of all patterns. Two lanes of which it is not known whether they
/// share a word cost the most when they do not; when they do, every bank has
/// the fewest words, and the passes of wide loads are as few as can be.
RequestCoster::BankBounds RequestCoster::boundsOf(const SymbolicRequest &R,
                                                  const BankPatterns &P) const {
  BankBounds B;
  for (size_t I = 0; I < P.At.size(); ++I) {
    bool Aligned = true;
    for (unsigned L = 0; L < WarpLanes; ++L)
      Aligned &= P.At[I][L] % int64_t(R.Align) == 0;
    if (!Aligned && P.At.size() > 1)
      continue; // the compiler promised
    const LaneAddresses Apart = P.apart(I);
    const RequestCost Most = costOf(R, Apart);
    const RequestCost Least = P.RowBytes ? costOf(R, P.together(I)) : Most;
    B.Same &= Most.Ideal == Least.Ideal && Most.Units == Least.Units &&
              (!B.Count || (Most.Ideal == B.Typical.Ideal &&
                            Most.Units == B.Typical.Units));
    B.Min = B.Count ? std::min<double>(B.Min, Least.Units) : Least.Units;
    B.Max = std::max<double>(B.Max, Most.Units);
    B.Mean += Most.Units;
    B.Ideal += Most.Ideal;
    if (!B.Count || Most.Units > B.Typical.Units) {
      B.Typical = Most;
      B.Offsets = Apart;
    }
    ++B.Count;
  }
  if (B.Count) {
    B.Mean /= B.Count;
    B.Ideal /= B.Count;
  }
  return B;
}

/// Of an address in shared memory that is not known, what its banks tell.
void RequestCoster::byBanks(const SymbolicRequest &R,
                            RequestEstimate &E) const {
  BankLayout Banks;
  Banks.Word = Machine.bankBytes();
  Banks.Period = Machine.banks() * Banks.Word;
  Banks.BaseAlign = R.Several ? Banks.Period : R.Object ? R.Object->Align : 1;
  std::optional<BankPatterns> Found;
  BankBounds Bounds;
  for (bool LookIntoRows : {false, true}) {
    if (LookIntoRows && Found && (Bounds.Same || !Found->RowBytes))
      break;
    std::optional<BankPatterns> P =
        bankPatterns(D, R.Offset, R.Active, Banks, LookIntoRows, MaxPatterns);
    if (!P)
      continue;
    E.Work += unsigned(P->At.size());
    BankBounds B = boundsOf(R, *P);
    if (!B.Count || (Found && B.Max - B.Min > Bounds.Max - Bounds.Min))
      continue;
    Found = std::move(P);
    Bounds = B;
  }
  if (!Found)
    return;
  E.Min = Bounds.Min;
  E.Max = Bounds.Max;
  if (Bounds.Same) {
    E.Exact = true;
    E.Reason = UnknownReason::None;
    E.Detail.clear();
  }
  // All residues of a number that data or a loop leaves open are as likely as
  // each other; sizes have typical values, and which rows data picks is not
  // known.
  if (Bounds.Same || (!Found->RowBytes && !Found->RestsOnSize)) {
    E.Mean = Bounds.Mean;
    E.Ideal = Bounds.Ideal;
    E.Typical = Bounds.Typical;
    E.Offsets = Bounds.Offsets;
  }
  E.Mean = std::clamp(E.Mean, E.Min, E.Max);
}

} // namespace warplint
