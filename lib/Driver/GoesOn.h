//===- GoesOn.h - Lines that go on behind a backslash -----------*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_GOESON_H
#define WARPLINT_LIB_DRIVER_GOESON_H

#include "llvm/ADT/StringRef.h"

namespace warplint {

/// Whether a backslash takes the newline behind \p Line away, to a shell as to
/// Make: one that no other backslash has made plain.
inline bool goesOn(llvm::StringRef Line) {
  return (Line.size() - Line.rtrim('\\').size()) % 2 == 1;
}

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_GOESON_H
