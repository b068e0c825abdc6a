//===----------------------------------------------------------------------===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warplint/Machine/Timing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace warplint {

namespace {

/// Calls \p Each with every object of a file of one a line.
void forEachLine(StringRef Path,
                 function_ref<void(const json::Object &)> Each) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File = MemoryBuffer::getFile(Path);
  ASSERT_TRUE(File) << Path.str();
  for (line_iterator Line(**File); !Line.is_at_end(); ++Line) {
    Expected<json::Value> Value = json::parse(*Line);
    ASSERT_TRUE(bool(Value));
    Each(*Value->getAsObject());
  }
}

/// "12 bytes apart, 32 distinct" as utils/microbench/throughput.cu lays it out.
LaneAddresses addressesOf(StringRef Pattern) {
  unsigned Stride = 0, Distinct = 0;
  Pattern.consumeInteger(10, Stride);
  Pattern = Pattern.split(", ").second;
  Pattern.consumeInteger(10, Distinct);
  LaneAddresses At;
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    At[Lane] = Stride * (Lane % Distinct);
  return At;
}

TEST(Timing, L1TakesWhatWasMeasured) {
  MachineModel Machine = cantFail(MachineModel::forArch("sm_90"));
  unsigned Seen = 0;
  forEachLine(WARPLINT_THROUGHPUT_H200, [&](const json::Object &Line) {
    SmallVector<StringRef, 4> Kind;
    Line.getString("kind")->split(Kind, ' ');
    if (Kind[0] != "global" || Kind[1] == "atomic")
      return;
    unsigned Bytes = 0;
    ASSERT_FALSE(Kind[2].getAsInteger(10, Bytes));
    double Measured = *Line.getNumber("cycles");
    EXPECT_NEAR(l1Cycles(Machine, addressesOf(*Line.getString("pattern")),
                         AllLanes, Bytes,
                         Kind[1] == "load" ? MemoryOp::Load : MemoryOp::Store),
                Measured, std::max(0.2, 0.03 * Measured))
        << Line.getString("kind")->str() << ", "
        << Line.getString("pattern")->str();
    ++Seen;
  });
  EXPECT_GE(Seen, 40u);
}

TEST(Timing, ConstantCacheTakesWhatWasMeasured) {
  forEachLine(WARPLINT_THROUGHPUT_H200, [&](const json::Object &Line) {
    // Lines that are far apart do not stay in the cache.
    if (!Line.getString("kind")->starts_with("constant") ||
        *Line.getInteger("lines") == 32)
      return;
    EXPECT_NEAR(MeasuredTiming.ConstantAddress *
                    double(*Line.getInteger("addresses")),
                *Line.getNumber("cycles"), 0.2);
  });
}

/// Cycles a sector of the pattern in bandwidth_h200.json, not scattered.
double measuredBandwidth(StringRef Kind, StringRef From, int64_t Stride) {
  double Found = 0;
  forEachLine(WARPLINT_BANDWIDTH_H200, [&](const json::Object &Line) {
    if (Line.getString("kind") == Kind && Line.getString("from") == From &&
        Line.getInteger("stride") == Stride &&
        Line.getBoolean("scattered") == false)
      Found = *Line.getNumber("cycles_a_sector");
  });
  return Found;
}

TEST(Timing, MemoryAndL2TakeWhatWasMeasured) {
  const Timing &T = MeasuredTiming;
  auto Near = [](double Model, double Measured) {
    EXPECT_NEAR(Model, Measured, 0.08 * Measured);
  };
  // A lane a sector: whole blocks. One of two sectors: a block for each.
  Near(T.MemoryBlock / 2, measuredBandwidth("load", "memory", 32));
  Near(T.MemoryBlock, measuredBandwidth("load", "memory", 64));
  Near(T.PartSector + T.MemoryBlock / 2,
       measuredBandwidth("store", "memory", 32));
  Near(T.PartSector + T.MemoryBlock, measuredBandwidth("store", "memory", 64));
  Near(T.L2Sector, measuredBandwidth("load", "L2", 16));
  Near(T.L2Written, measuredBandwidth("store", "L2", 4));
  Near(T.L2PartWritten, measuredBandwidth("store", "L2", 32));
  Near(T.L2Atomic, measuredBandwidth("atomic add", "L2", 16));
}

/// 32 lanes that add a float to neighbouring words of shared memory: as many
/// rounds as lanes share a word.
TEST(Timing, RoundsOfAnUpdateTakeWhatWasMeasured) {
  unsigned Seen = 0;
  forEachLine(WARPLINT_THROUGHPUT_H200, [&](const json::Object &Line) {
    StringRef Pattern = *Line.getString("pattern");
    if (*Line.getString("kind") != "shared atomic add float" ||
        !Pattern.starts_with("4 bytes"))
      return;
    double Measured = *Line.getNumber("cycles");
    size_t Rounds =
        MachineModel::spinRounds(addressesOf(Pattern), AllLanes).size();
    EXPECT_NEAR(MeasuredTiming.SpinRound * Rounds, Measured, 0.03 * Measured);
    ++Seen;
  });
  EXPECT_EQ(Seen, 4u);
}

} // namespace

} // namespace warplint
