//===- Progress.cpp - How a run is doing, and stopping it -----------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "warplint/Report/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <tuple>

using namespace llvm;

namespace warplint {

static std::string duration(double Seconds) {
  unsigned Whole = Seconds + 0.5;
  return Whole < 60 ? formatv("{0} s", Whole).str()
                    : formatv("{0} min {1} s", Whole / 60, Whole % 60).str();
}

std::string progressText(const RunState &State, double Seconds,
                         unsigned Columns) {
  std::string Text = formatv("{0}/{1} files", State.Done, State.Total);
  if (State.Done && State.Done < State.Total)
    Text += ", " + duration(Seconds / State.Done * (State.Total - State.Done)) +
            " left";
  if (!State.File.empty()) {
    Text += ": ";
    // The end of a path tells more than its beginning.
    size_t Room = Columns > Text.size() ? Columns - Text.size() : 0;
    if (State.File.size() <= Room)
      Text += State.File;
    else if (Room > 3)
      Text += "..." + State.File.take_back(Room - 3).str();
  }
  return Text.substr(0, Columns);
}

ProgressLine::ProgressLine(bool Wanted) {
  std::optional<std::string> Term = sys::Process::GetEnv("TERM");
  On = Wanted && sys::Process::StandardErrIsDisplayed() && Term &&
       *Term != "dumb";
}

void ProgressLine::show(const RunState &State) {
  auto Now = RoomTimes::Clock::now();
  if (!On || Now - Start < Patience)
    return;
  constexpr unsigned Usual = 80;
  unsigned Columns = sys::Process::StandardErrColumns();
  // The last column would wrap the line on some terminals.
  std::string Text =
      progressText(State, std::chrono::duration<double>(Now - Start).count(),
                   (Columns ? Columns : Usual) - 1);
  if (Text == Shown)
    return;
  Shown = Text;
  errs() << "\r\x1b[K" << Text;
}

void ProgressLine::clear() {
  if (Shown.empty())
    return;
  errs() << "\r\x1b[K";
  Shown.clear();
}

static volatile std::sig_atomic_t Interrupted = 0;

void catchInterrupts() {
  // LLVM's handler takes itself off before it calls this.
  sys::SetInterruptFunction([] { Interrupted = 1; });
}

IgnoredSignals::IgnoredSignals() {
  for (int Signal : {
#ifdef SIGHUP
           SIGHUP,
#endif
           SIGINT, SIGTERM}) {
    auto Before = std::signal(Signal, SIG_IGN);
    if (Before == SIG_IGN)
      Ignored.push_back(Signal);
    else
      std::signal(Signal, Before);
  }
}

void IgnoredSignals::restore() const {
  for (int Signal : Ignored)
    std::signal(Signal, SIG_IGN);
}

bool wasInterrupted() { return Interrupted; }

void printProfile(const RunReport &Run, const RoomTimes &Times, double Seconds,
                  raw_ostream &OS, StringRef Base) {
  static constexpr std::array<std::pair<Stage, StringLiteral>, StageCount>
      Names = {{{Stage::Parse, "parse"},
                {Stage::Lower, "lower"},
                {Stage::Prepare, "prepare"},
                {Stage::Launch, "launch"},
                {Stage::Warp, "warp"},
                {Stage::Diagnose, "diagnose"},
                {Stage::Fix, "fix"},
                {Stage::Report, "report"}}};
  double Sum = 0;
  for (auto [S, Name] : Names)
    Sum += Times.seconds(S);
  OS << formatv("{0:f1} s by the clock; of all threads together:\n", Seconds);
  for (auto [S, Name] : Names)
    OS << formatv("  {0,-9}{1,9:f2} s {2,5:f1} %\n", Name, Times.seconds(S),
                  Sum > 0 ? 100 * Times.seconds(S) / Sum : 0);
  std::vector<const FileReport *> Files;
  for (const FileReport &File : Run.Files)
    Files.push_back(&File);
  sort(Files, [](const FileReport *A, const FileReport *B) {
    return std::tie(B->Seconds, A->File) < std::tie(A->Seconds, B->File);
  });
  constexpr size_t Most = 10;
  OS << "slowest files:\n";
  for (const FileReport *File : ArrayRef(Files).take_front(Most))
    OS << formatv("  {0,9:f2} s  {1}\n", File->Seconds,
                  relativeTo(File->File, Base));
}

} // namespace warplint
