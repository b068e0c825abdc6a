//===- RealPlaces.cpp - One spelling for each file ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RealPlaces.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace warplint {

void RealPlaces::rewrite(SourcePlace &Place) {
  if (Place.File.empty())
    return;
  auto [At, New] = RealPaths.try_emplace(Place.File);
  if (New) {
    SmallString<256> Real;
    // A file that #line made up has no real path.
    At->second =
        sys::fs::real_path(Place.File, Real) ? Place.File : std::string(Real);
  }
  Place.File = At->second;
}

void RealPlaces::rewrite(AnalysedKernel &Kernel) {
  rewrite(Kernel.Place);
  for (UnreachedAccess &U : Kernel.Unreached)
    rewrite(U.Place);
  for (LaunchConfig &Config : Kernel.Configs)
    for (SourcePlace &Launch : Config.Launches)
      rewrite(Launch);
}

void RealPlaces::rewrite(NamedAccess &N) {
  rewrite(N.A.Place);
  rewrite(N.A.Instruction);
  for (SourcePlace &Call : N.A.InlinedAt)
    rewrite(Call);
  rewrite(N.Names.Begin);
  rewrite(N.Names.End);
  rewrite(N.Names.Declaration);
  rewrite(N.Names.RecordDefinition);
}

} // namespace warplint
