//===- ProgramFacts.h - What the units of a program tell each other -------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel is often launched from another file than its own, and the wrapper
/// around a launch called from a third. Each translation unit exports what it
/// says about functions and kernels of other units, as plain data that outlives
/// its AST; linking brings it to where they are defined. Functions are known by
/// their mangled names, as the linker knows them; what is static or in an
/// anonymous namespace neither leaves a unit nor comes in.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LAUNCH_PROGRAMFACTS_H
#define WARPLINT_LAUNCH_PROGRAMFACTS_H

#include "warplint/Launch/LaunchConfig.h"
#include "llvm/ADT/ArrayRef.h"
#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// A launch as written, with the extents of the block that it tells.
struct LaunchSite {
  LaunchConfig Config; ///< Block is not filled in yet
  std::array<std::optional<uint32_t>, 3> BlockExtent;
  /// What the unknown extents come from, as in the source: "threads", or "".
  std::string BlockCulprit;
  /// Two unknown extents come from the same: dim3(n, n).
  bool SquareBlock = false;
  /// The launch is in a function that calls itself: what a block that is not
  /// known is in one call, it need not be in the next.
  bool Recurs = false;
  /// "2048x1x1": a block that no kernel can be launched with, or "".
  std::string BadBlock;
  bool operator==(const LaunchSite &) const = default;
};

/// A value that a unit hands to another; what is known of it.
struct SharedValue {
  enum Kind : uint8_t { Unknown, Integer, Floating, Pointer, Record };
  Kind K = Unknown;
  bool CommandLine = false; ///< Unknown: comes from the command line
  bool OffsetKnown = true;  ///< Pointer
  int64_t Int = 0;          ///< Integer; Pointer: bytes from the base
  double Float = 0;
  uint64_t Divisor = 1; ///< Unknown, and Pointer of unknown offset
  /// Pointer: one name for one allocation in the unit it comes from, what the
  /// source calls it, and its alignment in bytes (0: not known).
  std::string Base, BaseName;
  uint64_t BaseAlign = 0;
  std::string Culprit; ///< what an unknown comes from, as in the source
  std::vector<std::string> Grants;
  /// Record: its scalars by offset. Pointer: those of what it points to, where
  /// they are known.
  std::vector<std::pair<uint64_t, SharedValue>> Leaves;
  bool operator==(const SharedValue &) const = default;
};

/// A call of a function that is defined elsewhere.
struct SharedCall {
  SourcePlace Place;
  std::vector<SharedValue> Arguments;
  /// The same where a guess at what is not known is welcome (the shape of a
  /// launch): one of the values it may have, with a grant that says so.
  std::vector<SharedValue> Guesses;
  /// The same when the call is made for the first time: a guess, too.
  std::vector<SharedValue> AtFirst;
  bool operator==(const SharedCall &) const = default;
};

/// A function of a unit about which other units may know more.
struct Question {
  std::string Name; ///< unqualified, as it stands in a caller's text
  /// Its answer may tell a block's shape or a kernel's launch, without which
  /// all numbers are guesses.
  bool ForShape = false;
  bool OfKernel = false; ///< where else is it launched
};

/// What one unit says about functions of others, and wants to be told. Keys are
/// mangled names.
struct UnitExports {
  std::map<std::string, std::vector<LaunchSite>> Launches;
  std::map<std::string, std::vector<SharedCall>> Calls;
  /// Functions and kernels with a body here that others can name.
  std::set<std::string> Defines;
  /// Globals, and members of classes in headers, that are given a value here:
  /// the values.
  std::map<std::string, std::vector<SharedValue>> Writes;
  std::map<std::string, Question> Asks;
  std::set<std::string> Reads; ///< keys of Writes that matter here
  /// Every launch of this unit is known by a run that was followed from main()
  /// on (lib/Launch/HostProgram.h), so that answers tell of other launches
  /// alone.
  bool Followed = false;
};

/// What the other units of a program say to one. Keys as in UnitExports.
struct UnitImports {
  std::map<std::string, std::vector<LaunchSite>> Launches;
  std::map<std::string, std::vector<SharedCall>> Calls;
  std::map<std::string, std::vector<SharedValue>> Writes;
  /// Other files were looked through for what concerns this one.
  bool Searched = false;
  bool operator==(const UnitImports &) const = default;
  bool empty() const {
    return Launches.empty() && Calls.empty() && Writes.empty();
  }
};

/// A unit of the program and where it stands.
struct LinkedUnit {
  std::string File; ///< absolute
  const UnitExports *Exports = nullptr;
};

/// What each of \p Units, in their order, is told by the others. A name that
/// several files define is that of the file nearest to the user's (with the
/// longest common path of folders); where two are as near, it is nobody's.
std::vector<UnitImports> linkUnits(llvm::ArrayRef<LinkedUnit> Units);

} // namespace warplint

#endif // WARPLINT_LAUNCH_PROGRAMFACTS_H
