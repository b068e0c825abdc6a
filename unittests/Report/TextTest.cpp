//===- TextTest.cpp - The report for a terminal ------------------------ ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

namespace {

std::string printed(const RunReport &Run, bool Color = false,
                    StringRef Base = "/t") {
  std::string Text;
  raw_string_ostream OS(Text);
  printSummary(Run, Color, OS, Base);
  return Text;
}

std::string problems(const RunReport &Run) {
  std::string Text;
  raw_string_ostream OS(Text);
  printProblems(Run, /*Color=*/false, OS, "/t");
  return Text;
}

TEST(Text, Summary) {
  EXPECT_EQ(printed({{sampleFile("/t/no-such-file.cu")}}),
            "1 finding; 1 access: 1 exact, 0 range, 0 unknown\n");
  FileReport File = sampleFile("/t/a.cu");
  File.Suppressed = 2;
  EXPECT_EQ(printed({{File}}),
            "1 finding, 2 suppressed; 1 access: 1 exact, 0 range, 0 unknown\n");
}

TEST(Text, ColourOnlyWhenAskedFor) {
  RunReport Run{{sampleFile("/t/a.cu")}};
  Run.Files[0].Kernels[0].Refused = "has errors";
  EXPECT_EQ(printed(Run).find('\x1b'), std::string::npos);
  EXPECT_NE(printed(Run, /*Color=*/true).find('\x1b'), std::string::npos);
}

TEST(Text, RemarksAreNoFindings) {
  RunReport Run{{sampleFile("/t/a.cu")}};
  Run.Files[0].Findings[0].Level = Severity::Remark;
  std::string Text = printed(Run);
  EXPECT_NE(Text.find("0 findings; 1 access"), std::string::npos);
}

TEST(Text, SummaryCountsUnknownsByReason) {
  RunReport Run{{sampleFile("/t/a.cu")}};
  addUnknown(Run.Files[0], UnknownReason::DataDependentAddress, 11);
  addUnknown(Run.Files[0], UnknownReason::DataDependentAddress, 12);
  addUnknown(Run.Files[0], UnknownReason::FloatIndex, 13);
  addUnknown(Run.Files[0], UnknownReason::UnknownAlignment, 14);
  EXPECT_NE(printed(Run).find("1 finding; 5 accesses: 1 exact, 1 range, 3 "
                              "unknown (data-dependent-address 2, float-index "
                              "1)\n"),
            std::string::npos);
}

TEST(Text, WhatWasNotAnalysedIsSaid) {
  FileReport Part = sampleFile("/t/a.cu");
  Part.Status = FileReport::Partial;
  Part.Errors = {"/t/a.cu:4:1: unknown type name 'T'", "more"};
  Part.Findings.clear();
  AnalysedKernel Bad = Part.Kernels[0];
  Bad.Mangled = "_Z1gv";
  Bad.Name = "g()";
  Bad.Place.Line = 4;
  Bad.Refused = "uses 'T', which has errors";
  Bad.Configs.clear();
  Part.Kernels.push_back(Bad);
  Part.Kernels[0].Incomplete = "the budget ran out";
  FileReport Failed;
  Failed.File = "/t/b.cu";
  Failed.Status = FileReport::Failed;
  Failed.Errors = {"there is no file '/t/b.cu'"};
  RunReport Run{{Part, Failed}};
  EXPECT_EQ(
      printed(Run),
      "a.cu:3:17: note: kernel 'f' was analysed only in part: the budget "
      "ran out\n"
      "a.cu:4:17: note: kernel 'g' could not be analysed: uses 'T', which has "
      "errors\n"
      "a.cu: note: the file was analysed only in part (2 errors)\n"
      "b.cu: note: the file could not be analysed (1 error)\n"
      "0 findings; 1 access: 1 exact, 0 range, 0 unknown; 2 kernels not or "
      "only partly analysed; 2 files not or only partly analysed\n");
  EXPECT_EQ(problems(Run), "a.cu:4:1: error: unknown type name 'T'\n"
                           "a.cu: error: more\n"
                           "warplint: error: there is no file '/t/b.cu'\n");
}

TEST(Merge, WorstOfSeveralFilesIsKept) {
  FileReport A = sampleFile("/t/h.cuh"), B = A;
  A.Findings[0].Excess = 1;
  B.Findings[0].Excess = 7;
  B.Findings[0].Message = "worse";
  std::vector<Finding> Merged = mergeFindings({{A, B}});
  ASSERT_EQ(Merged.size(), 1u);
  EXPECT_EQ(Merged[0].Message, "worse");
  EXPECT_EQ(Merged[0].Notes.back().Message,
            "reached from 2 compile commands; this is the worst");
}

} // namespace
