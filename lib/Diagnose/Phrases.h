//===- Phrases.h - Sentences that several checks say ----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_PHRASES_H
#define WARPLINT_LIB_DIAGNOSE_PHRASES_H

#include "Check.h"

namespace warplint {

/// "read", "write", "read and write", "update".
std::string verb(const Site &S);

/// "'p[i].x'": the expression, else the object, else "memory"; quoted, one
/// line, cut when long.
std::string subject(const NamedAccess &N);

/// "12 sectors a request", "4 to 5 sectors a request (4.9 on average)", "about
/// 32 sectors a request (1 to 32: stride = n elements, n is not known here)".
std::string cost(const Site &S);

/// cost() and what it could be: "12 sectors a request, 4 would do (33 %)".
std::string costAgainstIdeal(const Site &S);

/// "1 byte", "12 bytes".
std::string bytes(int64_t Count);

/// The notes around a finding on \p S shown at \p Place that do not depend on
/// the check: the declaration, the inlining path, the launch, \p Explanation,
/// the assumptions.
std::vector<Note> commonNotes(const Site &S, const SourcePlace &Place,
                              const Context &C,
                              llvm::ArrayRef<std::string> Explanation);

/// "also 4 sectors a request in 'f<0>' launched with block 64x1x1 at f.cu:12",
/// for each of \p Others (not \p S) that differs; the rest are counted.
std::vector<Note> otherConfigurations(const Site &S,
                                      llvm::ArrayRef<const Site *> Others,
                                      const Context &C);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_PHRASES_H
