//===- SourcePlace.h - A file, a line, a column --------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_SOURCEPLACE_H
#define WARPLINT_DRIVER_SOURCEPLACE_H

#include <string>

namespace warplint {

/// A place in the source. Line and column count from 1; 0: not known.
struct SourcePlace {
  std::string File; ///< absolute path
  unsigned Line = 0;
  unsigned Column = 0;
  bool operator==(const SourcePlace &) const = default;
};

} // namespace warplint

#endif // WARPLINT_DRIVER_SOURCEPLACE_H
