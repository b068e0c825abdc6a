//===- QueueCycles.h - What one warp takes of a multiprocessor ------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The time of a kernel as cycles of what serves its warps. Plain data;
/// TimeEstimate.h finds it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DIAGNOSE_QUEUECYCLES_H
#define WARPLINT_DIAGNOSE_QUEUECYCLES_H

#include "llvm/ADT/StringRef.h"
#include <array>

namespace warplint {

/// What serves a warp.
enum class Queue { Memory, L2, L1, Constant, Issue, Waiting };
inline constexpr unsigned QueueCount = 6;
/// "memory", "L2", "L1 and shared memory", "the constant cache",
/// "instructions", "waiting for memory".
llvm::StringRef queueName(Queue Q);
/// The same as a key: "memory", "l2", "l1", "constant", "issue", "waiting".
llvm::StringRef queueKey(Queue Q);

/// Cycles of a multiprocessor that one warp takes of each queue.
struct QueueCycles {
  std::array<double, QueueCount> Of{};

  double &operator[](Queue Q) { return Of[unsigned(Q)]; }
  double operator[](Queue Q) const { return Of[unsigned(Q)]; }
  QueueCycles &operator+=(const QueueCycles &O);
  /// Of the warp: the queues work at the same time and get into each other's
  /// way.
  double together() const;
  Queue longest() const;
  /// The longest of those that move bytes: not the instructions, not the
  /// waiting.
  Queue busiest() const;
};

/// A kernel in a configuration as it is, and with every access at its ideal.
struct KernelTime {
  QueueCycles Now, Ideal;
  double slowdown() const;
};

} // namespace warplint

#endif // WARPLINT_DIAGNOSE_QUEUECYCLES_H
