//===- WorkLedger.h - How much work each kernel of a file may take --------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bounds the time of a file. Work is counted, not timed, and each file counts
/// for itself, so a report is the same on every machine and with every number
/// of threads.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_PIPELINE_WORKLEDGER_H
#define WARPLINT_PIPELINE_WORKLEDGER_H

#include <algorithm>
#include <cstdint>

namespace warplint {

/// Budgets in the unit of WarpOptions::WorkBudget. A configuration may take its
/// own budget, a kernel in many configurations two of them, a file of many
/// kernels eight; whoever comes after that still has a sixteenth of one,
/// which nearly every kernel can do with.
class WorkLedger {
public:
  explicit WorkLedger(uint64_t OfConfiguration)
      : Each(OfConfiguration), OfFile(8 * OfConfiguration) {}

  void beginKernel() { OfKernel = 2 * Each; }
  /// For the next configuration of the kernel begun.
  uint64_t allowance() const {
    return std::max(std::min({Each, OfKernel, OfFile}), Each / 16);
  }
  void spend(uint64_t Work) {
    OfKernel -= std::min(OfKernel, Work);
    OfFile -= std::min(OfFile, Work);
  }

private:
  uint64_t Each, OfFile, OfKernel = 0;
};

} // namespace warplint

#endif // WARPLINT_PIPELINE_WORKLEDGER_H
