//===- MeasuredTest.cpp - The model against a GPU's counters --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"
#include <fstream>
#include <sstream>

using namespace warplint;

namespace {

struct Measured {
  std::string Op;
  unsigned Bytes = 0;
  LaneMask Active = 0;
  RequestCost Counted;
  LaneAddresses Addresses;
};

std::vector<Measured> readMeasured() {
  std::vector<Measured> All;
  std::ifstream In(WARPLINT_MEASURED_H200);
  for (std::string Line; std::getline(In, Line);) {
    if (Line.empty() || Line[0] == '#')
      continue;
    std::istringstream Words(Line);
    Measured M;
    Words >> M.Op >> M.Bytes >> std::hex >> M.Active >> std::dec >>
        M.Counted.Units >> M.Counted.Ideal;
    for (int64_t &A : M.Addresses) {
      Words >> A;
      A *= M.Bytes;
    }
    EXPECT_TRUE(bool(Words)) << Line;
    All.push_back(M);
  }
  return All;
}

RequestCost predict(const Measured &M) {
  llvm::StringRef Op = M.Op;
  if (Op.consume_front("ldmatrix"))
    return machine().ldmatrixRequest(M.Addresses, Op[0] - '0');
  return machine().sharedRequest(M.Addresses, M.Active, M.Bytes,
                                 llvm::StringSwitch<SharedOp>(Op)
                                     .Case("load", SharedOp::Load)
                                     .Case("store", SharedOp::Store)
                                     .Case("count", SharedOp::Count)
                                     .Case("update", SharedOp::Update)
                                     .Case("cas", SharedOp::CompareAndSwap));
}

TEST(Measured, SharedRequestsAgreeWithTheCounters) {
  std::vector<Measured> All = readMeasured();
  ASSERT_GT(All.size(), 1000u);
  unsigned Irregular = 0, Off = 0;
  for (const Measured &M : All) {
    RequestCost Cost = predict(M);
    // The one corner that is not understood (docs/machine-model.md): which
    // quarters of a 16-byte load merge when an irregular set of lanes is off.
    if (M.Op == "load" && M.Bytes == 16 && M.Active != AllLanes) {
      ++Irregular;
      Off += Cost.Units != M.Counted.Units;
      EXPECT_NEAR(Cost.Units, M.Counted.Units, 1);
      continue;
    }
    EXPECT_EQ(Cost, M.Counted)
        << M.Op << " of " << M.Bytes << " bytes, mask " << std::hex << M.Active
        << std::dec << ": " << Cost.Units << " of " << Cost.Ideal
        << " predicted, " << M.Counted.Units << " of " << M.Counted.Ideal
        << " counted";
  }
  EXPECT_LT(Off, Irregular / 6);
}

} // namespace
