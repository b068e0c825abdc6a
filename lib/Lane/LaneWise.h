//===- LaneWise.h - Functions of lanes' constants ------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_LANE_LANEWISE_H
#define WARPLINT_LIB_LANE_LANEWISE_H

#include "warplint/Lane/LaneInt.h"

namespace warplint {

/// F of the constants, lane by lane; the assumptions of both are kept.
template <typename Fn>
LaneInt mapLanes(const LaneInt &A, const LaneInt &B, Fn F) {
  return LaneInt(Lanes::map(A.constant(), B.constant(), F))
      .withAssumed(A.assumed())
      .withAssumed(B.assumed());
}

} // namespace warplint

#endif // WARPLINT_LIB_LANE_LANEWISE_H
