//===- RoomTimes.h - Where the time of a run goes -------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Time by the clock, added up over all threads. llvm::TimerGroup reads the
/// user time of the whole process, which several threads share.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_PIPELINE_ROOMTIMES_H
#define WARPLINT_PIPELINE_ROOMTIMES_H

#include <array>
#include <atomic>
#include <chrono>

namespace warplint {

/// What a run spends its time on, in the order of the data.
enum class Stage {
  Parse,    ///< clang, from the command to the AST
  Lower,    ///< AST to IR, of kernels and what they reach
  Prepare,  ///< LLVM's passes over the kernels
  Launch,   ///< the host code's walk
  Warp,     ///< the engine
  Diagnose, ///< names, findings
  Fix,      ///< edits and the runs that verify them
  Report    ///< after all files
};
inline constexpr unsigned StageCount = 8;

class RoomTimes {
public:
  using Clock = std::chrono::steady_clock;

  void add(Stage S, Clock::duration Time) {
    Spent[unsigned(S)].fetch_add(Time.count(), std::memory_order_relaxed);
  }
  double seconds(Stage S) const {
    return std::chrono::duration<double>(
               Clock::duration(Spent[unsigned(S)].load()))
        .count();
  }

private:
  std::array<std::atomic<Clock::duration::rep>, StageCount> Spent{};
};

/// Charges its lifetime to a stage, less what stages inside it on the same
/// thread, or on one that names it as its \p Around, were charged. Nobody is
/// charged where there are no times.
class StageTimer {
public:
  StageTimer(RoomTimes *Times, Stage S, StageTimer *Around = nullptr)
      : Times(Times), S(S), Outer(Innermost),
        Around(Around ? Around : Innermost) {
    Innermost = this;
  }
  StageTimer(const StageTimer &) = delete;
  ~StageTimer() {
    Innermost = Outer;
    RoomTimes::Clock::duration Whole = RoomTimes::Clock::now() - Start;
    if (Times)
      Times->add(S, Whole - Inside);
    if (Times && Around)
      Around->Inside += Whole;
  }

private:
  static inline thread_local StageTimer *Innermost = nullptr;
  RoomTimes *Times;
  Stage S;
  StageTimer *Outer;
  StageTimer *Around;
  RoomTimes::Clock::time_point Start = RoomTimes::Clock::now();
  RoomTimes::Clock::duration Inside{};
};

} // namespace warplint

#endif // WARPLINT_PIPELINE_ROOMTIMES_H
