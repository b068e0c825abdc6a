//===- Timing.cpp - What requests take, in cycles of a multiprocessor -----===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Machine/Timing.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace warplint {

double l1Cycles(const MachineModel &Machine, const LaneAddresses &Addresses,
                LaneMask Active, unsigned Bytes, MemoryOp Op) {
  const Timing &T = MeasuredTiming;
  std::set<int64_t> Lines;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (Active >> Lane & 1)
      for (int64_t At : {Addresses[Lane], Addresses[Lane] + Bytes - 1})
        Lines.insert(
            divideFloorSigned(At, static_cast<int64_t>(Machine.lineBytes())));
  SharedOp Like = Op == MemoryOp::Load ? SharedOp::Load : SharedOp::Store;
  double Cycles = std::max<double>(
      Machine.sharedRequest(Addresses, Active, Bytes, Like).Units,
      divideCeil(Lines.size(), T.TagsACycle));
  if (Op == MemoryOp::Load)
    return std::max(Cycles, T.LeastLoad);
  if (Lines.size() == WarpLanes)
    Cycles = std::max(Cycles, T.LoneLineStore * Lines.size());
  return std::max(Cycles, T.LeastStore);
}

} // namespace warplint
