//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the two checks of strides, strided and array of structures, share.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_CHECKS_STRIDE_H
#define WARPLINT_LIB_DIAGNOSE_CHECKS_STRIDE_H

#include "../Check.h"

namespace warplint {

/// How bad wasted sectors are; \p Absorbed: the cache gets the rest back.
Severity strideSeverity(const Site &S, bool Absorbed);

/// "lane stride 12 bytes: 32 lanes x 12 = 384 bytes; 12 sectors of 32 bytes are
/// 384 bytes moved, 128 of them asked for".
std::string strideArithmetic(const Site &S, const MachineModel &Machine);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_CHECKS_STRIDE_H
