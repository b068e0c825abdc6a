//===- ObjectKey.cpp - Which object an access goes to ---------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectKey.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {

std::string objectKey(const NamedAccess &N, ArrayRef<NamedAccess> All) {
  const Access &A = N.A;
  if (A.Object.empty() && A.ObjectMangled.empty() && !A.ObjectParameter)
    return formatv("nameless {0}", &N - All.data()).str();
  return formatv("{0}/{1}/{2}/{3}/{4}/{5}", N.Kernel, N.Config,
                 static_cast<int>(A.Space),
                 A.ObjectParameter ? static_cast<int>(*A.ObjectParameter) : -1,
                 A.ObjectMangled, A.Object)
      .str();
}

} // namespace warplint
