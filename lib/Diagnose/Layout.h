//===- Layout.h - Padding and swizzles that remove bank conflicts ---------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_LAYOUT_H
#define WARPLINT_LIB_DIAGNOSE_LAYOUT_H

#include "Check.h"

namespace warplint {

/// One line that says how to lay out the array of \p S without the conflict:
/// the smallest padding, else an XOR swizzle, under which enumerating the lanes
/// again finds \p S at its ideal and no other access to the array worse than
/// before; else general advice.
std::string adviseLayout(const Site &S, const Context &C);

/// Layouts of the declared array of \p S of which the same holds and that edits
/// of the text could bring about, best first; few.
std::vector<LayoutChange> repairsOf(const Site &S, const Context &C);

/// Why there are none, in a person's words.
std::string whyNoRepair(const Site &S, const Context &C);

/// Bytes of a declared element of the array of \p N; 0: not known.
uint64_t declaredElementBytes(const NamedAccess &N);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_LAYOUT_H
