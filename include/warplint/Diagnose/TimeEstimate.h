//===- TimeEstimate.h - From counts to time -------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How long a kernel takes for what its accesses cost, and how much shorter it
/// would take if those to one array cost the least they can: a multiprocessor
/// with a queue before each thing that serves a warp. What counts is not
/// requests but what they ask of each queue. Lanes that walk records in full
/// fetch every sector once, L1 serves the rest, and memory sees no waste.
///
///     `p[i].x`, `.y`, `.z`, records of 12 bytes, 36 sectors in three requests
///                  memory            L1
///     now          12 sectors        3 requests without a bank conflict
///     at the ideal 12 sectors        the same: nothing to gain
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DIAGNOSE_TIMEESTIMATE_H
#define WARPLINT_DIAGNOSE_TIMEESTIMATE_H

#include "warplint/Diagnose/Finding.h"
#include "warplint/Diagnose/QueueCycles.h"
#include "warplint/Machine/Timing.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <vector>

namespace warplint {

/// Estimates of one translation unit. Numbers that data decides are taken for
/// ideal: nothing is claimed of them.
class TimeEstimator {
public:
  TimeEstimator(llvm::ArrayRef<AnalysedKernel> Kernels,
                llvm::ArrayRef<NamedAccess> Accesses,
                const MachineModel &Machine);

  /// Of \p Kernel (an index) in \p Config.
  const KernelTime &kernel(unsigned Kernel, unsigned Config) const;

  /// What changing the accesses to the object of \p A would bring.
  struct Gain {
    double Factor = 1; ///< the kernel's time now over that without their waste
    /// How many times as long the kernel takes with their waste than without
    /// any: what is left to gain here once all else is mended.
    double Alone = 1;
    QueueCycles Kernel; ///< as it is
    /// Cycles of each queue for these accesses, as they are and at the ideal.
    QueueCycles Now, Ideal;
  };
  Gain gain(const NamedAccess &A) const;

private:
  struct Object {
    std::vector<const NamedAccess *> Members;
    QueueCycles Now, Ideal;
  };
  using ConfigKey = std::pair<unsigned, unsigned>;

  llvm::ArrayRef<NamedAccess> Accesses;
  llvm::StringMap<Object> Objects;
  std::map<ConfigKey, KernelTime> Times;
};

} // namespace warplint

#endif // WARPLINT_DIAGNOSE_TIMEESTIMATE_H
