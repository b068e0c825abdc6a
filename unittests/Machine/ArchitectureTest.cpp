//===- ArchitectureTest.cpp - The table of architectures ------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

TEST(Architecture, SectorsFromVoltaOn) {
  for (const char *Arch :
       {"sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90",
        "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_101", "sm_103", "sm_110",
        "sm_120", "sm_120a", "sm_121", "sm_121f"}) {
    MachineModel M = machine(Arch);
    EXPECT_EQ(M.granuleBytes(), 32u) << Arch;
    EXPECT_EQ(M.arch(), Arch);
  }
}

TEST(Architecture, LinesBeforeVolta) {
  for (const char *Arch : {"sm_20", "sm_21", "sm_30", "sm_35", "sm_37", "sm_50",
                           "sm_52", "sm_53", "sm_60", "sm_61", "sm_62"})
    EXPECT_EQ(machine(Arch).granuleBytes(), 128u) << Arch;
}

TEST(Architecture, WhatNeverChanged) {
  for (const char *Arch :
       {"sm_20", "sm_35", "sm_61", "sm_70", "sm_90a", "sm_121"}) {
    MachineModel M = machine(Arch);
    EXPECT_EQ(M.lineBytes(), 128u) << Arch;
    EXPECT_EQ(M.banks(), 32u) << Arch;
    EXPECT_EQ(M.bankBytes(), 4u) << Arch;
    EXPECT_EQ(M.allocationAlignment(), 256u) << Arch;
    EXPECT_EQ(M.staticSharedLimit(), 49152u) << Arch;
  }
}

TEST(Architecture, VirtualNameIsTheRealOne) {
  EXPECT_EQ(machine("compute_80").arch(), "sm_80");
  EXPECT_EQ(machine("compute_90a").arch(), "sm_90a");
}

TEST(Architecture, NewerThanTheTableTakesItsLastRow) {
  EXPECT_EQ(machine("sm_150").granuleBytes(), 32u);
}

TEST(Architecture, BadNamesAreOneClearLine) {
  for (const char *Arch :
       {"", "sm_", "sm", "90", "sm90", "sm_90x", "sm_90aa", "SM_90", "sm_-90",
        "gfx90a", "compute_", "native", "sm_99999999999999999999"}) {
    auto M = MachineModel::forArch(Arch);
    ASSERT_FALSE(bool(M)) << Arch;
    std::string Message = llvm::toString(M.takeError());
    EXPECT_NE(Message.find(std::string("'") + Arch + "'"), std::string::npos)
        << Message;
    EXPECT_EQ(Message.find('\n'), std::string::npos);
  }
}

TEST(Architecture, OlderThanTheTable) {
  auto M = MachineModel::forArch("sm_13");
  ASSERT_FALSE(bool(M));
  EXPECT_NE(llvm::toString(M.takeError()).find("older than sm_20"),
            std::string::npos);
}

} // namespace
