//===- ObjectKey.h - Which object an access goes to -----------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_OBJECTKEY_H
#define WARPLINT_LIB_DIAGNOSE_OBJECTKEY_H

#include "warplint/Diagnose/Finding.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace warplint {

/// Equal for accesses to one object in one kernel and configuration; an access
/// whose object has no name is alone. \p N is one of \p All.
std::string objectKey(const NamedAccess &N, llvm::ArrayRef<NamedAccess> All);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_OBJECTKEY_H
