//===- MeasuredTest.cpp - The model against a GPU's counters --------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
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
  if (Op.starts_with("global-"))
    return machine().globalRequest(M.Addresses, M.Active, M.Bytes);
  if (Op.consume_front("ldmatrix"))
    return machine().ldmatrixRequest(M.Addresses, Op[0] - '0');
  if (Op == "wide-update") {
    RequestCost Sum; // the rounds were counted together
    for (LaneMask Left : MachineModel::spinRounds(M.Addresses, M.Active)) {
      RequestCost Round = machine().sharedRequest(M.Addresses, Left, M.Bytes,
                                                  SharedOp::SpinRound);
      Sum.Units += Round.Units;
      Sum.Ideal += Round.Ideal;
    }
    return Sum;
  }
  return machine().sharedRequest(M.Addresses, M.Active, M.Bytes,
                                 llvm::StringSwitch<SharedOp>(Op)
                                     .Case("load", SharedOp::Load)
                                     .Case("store", SharedOp::Store)
                                     .Case("count", SharedOp::Count)
                                     .Case("update", SharedOp::Update)
                                     .Case("cas", SharedOp::CompareAndSwap));
}

TEST(Measured, RequestsAgreeWithTheCounters) {
  std::vector<Measured> All = readMeasured();
  ASSERT_GT(All.size(), 2000u);
  for (const Measured &M : All) {
    RequestCost Cost = predict(M);
    std::string What = (llvm::Twine(M.Op) + " of " + llvm::Twine(M.Bytes) +
                        " bytes, mask " + llvm::Twine::utohexstr(M.Active) +
                        ", lane 1 at " + llvm::Twine(M.Addresses[1]))
                           .str();
    EXPECT_LE(Cost.Ideal, Cost.Units) << What;
    if (M.Op == "wide-update") {
      // Where lanes share words and others meet in banks, a lane that waits for
      // its bank can find that another half-warp's is done: the hardware makes
      // fewer wavefronts than the rounds would take one by one.
      auto Rounds = MachineModel::spinRounds(M.Addresses, M.Active);
      RequestCost First = machine().sharedRequest(M.Addresses, M.Active,
                                                  M.Bytes, SharedOp::SpinRound);
      if (Rounds.size() > 1 && First.Units > First.Ideal) {
        EXPECT_LE(M.Counted.Units, Cost.Units) << What;
        EXPECT_GE(3 * M.Counted.Units, 2 * Cost.Units) << What;
      } else {
        EXPECT_EQ(Cost.Units, M.Counted.Units) << What;
      }
      // What the profiler calls ideal for the loop is another thing.
      continue;
    }
    EXPECT_EQ(Cost.Units, M.Counted.Units) << What;
    // Our ideal of a global request packs distinct bytes, the profiler's also
    // bytes that several lanes want; our ideal of a shared request does not
    // fall below the passes that lanes switched off leave half empty.
    if (llvm::StringRef(M.Op).starts_with("global-"))
      EXPECT_LE(Cost.Ideal, M.Counted.Ideal) << What;
    else if (M.Active == AllLanes)
      EXPECT_EQ(Cost.Ideal, std::min(M.Counted.Ideal, Cost.Units)) << What;
    else
      EXPECT_GE(Cost.Ideal, std::min(M.Counted.Ideal, Cost.Units)) << What;
  }
}

} // namespace
