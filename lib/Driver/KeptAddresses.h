//===- KeptAddresses.h - Shared addresses as integers -----------*- C++ -*-===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of `__cvta_generic_to_shared(&tile[r][c])`. Inline PTX that gets
// the address may access the element there and no more; all else (an offset
// added to it, a descriptor made of it, a bulk copy to it) counts on the rows.
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DRIVER_KEPTADDRESSES_H
#define WARPLINT_LIB_DRIVER_KEPTADDRESSES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class CallExpr;
class Expr;
class FunctionDecl;
class GCCAsmStmt;
} // namespace clang

namespace warplint {

/// The name of the function that \p Call calls; "" where it has none.
llvm::StringRef calleeName(const clang::CallExpr &Call);

/// The call of `__cvta_generic_to_shared` that \p E is, casts aside, or null.
const clang::CallExpr *asSharedAddress(const clang::Expr *E);

/// The inputs of \p Asm that stand in it as an address alone (`[%1]`), of an
/// instruction that accesses no more than one vector or matrix row there. Casts
/// are taken off.
llvm::SmallVector<const clang::Expr *, 4>
plainAddresses(const clang::GCCAsmStmt &Asm);

/// True when all that \p Callee does with its parameter \p I is to give it to
/// inline PTX as such an address.
bool passesToPlainAddress(const clang::FunctionDecl &Callee, unsigned I);

} // namespace warplint

#endif // WARPLINT_LIB_DRIVER_KEPTADDRESSES_H
