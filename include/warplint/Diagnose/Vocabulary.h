//===- Vocabulary.h - The words of the reports ----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One spelling for each enumerator that a user reads, and for numbers, so
/// that text and JSON never differ.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DIAGNOSE_VOCABULARY_H
#define WARPLINT_DIAGNOSE_VOCABULARY_H

#include "warplint/Diagnose/Finding.h"
#include "llvm/ADT/StringRef.h"

namespace warplint {

/// "coalesced", ..., "conflict-free", "unknown".
llvm::StringRef patternName(AccessPattern Pattern);
/// "high", "medium", "low", "remark".
llvm::StringRef severityName(Severity Level);
/// "safe", "review".
llvm::StringRef safetyName(FixSafety Safety);
/// "fix: pad ... (verified: 32 -> 1 wavefronts a request)".
std::string fixSentence(const Fix &F);
/// "data-dependent-address", ...; "" for None.
llvm::StringRef reasonName(UnknownReason Reason);
/// "estimated to be 3.6 times as fast without this waste (memory 94 cycles a
/// warp, 14 at the ideal)".
std::string gainSentence(const GainEstimate &Gain);
/// The reason as the rest of a sentence: "the index was loaded from memory".
llvm::StringRef reasonPhrase(UnknownReason Reason);
/// True when a number that is not exact for \p Reason is still bounded by what
/// is known (a range), false when nothing but the hardware bounds it.
bool isRange(UnknownReason Reason);

/// "sectors" or, in shared memory, "wavefronts"; "passes" of the constant
/// cache. Singular for exactly 1.
llvm::StringRef unitName(MemorySpace Space, double Count);

/// The array or parameter behind an access, without mangling: "tile"; "" where
/// it is not known.
std::string objectName(const NamedAccess &N);

/// "4", "4.9": at most one decimal.
std::string formatCount(double Count);

/// "32x8x1".
std::string formatBlock(const Dim3 &Block);

/// "f<4>" of "void f<4>(float *)": without return type and parameters.
std::string shortKernelName(llvm::StringRef Name);

} // namespace warplint

#endif // WARPLINT_DIAGNOSE_VOCABULARY_H
