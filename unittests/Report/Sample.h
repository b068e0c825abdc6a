//===- Sample.h - A small run for the tests of Report ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_UNITTESTS_REPORT_SAMPLE_H
#define WARPLINT_UNITTESTS_REPORT_SAMPLE_H

#include "warplint/Report/Report.h"

namespace warplint {

/// One kernel in one configuration with one strided load at \p File:9:7 and
/// the finding about it.
inline FileReport sampleFile(const std::string &File) {
  FileReport R;
  R.File = File;
  R.Arch = "sm_90";

  AnalysedKernel K;
  K.Mangled = "_Z1fPf";
  K.Name = "f(float*)";
  K.Place = {File, 3, 17};
  LaunchConfig Config;
  Config.From = LaunchConfig::FromLaunch;
  Config.Block = {64, 2, 1};
  Config.Launches = {{File, 20, 3}};
  K.Configs = {Config};
  R.Kernels = {K};

  NamedAccess N;
  N.A.Place = {File, 9, 7};
  N.A.Bytes = 4;
  N.A.Object = "a";
  N.A.Predicted = {8, 8.125, 9};
  N.A.Ideal = 4;
  N.A.Exact = true;
  N.A.ActiveLanes = 32;
  N.Names.Expression = "a[2 * i]";
  N.Pattern = AccessPattern::Strided;
  R.Accesses = {N};

  Finding F;
  F.Check = "warplint-strided-access";
  F.Message = "lanes read 'a[2 * i]' 8 bytes apart";
  F.Place = {File, 9, 7};
  F.Begin = {File, 9, 7};
  F.End = {File, 9, 15};
  F.Notes = {{{}, "fix: it"}, {{File, 20, 3}, "launched here"}};
  F.Kernel = K.Mangled;
  F.Excess = 4.125;
  F.ExcessShare = 1;
  R.Findings = {F};
  return R;
}

inline void addUnknown(FileReport &R, UnknownReason Reason, unsigned Line) {
  NamedAccess N = R.Accesses.front();
  N.A.Place.Line = Line;
  N.A.Exact = false;
  N.A.Reason = Reason;
  R.Accesses.push_back(N);
}

} // namespace warplint

#endif // WARPLINT_UNITTESTS_REPORT_SAMPLE_H
