//===- LayoutTest.cpp - Paddings that enumeration confirms ------------- ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unit.h"
#include "gtest/gtest.h"

using namespace warplint;

namespace {

/// The advice of the only finding of \p U.
std::string fixOf(Unit &U) {
  Finding F = U.only();
  for (const Note &N : F.Notes)
    if (N.Message.rfind("fix: ", 0) == 0)
      return N.Message;
  return "";
}

TEST(Layout, ColumnOfASquareTileWantsOneMoreColumn) {
  Unit U;
  U.shared("tile[r][tid]", 4, [](int64_t L) { return 4 * L; });
  U.shared("tile[tid][c]", 4, [](int64_t L) { return 128 * L; });
  for (NamedAccess &N : U.Accesses)
    N.Names.Extents = {32, 32};
  EXPECT_EQ(fixOf(U),
            "fix: pad the rows of 'tile' from 32 to 33 elements: 1 wavefront a "
            "request, 128 more bytes of shared memory a block");
}

TEST(Layout, DoublesToo) {
  Unit U;
  U.shared("t[tid][c]", 8, [](int64_t L) { return 256 * L; }).Names.Extents = {
      32, 32};
  EXPECT_EQ(fixOf(U),
            "fix: pad the rows of 't' from 32 to 33 elements: 2 wavefronts a "
            "request, 256 more bytes of shared memory a block");
}

TEST(Layout, EvenWidthIsNotEnough) {
  Unit U;
  // tile[32][34]: the next width without a conflict is 35.
  U.shared("t[tid][c]", 4, [](int64_t L) { return 136 * L; }).Names.Extents = {
      32, 34};
  EXPECT_EQ(fixOf(U),
            "fix: pad the rows of 't' from 34 to 35 elements: 1 wavefront a "
            "request, 128 more bytes of shared memory a block");
}

TEST(Layout, LinearRows) {
  Unit U;
  U.shared("tile[12*tid+k]", 4, [](int64_t L) { return 48 * L; });
  EXPECT_EQ(fixOf(U), "fix: let lanes step 13 elements of 'tile' apart instead "
                      "of 12 (pad each row by 1): 1 wavefront a request");
}

TEST(Layout, VectorRowsStayAligned) {
  Unit U;
  // Rows of 32 floats read as float4: the pad is a whole float4.
  U.shared("t[32*tid+c]", 16, [](int64_t L) {
     return 128 * L;
   }).Names.ElementBytes = 4;
  EXPECT_EQ(fixOf(U), "fix: let lanes step 36 elements of 't' apart instead of "
                      "32 (pad each row by 4): 4 wavefronts a request");
}

TEST(Layout, TwoDimensionalBlocksNeedMoreThanOne) {
  Unit U;
  // Block 8x32, s[32*x + y]: with rows of 33 lanes (x, y) and (x+1, y-1) meet;
  // 36 = 4 mod 32 is the first width that keeps 8 x 4 lanes apart.
  U.shared("s[off]", 4, [](int64_t L) { return 4 * (32 * (L % 8) + L / 8); });
  EXPECT_EQ(fixOf(U), "fix: let lanes step 36 elements of 's' apart instead of "
                      "32 (pad each row by 4): 1 wavefront a request");
}

TEST(Layout, StrideOfTwoSkipsOneInThirtyTwo) {
  Unit U;
  U.shared("s[2*tid]", 4, [](int64_t L) { return 8 * L; });
  EXPECT_EQ(fixOf(U), "fix: leave one element free after every 32 elements of "
                      "'s' (index i + i / 32): 1 wavefront a request");
}

TEST(Layout, PadMayNotHurtAnotherAccess) {
  Unit U;
  // Rows read by one access at a pitch of 33 words must not be broken to mend
  // the columns of another.
  NamedAccess &Bad =
      U.shared("s[32*tid]", 4, [](int64_t L) { return 128 * L; });
  U.shared("s[31*tid]", 4, [](int64_t L) { return 124 * L; });
  Bad.Names.Extents = {1024};
  std::string Fix = fixOf(U);
  // 31*tid + pad*(31*tid/32): whatever is advised was enumerated over both.
  EXPECT_EQ(Fix.find("33 elements"), std::string::npos) << Fix;
}

TEST(Layout, APadThatCostsTheStagingALittleIsSaid) {
  Unit U;
  // tile[i] staged contiguously, then read in rows of 12 a lane. With 13 words
  // a row the staging of 32 words spans up to 3 pads and takes 2 wavefronts:
  // 12 * (4 + 1) = 60 wavefronts become 12 * (1 + 2) = 36.
  NamedAccess &Stage = U.shared("tile[i]", 4, [](int64_t L) { return 4 * L; });
  Stage.A.Weight = 12;
  U.shared("tile[12*tid+k]", 4, [](int64_t L) { return 48 * L; }).A.Weight = 12;
  EXPECT_EQ(fixOf(U), "fix: let lanes step 13 elements of 'tile' apart instead "
                      "of 12 (pad each row by 1): 1 wavefront a request; the "
                      "access at line 2 then takes 2");
}

TEST(Layout, NoLayoutAtAll) {
  Unit U;
  // Words 0, 32, 64, ... and their neighbours in one object: every pad that
  // parts the column (32 ways once) joins the row, which runs 1000 times.
  U.shared("s[a]", 4, [](int64_t L) { return 4 * L; }).A.Weight = 1000;
  U.shared("s[33*tid]", 4, [](int64_t L) { return 132 * L; }).A.Weight = 1000;
  U.shared("s[32*tid]", 4, [](int64_t L) { return 128 * L; });
  std::string Fix = fixOf(U);
  EXPECT_EQ(Fix.find("rows"), std::string::npos) << Fix;
  EXPECT_NE(Fix.find("neighbouring words"), std::string::npos) << Fix;
}

TEST(Layout, SwizzleWhereNoRoomIsLeft) {
  Unit U;
  // 48 KiB of rows of 32 floats: padding would pass the limit of static
  // shared memory.
  U.shared("t[tid][c]", 4, [](int64_t L) { return 128 * L; }).Names.Extents = {
      384, 32};
  EXPECT_EQ(fixOf(U), "fix: store column c of row r of 't' at column c ^ (r % "
                      "32): 1 wavefront a request without padding");
}

TEST(Layout, LdmatrixRowsArePaddedBySixteenBytes) {
  Unit U;
  NamedAccess &N =
      U.shared("b[row]", 16, [](int64_t L) { return 32 * (L % 16); });
  N.A.Matrices = 2;
  N.A.LaneStride.reset();
  N.A.Typical = U.Machine.ldmatrixRequest(N.A.Offsets, 2);
  double Units = N.A.Typical.Units;
  N.A.Predicted = {Units, Units, Units};
  N.A.Ideal = N.A.Typical.Ideal;
  N.Names.ElementBytes = 2;
  EXPECT_EQ(fixOf(U), "fix: let lanes step 24 elements of 'b' apart instead of "
                      "16 (pad each row by 8): 2 wavefronts a request");
}

} // namespace
