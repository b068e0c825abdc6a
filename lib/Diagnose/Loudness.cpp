//===- Loudness.cpp - How loud a finding is -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loudness.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace warplint {

/// Gains from which a finding is high and medium. Below the latter nothing can
/// be told from the noise of a measurement.
static constexpr double High = 1.5, Medium = 1.05;

/// Of cycles, what counts as none: the sectors at the ends of a row of warps,
/// which the estimate takes to be short.
static constexpr double Edges = 1.15;

/// The queue in which the accesses waste most, and what mending them saves the
/// kernel there: "memory 94 cycles a warp, 14 at the ideal; L1 and shared
/// memory 102".
static std::string basisOf(const TimeEstimator::Gain &G) {
  unsigned Most = 0;
  for (unsigned I = 0; I != QueueCount; ++I)
    if (G.Now.Of[I] - G.Ideal.Of[I] > G.Now.Of[Most] - G.Ideal.Of[Most])
      Most = I;
  const double Saved = G.Now.Of[Most] - G.Ideal.Of[Most],
               Now = G.Kernel.Of[Most];
  const Queue Longest = G.Kernel.longest();
  std::string Text;
  if (Saved >= 0.5)
    Text = formatv("{0} {1:f0} cycles a warp, {2:f0} at the ideal",
                   queueName(Queue(Most)), Now, Now - Saved);
  if (Saved < 0.5 || unsigned(Longest) != Most)
    Text += formatv("{0}{1} {2:f0} cycles a warp", Text.empty() ? "" : "; ",
                    queueName(Longest), G.Kernel[Longest]);
  return Text;
}

/// Caches serve what single requests waste: the queue that these accesses keep
/// busy longest is as busy at their ideal.
static bool isAbsorbed(const TimeEstimator::Gain &G) {
  return G.Now[G.Now.busiest()] <= Edges * G.Ideal[G.Ideal.busiest()];
}

void setLoudness(Finding &F, const Site &S, const TimeEstimator &Times,
                 const Thresholds &Limits) {
  if (F.Level == Severity::Remark ||
      S.reason() == UnknownReason::DataDependentAddress)
    return;
  TimeEstimator::Gain G = Times.gain(*S.Worst);
  F.Gain = {G.Factor, basisOf(G)};
  Severity Level = G.Factor >= High     ? Severity::High
                   : G.Factor >= Medium ? Severity::Medium
                                        : Severity::Low;
  // A number that may be another one is not worth more than its check says.
  F.Level = S.exact() ? Level : std::max(F.Level, Level);
  if (F.Space != MemorySpace::Global || !S.exact())
    return;
  F.Absorbed |= isAbsorbed(G);
  F.Shown = Limits.ShowAbsorbed || !isAbsorbed(G) ||
            std::max(G.Factor, G.Alone) >= Medium;
}

} // namespace warplint
