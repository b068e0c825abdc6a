//===- ShortText.h - Source text in a message -------------------*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_DRIVER_SHORTTEXT_H
#define WARPLINT_DRIVER_SHORTTEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warplint {

/// \p Text (UTF-8) in at most \p Longest bytes (more than 3), with "..." for
/// what is cut off; no character is cut in two.
std::string shortened(llvm::StringRef Text, size_t Longest);

} // namespace warplint

#endif // WARPLINT_DRIVER_SHORTTEXT_H
