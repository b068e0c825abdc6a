//===- Progress.h - How a run is doing, and stopping it -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_TOOLS_WARPLINT_PROGRESS_H
#define WARPLINT_TOOLS_WARPLINT_PROGRESS_H

#include "warplint/Pipeline/AnalyseFiles.h"

namespace warplint {

/// One line on standard error that is written over while files are analysed:
/// files done, time left, the file begun last. Only on a terminal that can
/// write over a line.
class ProgressLine {
public:
  explicit ProgressLine(bool Wanted);
  ~ProgressLine() { clear(); }
  void show(const RunState &State);
  void clear();

private:
  /// Runs that are over before it would be read need no line.
  static constexpr std::chrono::milliseconds Patience{500};

  bool On;
  std::string Shown;
  RoomTimes::Clock::time_point Start = RoomTimes::Clock::now();
};

/// "12/740 files, 1 min 20 s left: src/kernel.cu", cut to \p Columns.
std::string progressText(const RunState &State, double Seconds,
                         unsigned Columns);

/// From now on the first SIGINT or SIGTERM only makes wasInterrupted() true;
/// the second ends the process.
void catchInterrupts();
bool wasInterrupted();

/// Signals that whoever starts the program (nohup, a shell's background job)
/// has it ignore. LLVM takes over each of them.
class IgnoredSignals {
public:
  IgnoredSignals(); ///< before LLVM is set up
  void restore() const;

private:
  std::vector<int> Ignored;
};

/// What --profile prints: time by stage, and the slowest files.
void printProfile(const RunReport &Run, const RoomTimes &Times, double Seconds,
                  llvm::raw_ostream &OS, llvm::StringRef Base);

} // namespace warplint

#endif // WARPLINT_TOOLS_WARPLINT_PROGRESS_H
