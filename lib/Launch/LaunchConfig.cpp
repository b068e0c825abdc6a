//===- LaunchConfig.cpp - How a kernel is launched ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Launch/LaunchConfig.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace warplint {

std::string LaunchConfig::source() const {
  switch (From) {
  case FromLaunch:
    return Launches.empty() ? "launch"
                            : "launch " + Launches.front().File + ":" +
                                  std::to_string(Launches.front().Line);
  case FromLaunchBounds:
    return "launch_bounds";
  case FromOption:
    return "option";
  case FromDefault:
    return "default";
  }
  return "default";
}

static void printFact(const ArgumentFact &F, raw_ostream &OS) {
  switch (F.K) {
  case ArgumentFact::Integer:
    OS << F.Value;
    break;
  case ArgumentFact::Pointer:
    OS << (F.Base.empty() ? "?" : F.Base) << (F.Value < 0 ? " - " : " + ")
       << (F.Value < 0 ? 0 - uint64_t(F.Value) : uint64_t(F.Value));
    if (F.Align)
      OS << ", base aligned to " << F.Align;
    break;
  case ArgumentFact::Unknown:
    if (!F.Base.empty())
      OS << F.Base << " + unknown";
    else
      OS << (F.Fields.empty() ? "unknown" : "fields");
    if (F.Align)
      OS << ", a multiple of " << F.Align;
    if (F.Guess)
      OS << ", perhaps " << *F.Guess;
    if (!F.Values.empty()) {
      OS << ", one of";
      for (int64_t V : F.Values)
        OS << ' ' << V;
    }
    break;
  }
}

void printLaunch(StringRef Kernel, ArrayRef<std::string> Parameters,
                 const LaunchConfig &Config, raw_ostream &OS) {
  OS << "kernel '" << Kernel << "' block " << Config.Block[0] << 'x'
     << Config.Block[1] << 'x' << Config.Block[2];
  if (Config.BlockAssumed)
    OS << '?';
  const char *Separator = " grid ";
  for (unsigned Axis = 0; Axis < 3; ++Axis) {
    std::optional<uint32_t> Extent = Config.GridExtent[Axis];
    if (Config.Grid)
      Extent = (*Config.Grid)[Axis];
    OS << Separator << (Extent ? std::to_string(*Extent) : "?");
    Separator = "x";
  }
  OS << " shared "
     << (Config.DynamicSharedBytes ? std::to_string(*Config.DynamicSharedBytes)
                                   : "?")
     << " (" << Config.source() << ")\n";
  for (size_t I = 0; I < Parameters.size(); ++I) {
    if (Parameters[I].empty())
      continue;
    ArgumentFact Fact;
    if (I < Config.Arguments.size())
      Fact = Config.Arguments[I];
    OS << "  " << Parameters[I] << ": ";
    printFact(Fact, OS);
    OS << '\n';
    for (const auto &[At, Field] : Fact.Fields) {
      OS << "    byte " << At << ": ";
      printFact(Field, OS);
      OS << '\n';
    }
  }
  for (const std::string &Text : Config.Assumptions)
    OS << "  assumed: " << Text << '\n';
}

} // namespace warplint
