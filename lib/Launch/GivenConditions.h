//===- GivenConditions.h - What holds where a launch is made --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `if (blocks > 1) threads = 256; else threads = n / 2;` and, further on, `if
/// (blocks > 1) k<<<blocks, threads>>>()`: there threads is 256.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_GIVENCONDITIONS_H
#define WARPLINT_LIB_LAUNCH_GIVENCONDITIONS_H

#include "HostIndex.h"
#include "llvm/ADT/FoldingSet.h"
#include <optional>
#include <vector>

namespace warplint::launch {

/// The conditions around a launch that have had one value since its function
/// was entered.
class GivenConditions {
public:
  /// Empty as well where none of them decides what is written to a variable.
  GivenConditions(const Launch &L, const HostIndex &Index,
                  const clang::ASTContext &Ctx);

  bool empty() const { return Known.empty(); }
  /// The value of \p Condition in the launch's function; nullopt: not known.
  std::optional<bool> valueOf(const clang::Expr *Condition) const;

private:
  void add(const clang::Expr *Condition, bool Holds, const Launch &L,
           const HostIndex &Index);

  const clang::ASTContext &Ctx;
  std::vector<std::pair<llvm::FoldingSetNodeID, bool>> Known;
};

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_GIVENCONDITIONS_H
