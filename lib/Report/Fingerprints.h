//===- Fingerprints.h - Findings that are known again ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

///
/// \file
/// A finding is the same one as yesterday's when the same check speaks of the
/// same line of code, wherever that has moved to and whatever the file is
/// called now.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_REPORT_FINGERPRINTS_H
#define WARPLINT_LIB_REPORT_FINGERPRINTS_H

#include "SourceLines.h"
#include "warplint/Diagnose/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace warplint {

/// 16 hexadecimal digits of a hash over check, memory space and the text of the
/// line without its blanks: the same for all that stand on equal lines.
std::string contentFingerprint(const Finding &F, SourceLines &Source);

/// One a finding, in their order: 16 hexadecimal digits of a hash over check,
/// memory space and the text of the line without its blanks; equal ones are
/// numbered in the order of the source, so that all differ. The kernel is left
/// out: which one a header's line weighs most in changes with every caller.
std::vector<std::string> fingerprints(llvm::ArrayRef<Finding> Findings,
                                      SourceLines &Source);

} // namespace warplint

#endif // WARPLINT_LIB_REPORT_FINGERPRINTS_H
