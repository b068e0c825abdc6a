//===- ShortText.cpp - Source text in a message ---------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Driver/ShortText.h"
#include "llvm/ADT/Twine.h"

namespace warplint {

static bool isContinuation(char C) { return (C & 0xC0) == 0x80; }

std::string shortened(llvm::StringRef Text, size_t Longest) {
  if (Text.size() <= Longest)
    return Text.str();
  size_t End = Longest - 3;
  while (End && isContinuation(Text[End]))
    --End;
  return (Text.take_front(End) + "...").str();
}

} // namespace warplint
