//===- Traffic.h - What the accesses to one object move -------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sectors that requests touch more than once are moved once. This counts them:
/// over the accesses to one object, the iterations of their loops, the warps of
/// a block (which share an L1) and the blocks of a launch (which share an L2).
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_LIB_DIAGNOSE_TRAFFIC_H
#define WARPLINT_LIB_DIAGNOSE_TRAFFIC_H

#include "warplint/Diagnose/Finding.h"
#include "llvm/ADT/ArrayRef.h"

namespace warplint {

/// Moved for one warp by accesses of one kind to one object of global memory.
struct Traffic {
  double Requested = 0;   ///< sectors, of each request for itself
  double OfBlock = 0;     ///< ... each once for the warps of a block, by warp
  double OfLaunch = 0;    ///< ... each once for neighbouring blocks too
  double Blocks = 0;      ///< of memory, that OfLaunch lie in
  double Parts = 0;       ///< of OfLaunch, those of which bytes are not used
  double Held = 0;        ///< lines that L1 has to hold for a warp
  double Bytes = 0;       ///< used, each once for the warps of a block, by warp
  double LaunchBytes = 0; ///< ... for neighbouring blocks too
  /// Stores that stand together are one where they meet in a sector: sectors
  /// that leave L1, whole and in part.
  double WrittenWhole = 0, WrittenPart = 0;
};

/// \p Members: accesses to one object by one kernel in one configuration, of
/// one kind (load, store or atomic).
Traffic trafficOf(llvm::ArrayRef<const NamedAccess *> Members,
                  const MachineModel &Machine);

} // namespace warplint

#endif // WARPLINT_LIB_DIAGNOSE_TRAFFIC_H
