//===- JsonTest.cpp - The form warplint-report/1 ----------------------- ===//
//
// Part of Warplint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Sample.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warplint;

namespace {

std::string printed(const RunReport &Run) {
  std::string Text;
  raw_string_ostream OS(Text);
  printJSON(Run, cantFail(MachineModel::forArch("sm_90")), OS);
  return Text;
}

json::Object parsed(const RunReport &Run) {
  return *cantFail(json::parse(printed(Run))).getAsObject();
}

TEST(Json, TopLevel) {
  json::Object Report = parsed({{sampleFile("/t/a.cu")}});
  EXPECT_EQ(Report.getString("schema"), "warplint-report/1");
  EXPECT_EQ(Report.getObject("tool")->getString("name"), "warplint");
  const json::Object *Target = Report.getObject("target");
  EXPECT_EQ(Target->getString("arch"), "sm_90");
  EXPECT_EQ(Target->getInteger("granule_bytes"), 32);
  EXPECT_EQ(Target->getInteger("banks"), 32);
}

TEST(Json, Access) {
  json::Object Report = parsed({{sampleFile("/t/a.cu")}});
  const json::Object &A = *Report.getArray("accesses")->front().getAsObject();
  EXPECT_EQ(A.getString("kernel"), "_Z1fPf");
  EXPECT_EQ(A.getInteger("config"), 0);
  EXPECT_EQ(A.getString("file"), "/t/a.cu");
  EXPECT_EQ(A.getInteger("line"), 9);
  EXPECT_EQ(A.getString("space"), "global");
  EXPECT_EQ(A.getString("op"), "load");
  EXPECT_EQ(A.getString("pattern"), "strided");
  EXPECT_EQ(A.getObject("predicted")->getNumber("mean"), 8.125);
  EXPECT_EQ(A.getBoolean("exact"), true);
  EXPECT_TRUE(A.get("unknown_reason")->getAsNull());
}

TEST(Json, NumbersAreShortest) {
  RunReport Run{{sampleFile("/t/a.cu")}};
  Run.Files[0].Accesses[0].A.Predicted.Mean = 4.1;
  std::string Text = printed(Run);
  EXPECT_NE(Text.find("\"mean\": 4.1,"), std::string::npos);
  EXPECT_NE(Text.find("\"min\": 8,"), std::string::npos);
}

TEST(Json, UnknownReasonsAndCoverage) {
  RunReport Run{{sampleFile("/t/a.cu")}};
  addUnknown(Run.Files[0], UnknownReason::DataDependentAddress, 11);
  addUnknown(Run.Files[0], UnknownReason::SymbolicStride, 12);
  json::Object Report = parsed(Run);
  const json::Array &Accesses = *Report.getArray("accesses");
  EXPECT_EQ(Accesses[1].getAsObject()->getString("unknown_reason"),
            "data-dependent-address");
  const json::Object &Coverage = *Report.getObject("coverage");
  EXPECT_EQ(Coverage.getInteger("exact"), 1);
  EXPECT_EQ(Coverage.getInteger("range"), 1);
  EXPECT_EQ(Coverage.getObject("unknown")->getInteger("data-dependent-address"),
            1);
}

TEST(Json, KernelOfAHeaderStandsOnce) {
  // Two files include one header; each saw the same.
  FileReport A = sampleFile("/t/h.cuh"), B = A;
  A.File = "/t/a.cu";
  B.File = "/t/b.cu";
  json::Object Report = parsed({{A, B}});
  EXPECT_EQ(Report.getArray("files")->size(), 2u);
  EXPECT_EQ(Report.getArray("kernels")->size(), 1u);
  EXPECT_EQ(Report.getArray("accesses")->size(), 1u);
  EXPECT_EQ(Report.getArray("findings")->size(), 1u);
}

TEST(Json, OtherLaunchOfAHeadersKernelIsAConfiguration) {
  FileReport A = sampleFile("/t/h.cuh"), B = A;
  A.File = "/t/a.cu";
  B.File = "/t/b.cu";
  B.Kernels[0].Configs[0].Block = {128, 1, 1};
  json::Object Report = parsed({{A, B}});
  const json::Object &Kernel =
      *Report.getArray("kernels")->front().getAsObject();
  EXPECT_EQ(Kernel.getArray("configs")->size(), 2u);
  const json::Array &Accesses = *Report.getArray("accesses");
  ASSERT_EQ(Accesses.size(), 2u);
  EXPECT_EQ(Accesses[1].getAsObject()->getInteger("config"), 1);
}

TEST(Json, FilesThatFailedAreListed) {
  FileReport Failed;
  Failed.File = "/t/none.cu";
  Failed.Status = FileReport::Failed;
  Failed.Errors = {"there is no file '/t/none.cu'"};
  json::Object Report = parsed({{Failed}});
  const json::Object &File = *Report.getArray("files")->front().getAsObject();
  EXPECT_EQ(File.getString("status"), "failed");
  EXPECT_EQ(File.getArray("errors")->size(), 1u);
}

TEST(Json, SourceTextNeedNotBeUtf8) {
  RunReport Run{{sampleFile("/t/a.cu")}};
  Run.Files[0].Accesses[0].Names.Expression = "a[\xff]";
  EXPECT_TRUE(bool(json::parse(printed(Run))));
}

} // namespace
