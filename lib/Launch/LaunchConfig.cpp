//===- LaunchConfig.cpp - How a kernel is launched ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Launch/LaunchConfig.h"

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

} // namespace warplint
