//===- Lanes.h - Requests for the Machine room's tests --------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Addresses as a kernel would compute them, lane by lane, and counts made by
/// listing every byte: slow, obvious, and sharing nothing with the code under
/// test.
///
//===----------------------------------------------------------------------===//

#ifndef WARPLINT_UNITTESTS_MACHINE_LANES_H
#define WARPLINT_UNITTESTS_MACHINE_LANES_H

#include "warplint/Machine/MachineModel.h"
#include <algorithm>
#include <map>
#include <set>

namespace warplint {

inline MachineModel machine(llvm::StringRef Arch = "sm_90") {
  return llvm::cantFail(MachineModel::forArch(Arch));
}

/// \p Address(lane) for each lane.
template <class Fn> LaneAddresses lanes(Fn Address) {
  LaneAddresses A;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    A[Lane] = Address(Lane);
  return A;
}

/// The mask of the lanes for which \p In(lane).
template <class Fn> LaneMask maskOf(Fn In) {
  LaneMask M = 0;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (In(Lane))
      M |= LaneMask(1) << Lane;
  return M;
}

/// Every byte the active lanes ask for.
inline std::set<int64_t> bytesOf(const LaneAddresses &A, LaneMask Active,
                                 unsigned Bytes) {
  std::set<int64_t> All;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    if (Active >> Lane & 1)
      for (unsigned B = 0; B != Bytes; ++B)
        All.insert(A[Lane] + B);
  return All;
}

/// Sectors of \p Granule bytes by listing bytes. Addresses are not negative.
inline RequestCost listedSectors(const LaneAddresses &A, LaneMask Active,
                                 unsigned Bytes, unsigned Granule) {
  std::set<int64_t> All = bytesOf(A, Active, Bytes), Sectors;
  for (int64_t B : All)
    Sectors.insert(B / Granule);
  return {unsigned(Sectors.size()),
          unsigned((All.size() + Granule - 1) / Granule)};
}

/// Wavefronts by listing bytes, \p LanesAPass at a time.
inline RequestCost listedWavefronts(const LaneAddresses &A, LaneMask Active,
                                    unsigned Bytes, unsigned LanesAPass) {
  RequestCost Cost;
  for (unsigned First = 0; First < WarpLanes; First += LanesAPass) {
    LaneMask Lanes = Active & maskOf([&](unsigned Lane) {
                       return Lane >= First && Lane < First + LanesAPass;
                     });
    if (!Lanes)
      continue;
    std::map<int64_t, std::set<int64_t>> WordsOfBank;
    for (int64_t B : bytesOf(A, Lanes, Bytes))
      WordsOfBank[B / 4 % 32].insert(B / 4);
    size_t Deepest = 0;
    for (auto &[Bank, Words] : WordsOfBank)
      Deepest = std::max(Deepest, Words.size());
    Cost.Units += Deepest;
    ++Cost.Ideal;
  }
  return Cost;
}

} // namespace warplint

#endif // WARPLINT_UNITTESTS_MACHINE_LANES_H
