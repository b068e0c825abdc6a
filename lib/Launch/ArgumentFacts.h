//===- ArgumentFacts.h - From host values to facts about kernel arguments -===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LAUNCH_ARGUMENTFACTS_H
#define WARPLINT_LIB_LAUNCH_ARGUMENTFACTS_H

#include "HostValue.h"
#include "warplint/Launch/LaunchConfig.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace warplint::launch {

/// Names for the allocations of one launch: equal names are one allocation.
class BaseNames {
public:
  std::string nameOf(const HostValue &Pointer);

private:
  llvm::DenseMap<const void *, std::string> Names;
  llvm::StringMap<unsigned> Used;
};

/// What \p V tells about a kernel argument of type \p T.
ArgumentFact factOf(const HostValue &V, clang::QualType T, BaseNames &Names);

/// Makes the guess \p V part of \p Fact, where that leaves integers unknown.
void addGuess(ArgumentFact &Fact, const HostValue &V);

/// Makes the integers of \p First guesses at what \p Facts leave unknown.
void addGuesses(std::vector<ArgumentFact> &Facts,
                const std::vector<ArgumentFact> &First);

/// What holds of both.
ArgumentFact joinFacts(const ArgumentFact &A, const ArgumentFact &B);

/// Equal but for the names of the allocations, which must correspond.
bool sameFacts(const std::vector<ArgumentFact> &A,
               const std::vector<ArgumentFact> &B);

} // namespace warplint::launch

#endif // WARPLINT_LIB_LAUNCH_ARGUMENTFACTS_H
