//===- SourceEdit.h - A change of a file's text
//----------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_SOURCEEDIT_H
#define WARPLINT_DRIVER_SOURCEEDIT_H

#include <string>

namespace warplint {

/// One change of a file as it is on disk. Offset and length in bytes.
struct SourceEdit {
  std::string File; ///< absolute path
  unsigned Offset = 0, Length = 0;
  std::string Text;
  bool operator==(const SourceEdit &) const = default;
};

} // namespace warplint

#endif // WARPLINT_DRIVER_SOURCEEDIT_H
