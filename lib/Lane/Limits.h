//===- Limits.h - How large a value may grow -----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LANE_LIMITS_H
#define WARPLINT_LIB_LANE_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace warplint {

/// Products longer or of higher degree than these become one symbol: real index
/// expressions stay far below, and cost grows with both.
inline constexpr size_t MaxTerms = 48;
inline constexpr size_t MaxDegree = 5;
/// Terms of a sum that is kept in a register.
inline constexpr size_t MaxCarried = 24;
/// Terms of a sum in which remainders are looked for to bound it.
inline constexpr size_t MaxNarrowed = 16;
/// Symbols in a definition written out. An index through three divisions and a
/// swizzle has some tens.
inline constexpr uint64_t MaxSize = 2048;

} // namespace warplint

#endif // WARPLINT_LIB_LANE_LIMITS_H
