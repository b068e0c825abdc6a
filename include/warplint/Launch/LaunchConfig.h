//===- LaunchConfig.h - How a kernel is launched, and what that tells
//------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launch configurations: what `kernel<<<grid, block, bytes>>>(args)` says
/// about the block, the grid, dynamic shared memory and the arguments. Plain
/// data that the symbolic warp takes as facts.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LAUNCH_LAUNCHCONFIG_H
#define WARPLINT_LAUNCH_LAUNCHCONFIG_H

#include "warplint/Driver/SourcePlace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace warplint {

/// x, y, z extent in threads (block) or blocks (grid).
using Dim3 = std::array<uint32_t, 3>;

/// What is known of one kernel argument at a launch.
struct ArgumentFact {
  enum Kind {
    Unknown,
    Integer, ///< Value is the argument
    Pointer, ///< argument = allocation base + Value bytes
  } K = Unknown;
  int64_t Value = 0;
  /// Pointer: alignment of the base, bytes, 0 where not known (the allocator's
  /// is then assumed). Unknown integer: a divisor of the value, or 0.
  uint64_t Align = 0;
  /// Unknown integer: all the values that the launches give it, ascending, at
  /// most 64; none where that is not known.
  std::vector<int64_t> Values;
  /// Unknown integer: what it may well be at the kernel's first launch, for
  /// guesses.
  std::optional<int64_t> Guess;
  /// Name of the host variable the pointer came from, "" when not known. Two
  /// arguments with equal names are one allocation.
  std::string Base;
  /// Fields of a struct passed by value of which something is known: byte
  /// offset in the argument -> fact.
  std::vector<std::pair<uint64_t, ArgumentFact>> Fields;
  bool operator==(const ArgumentFact &) const = default;
};

/// One distinct way in which a kernel is run.
struct LaunchConfig {
  enum Origin { FromLaunch, FromLaunchBounds, FromOption, FromDefault };
  Origin From = FromDefault;
  Dim3 Block = {256, 1, 1};
  std::optional<Dim3> Grid;
  /// Extents of the grid that are known when not all are.
  std::array<std::optional<uint32_t>, 3> GridExtent;
  std::optional<uint64_t> DynamicSharedBytes;
  /// By kernel parameter; may be shorter than the parameter list.
  std::vector<ArgumentFact> Arguments;
  /// The launch (FromLaunch); several launches that are alike share a config.
  std::vector<SourcePlace> Launches;
  /// Block extents that could not be evaluated at the launch and were filled
  /// in from launch bounds, option or default: stated with each result.
  bool BlockAssumed = false;
  /// Of such a block, another that fits what is known as well: half the
  /// threads. A number that is not the same for both is not exact.
  std::optional<Dim3> OtherBlock;
  /// Statements about the above for the reader: "block 256x1x1 assumed: the
  /// launch at f.cu:12 takes it from 'threads', whose value is not known here".
  std::vector<std::string> Assumptions;

  bool operator==(const LaunchConfig &) const = default;

  /// "launch FILE:LINE", "launch_bounds", "option" or "default".
  std::string source() const;
};

/// Prints \p Config for people and tests (--print-launches): block, grid and
/// shared bytes, then a line for each of \p Parameters that has a name, then
/// what is assumed.
///
///   kernel 'k(float*, int)' block 256x1x1 grid 4x?x1 shared 0 (launch f.cu:9)
///     p: d + 16, base aligned to 256
///     n: unknown, a multiple of 32
void printLaunch(llvm::StringRef Kernel, llvm::ArrayRef<std::string> Parameters,
                 const LaunchConfig &Config, llvm::raw_ostream &OS);

} // namespace warplint

#endif // WARPLINT_LAUNCH_LAUNCHCONFIG_H
