//===- Finding.h - What is wrong, what it costs, what to do ---------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rows Diagnose works on (an access with its names) and what it makes of
/// them (a finding with its notes). Plain data; Report prints it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DIAGNOSE_FINDING_H
#define WARPLINT_DIAGNOSE_FINDING_H

#include "warplint/Diagnose/LayoutChange.h"
#include "warplint/Diagnose/QueueCycles.h"
#include "warplint/Driver/SourceEdit.h"
#include "warplint/Driver/SourceNames.h"
#include "warplint/Launch/LaunchConfig.h"
#include "warplint/Warp/SymbolicWarp.h"
#include <string>
#include <vector>

namespace warplint {

/// One kernel and the configurations it was run in.
struct AnalysedKernel {
  std::string Mangled, Name;
  SourcePlace Place;
  std::vector<LaunchConfig> Configs;
  /// Instructions of IR that a warp executes, by configuration; may be shorter.
  std::vector<double> Instructions;
  /// What one warp is estimated to take, by configuration; may be shorter.
  std::vector<KernelTime> Times;
  /// What no configuration comes to, for AnalysisOptions::KeepReach.
  std::vector<UnreachedAccess> Unreached;
  std::string Refused;    ///< why it was not analysed, or ""
  std::string Incomplete; ///< why its run was cut short, or ""
};

/// How the lanes' addresses lie; the JSON report's `pattern`.
enum class AccessPattern {
  Coalesced,
  Broadcast,
  Strided,
  Aos,
  Misaligned,
  Indirect,
  Conflict,
  ConflictFree,
  Unknown
};

/// One access with its names: the row Diagnose works on.
struct NamedAccess {
  Access A;
  AccessNames Names;
  unsigned Kernel = 0; ///< index into the unit's kernels
  unsigned Config = 0; ///< index into that kernel's configs
  AccessPattern Pattern = AccessPattern::Unknown; ///< set by classify()
};

enum class Severity { High, Medium, Low, Remark };

struct Note {
  SourcePlace Place; ///< Line 0: belongs to no place
  std::string Message;
};

/// Whether a person should look at a fix before it is applied.
enum class FixSafety {
  Safe,  ///< changes no result, and every kernel it concerns was run
  Review ///< other files, which were not run, see what it changes too
};

/// Edits that were verified by running the changed kernels; they belong
/// together and are for one array or record, so that several findings may carry
/// the same.
struct Fix {
  std::string Description; ///< "pad the rows of 'tile' from 32 to 33 elements"
  /// What the run over the changed text gave: "32 -> 1 wavefronts a request,
  /// 128 more bytes of shared memory a block".
  std::string Verified;
  FixSafety Safety = FixSafety::Safe;
  std::vector<SourceEdit> Edits; ///< in order, not overlapping
  /// The lines that change, without indentation: "-" and the old one, "+" and
  /// the new one.
  std::vector<std::string> Diff;
};

/// What mending a finding would bring, estimated (TimeEstimate.h).
struct GainEstimate {
  /// The kernel's time now over its time with the accesses to the object at
  /// their ideal.
  double Factor = 1;
  /// What it rests on: "memory 94 cycles a warp, 14 at the ideal".
  std::string Basis;
};

/// Layouts of an array that, by enumeration, would remove a bank conflict: what
/// a fix is made of once the text was changed and run.
struct ArrayRepair {
  SourcePlace Declaration;           ///< of the array
  uint64_t ElementBytes = 0;         ///< as declared
  std::vector<LayoutChange> Layouts; ///< best first
  /// The accesses of the finding: indices into the unit's.
  std::vector<size_t> Accesses;
};

struct Finding {
  std::string Check; ///< "warplint-strided-access"
  Severity Level = Severity::Medium;
  std::string Message;
  /// Where the caret stands: the memory instruction's own line and column.
  SourcePlace Place;
  /// The expression around Place, End past its last character; Line 0 where
  /// it is not known.
  SourcePlace Begin, End;
  /// Where on Place's line the expression begins; Place where that is not
  /// known. Two findings of one place differ in it, whatever instruction is
  /// meant.
  SourcePlace start() const {
    return Begin.Line == Place.Line && Begin.Column
               ? SourcePlace{Place.File, Place.Line, Begin.Column}
               : Place;
  }
  /// Where macros write it, see AccessNames::InMacros.
  std::vector<SourcePlace> InMacros;
  std::vector<Note> Notes;
  std::vector<Fix> Fixes;
  /// Why there can be no edit, where Diagnose knows: of an array in shared
  /// memory without layouts to try. Else "".
  std::string NoEdit;
  std::optional<ArrayRepair> Repair;
  /// Definition of the record all of whose fields are accessed here one by one;
  /// line 0: none.
  SourcePlace FieldsOf;
  std::string Kernel;     ///< mangled name of the kernel it weighs most in
  double ExcessShare = 0; ///< of the kernel's excess in that space, 0 to 1
  double Excess = 0;      ///< units a warp above the ideal; what ranks it
  MemorySpace Space = MemorySpace::Global;
  /// Caches serve the waste: what a request does not use of its sectors, the
  /// lane's own accesses, other warps or other blocks do. Ranks below what
  /// reaches memory.
  bool Absorbed = false;
  /// None where data decides what the accesses cost.
  std::optional<GainEstimate> Gain;
  /// A warning or a remark unless one asks for less: false where caches absorb
  /// the waste and the estimate is that nothing to speak of would be gained.
  bool Shown = true;
};

} // namespace warplint

#endif // WARPLINT_DIAGNOSE_FINDING_H
